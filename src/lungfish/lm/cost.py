"""What one frame costs: the weights and the cached keys and values that have to be read from memory, and the bound they set.

At batch size 1 decoding waits for memory: frames per second <= bandwidth / bytes per frame. Pure arithmetic on a config; no
torch. Embedding rows and activations are left out, being thousands of times smaller.

A `Plan` says how a frame is computed; three are of interest:

    REFERENCE   scores the whole vocabulary, starts the depth axis in a pass of its own (K passes), attends over all slots
    LUNGFISH    scores the end and the semantic codes only, hidden state and first code in one pass (K - 1), filled slots
    flattened   no depth axis: every code is a token of the slow stack (K steps a frame)
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from lungfish.lm.config import DualARConfig, StackShape


@dataclass(frozen=True)
class Plan:
    """How a frame is computed.

    Attributes:
        whole_head: score every token of the vocabulary.
        fast_passes: along depth; None is K - 1.
        whole_cache: attend over all slots of the context, filled or not.
        residual_rows: rows of the depth head that are read, the codec's book size where the head is cut to it; None reads
            all of them.
        flattened: one slow step per code, no fast stack.
    """

    whole_head: bool = False
    fast_passes: int | None = None
    whole_cache: bool = False
    residual_rows: int | None = None
    flattened: bool = False


def reference_plan(config: DualARConfig) -> Plan:
    """The reference implementation, as the specification describes it (spec/lm.md 7, 18 to 23)."""
    return Plan(whole_head=True, fast_passes=config.num_codebooks, whole_cache=True)


@dataclass(frozen=True)
class Reads:
    """Reads of one part of a frame: weights (numbers of them), and bytes of keys and values per stream."""

    weights: int
    kv_bytes: float = 0.0


@dataclass(frozen=True)
class FrameCost:
    """Reads per frame.

    Attributes:
        parts: by name: slow, head, fast, and codec where it was counted.
        weight_bytes_each: bytes per weight of the language model.
        codec_weight_bytes_each: of the codec, which stays in float32.
        frame_rate: frames per second of the audio.
    """

    parts: dict[str, Reads]
    weight_bytes_each: float
    codec_weight_bytes_each: float
    frame_rate: float

    @property
    def weights(self) -> int:
        """Weights of the language model."""
        return sum(part.weights for name, part in self.parts.items() if name != "codec")

    def weight_bytes(self, name: str) -> float:
        each = self.codec_weight_bytes_each if name == "codec" else self.weight_bytes_each
        return self.parts[name].weights * each

    def bytes_per_frame(self, batch: int = 1) -> float:
        """Of one step of a batch: weights are read once for all, keys and values for each."""
        return sum(self.weight_bytes(name) + batch * part.kv_bytes for name, part in self.parts.items())

    def frames_per_s(self, bandwidth_gb_s: float, batch: int = 1) -> float:
        """Upper bound, of all streams together."""
        return batch * bandwidth_gb_s * 1e9 / self.bytes_per_frame(batch)

    def rtf(self, bandwidth_gb_s: float, batch: int = 1) -> float:
        """Lower bound of compute seconds per audio second, of each stream."""
        return self.frame_rate * batch / self.frames_per_s(bandwidth_gb_s, batch)


def block_weights(shape: StackShape) -> int:
    """Parameters of one transformer block, biases and norms included."""
    projected = (shape.num_heads + 2 * shape.num_kv_heads) * shape.head_dim
    attention = shape.dim * (projected + shape.num_heads * shape.head_dim)
    biases = shape.qkv_bias * projected + shape.o_bias * shape.dim
    norms = 2 * shape.dim + 2 * shape.qk_norm * shape.head_dim
    return attention + biases + norms + 3 * shape.dim * shape.ffn_dim


def kv_bytes_per_token(shape: StackShape, bytes_each: float) -> float:
    """Keys and values of one cached position in all layers of a stack."""
    return 2 * shape.num_layers * shape.num_kv_heads * shape.head_dim * bytes_each


def frame_cost(
    config: DualARConfig,
    plan: Plan | None = None,
    *,
    context: int = 1000,
    weight_bytes_each: float = 2.0,
    kv_bytes_each: float = 2.0,
    frame_rate: float = 44_100 / 2048,
    codec: Reads | None = None,
    codec_weight_bytes_each: float = 4.0,
) -> FrameCost:
    """Reads of one frame.

    Args:
        config: of the model.
        plan: how it is computed; this package's plain way when absent.
        context: positions already in the cache, prompt and frames. A flattened model holds K for each.
        weight_bytes_each: 2 for bfloat16, 1 for 8 bits, 0.5625 for 4 bits in groups of 32...
        kv_bytes_each: of one cached number.
        frame_rate: frames per second of the codec.
        codec: reads of decoding one frame, from whoever knows the codec.
        codec_weight_bytes_each: of the codec's weights.
    """
    plan = plan or Plan()
    slow, fast, books = config.slow_shape, config.fast_shape, config.num_codebooks
    rows = config.vocab_size if plan.whole_head else 1 + config.semantic_end_id - config.semantic_begin_id + 1
    if plan.flattened and not plan.whole_head:
        rows = config.codebook_size
    steps = books if plan.flattened else 1
    span = config.max_seq_len if plan.whole_cache else context * steps
    parts = {
        "slow": Reads(
            steps * (slow.num_layers * block_weights(slow) + slow.dim),
            steps * span * kv_bytes_per_token(slow, kv_bytes_each),
        ),
        "head": Reads(steps * rows * slow.dim),
    }
    if not plan.flattened:
        passes = books - 1 if plan.fast_passes is None else plan.fast_passes
        entry = 0 if fast.dim == slow.dim else (slow.dim + 1) * fast.dim
        head = min(plan.residual_rows or config.codebook_size, config.codebook_size) * fast.dim
        weights = passes * (fast.num_layers * block_weights(fast) + fast.dim + head) + entry
        # The pass at depth i sees i + 1 entries; the first pass of K - 1 fills two.
        seen = books * passes if plan.whole_cache else books * (books + 1) // 2 - (passes < books)
        parts["fast"] = Reads(weights, seen * kv_bytes_per_token(fast, kv_bytes_each))
    if codec is not None:
        parts["codec"] = codec
    return FrameCost(parts, weight_bytes_each, codec_weight_bytes_each, frame_rate)


def at_frame_rate(cost: FrameCost, frame_rate: float) -> FrameCost:
    """The same reads per frame, at another number of frames per second."""
    return dataclasses.replace(cost, frame_rate=frame_rate)
