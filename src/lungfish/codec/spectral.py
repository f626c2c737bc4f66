"""The spectral codec: log-mel in, inverse STFT out; light enough to be trained on a CPU.

    waveform [B, 1, S] -> log-mel 86 Hz -> ConvNeXt -> /2 -> ConvNeXt -> /2 -> ConvNeXt -> latents [B, D, T] 21.5 Hz
    latents -> residual VQ, book 0 semantic -> codes [B, K, T] -> quantized [B, D, T]
    quantized -> ConvNeXt -> x2 -> ConvNeXt -> x2 -> ConvNeXt -> magnitude and phase -> overlap-add -> waveform

Same interface as the modified DAC (`codec/protocol.py`). Encoder: causal, no look-ahead. Decoder: synthesis frames
overlap by three hops, so the last 768 samples of a code frame are complete once the next one is there (35 ms); the end of
the waveform is faded out by the window.

Streaming (codec/stream_state.py). Latency of decoding: three hops. The first step gives 768 samples less than its frames,
the others as many, `decode_flush` the last 768. Encoding waits for whole frames only. What a stream keeps, in floats, for
the widths of the config's defaults:

    decoding  ConvNeXt blocks, 2 + 1 + 5      6 columns x 256 each         12,288
              overlap                         3 hops                          768
    encoding  log-mel                         n_fft - hop samples             768
              first convolution               2 columns x 80                  160
              ConvNeXt blocks, 2 + 1 + 2      6 columns x 256 each          7,680
              samples that wait               up to 1023

Source: Siuzdak 2023, "Vocos" (inverse STFT head); Kumar et al. 2023 (factorised, cosine-normalised residual VQ).
Training-only parts (losses, codebook updates, phoneme head) live in `training/`.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.codec.mel import CausalLogMel
from lungfish.codec.spectral_config import SpectralCodecConfig
from lungfish.codec.stream_state import DecodeState
from lungfish.codec.streaming_codec import StreamingCodec
from lungfish.errors import CodesError
from lungfish.nn.causal_conv import CausalConv1d
from lungfish.nn.convnext import ConvNeXt
from lungfish.nn.streaming import State, new_state, step

__all__ = ["SpectralCodec", "SpectralCodecConfig"]

_SCALE = 0.2  # start of each block's residual gain: large enough to learn in hours
_MAX_LOG_MAGNITUDE = 5.5


def _blocks(count: int, dim: int, ffn_dim: int) -> nn.Sequential:
    return nn.Sequential(*(ConvNeXt(dim, ffn_dim, initial_scale=_SCALE) for _ in range(count)))


class _Halve(nn.Module):
    """Pairs of frames side by side, then a linear: [B, D, 2T] -> [B, D, T]."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.proj = nn.Linear(2 * dim, dim)

    def forward(self, x: Tensor) -> Tensor:
        batch, dim, length = x.shape
        return self.proj(x.transpose(1, 2).reshape(batch, length // 2, 2 * dim)).transpose(1, 2)


class _Double(nn.Module):
    """A linear to two frames: [B, D, T] -> [B, D, 2T]."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.proj = nn.Linear(dim, 2 * dim)

    def forward(self, x: Tensor) -> Tensor:
        batch, dim, length = x.shape
        return self.proj(x.transpose(1, 2)).reshape(batch, 2 * length, dim).transpose(1, 2)


class SpectralEncoder(nn.Module):
    """waveform [B, 1, 4 * hop * T] -> latents [B, D, T]."""

    def __init__(self, config: SpectralCodecConfig) -> None:
        super().__init__()
        dim = config.dim
        self.mel = CausalLogMel(config.sample_rate, config.n_fft, config.hop, config.num_mels)
        self.conv = CausalConv1d(config.num_mels, dim, 3)
        self.blocks = _blocks(config.encoder_blocks, dim, config.ffn_dim)
        self.halve1 = _Halve(dim)
        self.middle = ConvNeXt(dim, config.ffn_dim, initial_scale=_SCALE)
        self.halve2 = _Halve(dim)
        self.code_blocks = _blocks(config.encoder_code_blocks, dim, config.code_ffn_dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, waveform: Tensor) -> Tensor:
        x = self.blocks(self.conv(self.mel(waveform)))
        x = self.code_blocks(self.halve2(self.middle(self.halve1(x))))
        return self.norm(x.transpose(1, 2)).transpose(1, 2)

    def new_state(self, batch: int) -> State:
        return new_state(self._chain(), batch)

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """`forward` of the next whole code frames (nn/streaming.py)."""
        x, state = step(self._chain(), x, state)
        return self.norm(x.transpose(1, 2)).transpose(1, 2), state

    def _chain(self) -> tuple[nn.Module, ...]:
        return self.mel, self.conv, self.blocks, self.halve1, self.middle, self.halve2, self.code_blocks


class SpectralDecoder(nn.Module):
    """quantized [B, D, T] -> waveform [B, 1, 4 * hop * T]."""

    def __init__(self, config: SpectralCodecConfig) -> None:
        super().__init__()
        dim = config.dim
        self.hop, self.n_fft = config.hop, config.n_fft
        self.code_blocks = _blocks(config.decoder_code_blocks, dim, config.code_ffn_dim)
        self.double1 = _Double(dim)
        self.middle = ConvNeXt(dim, config.ffn_dim, initial_scale=_SCALE)
        self.double2 = _Double(dim)
        self.blocks = _blocks(config.decoder_blocks, dim, config.ffn_dim)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, config.n_fft + 2)
        self.window: Tensor
        self.register_buffer("window", torch.hann_window(config.n_fft) / 1.5, persistent=False)

    def frames(self, quantized: Tensor) -> Tensor:
        """quantized [B, D, T] -> windowed synthesis frames [B, 4T, n_fft], one per hop."""
        x = self.double2(self.middle(self.double1(self.code_blocks(quantized))))
        return self._synthesise(self.blocks(x))

    def _synthesise(self, x: Tensor) -> Tensor:
        x = self.head(self.norm(x.transpose(1, 2)))
        log_magnitude, phase = x.chunk(2, dim=-1)
        magnitude = torch.exp(log_magnitude.clamp(max=_MAX_LOG_MAGNITUDE) - 1)
        spectrum = torch.polar(magnitude, phase)
        return torch.fft.irfft(spectrum, n=self.n_fft) * self.window

    def forward(self, quantized: Tensor) -> Tensor:
        summed = self._overlap(self.frames(quantized))
        return summed[:, 3:].reshape(summed.shape[0], 1, -1)  # without the three hops before the start

    def _overlap(self, frames: Tensor) -> Tensor:
        """frames [B, n, n_fft] -> hops [B, 3 + n, hop]; the first and the last three lack what other frames add."""
        batch, count, _ = frames.shape
        hops = frames.reshape(batch, count, 4, self.hop)
        # Frame t covers hops t-3 .. t of the output: add the four shifted copies.
        summed = sum(nn.functional.pad(hops[:, :, k], (0, 0, k, 3 - k)) for k in range(4))
        assert isinstance(summed, Tensor)
        return summed

    def new_state(self, batch: int) -> State:
        return new_state(self._chain(), batch)

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """The next code frames, before and after what their neighbours add (nn/streaming.py).

        Args:
            x: [B, D, t].
            state: from `new_state` or the step before.

        Returns:
            samples [B, 1, (3 + 4t) * hop]: the first three hops are to be added to the last three of the step before
            (at the start they are before the waveform), the last three wait for those of the step after; and the state.
        """
        x, state = step(self._chain(), x, state)
        return self._overlap(self._synthesise(x)).reshape(x.shape[0], 1, -1), state

    def _chain(self) -> tuple[nn.Module, ...]:
        return self.code_blocks, self.double1, self.middle, self.double2, self.blocks


class SpectralCodebook(nn.Module):
    """One factorised book: project to a few dims, nearest row by angle, project back.

    `codebook.weight` is not trained by gradient: `training/codebook.py` moves it (EMA, revival of dead rows).
    """

    def __init__(self, dim: int, codebook_dim: int, size: int) -> None:
        super().__init__()
        self.in_proj = nn.Linear(dim, codebook_dim)
        self.out_proj = nn.Linear(codebook_dim, dim)
        self.codebook = nn.Embedding(size, codebook_dim)
        self.codebook.weight.requires_grad_(False)

    def nearest(self, vectors: Tensor) -> Tensor:
        """vectors [..., codebook_dim] -> indices [...] of the row with the largest cosine."""
        rows = nn.functional.normalize(self.codebook.weight, dim=-1)
        return (nn.functional.normalize(vectors, dim=-1) @ rows.T).argmax(-1)

    def decode(self, indices: Tensor) -> Tensor:
        """indices [B, T] -> [B, T, D]."""
        return self.out_proj(self.codebook(indices))


class SpectralCodec(StreamingCodec):
    """Encode and decode, whole utterances or in steps. See `codec/protocol.py` for the contract."""

    def __init__(self, config: SpectralCodecConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = SpectralEncoder(config)
        self.books = nn.ModuleList(
            SpectralCodebook(config.dim, config.codebook_dim, size) for size in config.codebook_sizes
        )
        self.decoder = SpectralDecoder(config)

    @property
    def sample_rate(self) -> int:
        return self.config.sample_rate

    @property
    def hop_length(self) -> int:
        """Samples per code frame."""
        return self.config.frame_length

    @property
    def codebook_sizes(self) -> list[int]:
        return list(self.config.codebook_sizes)

    def drop_encoder(self) -> None:
        """Leave what decoding needs: books and decoder. The rest of the parameters is gone."""
        if not self.can_encode:
            return
        del self.encoder
        for book in self.books:
            del book.in_proj

    def quantize(self, latents: Tensor) -> Tensor:
        """latents [B, D, T] -> codes [B, K, T]."""
        residual, codes = latents.transpose(1, 2), []
        for book in self.books:
            assert isinstance(book, SpectralCodebook)
            indices = book.nearest(book.in_proj(residual))
            residual = residual - book.decode(indices)
            codes.append(indices)
        return torch.stack(codes, dim=1)

    def dequantize(self, codes: Tensor) -> Tensor:
        """codes [B, K', T] with K' <= K -> quantized [B, D, T]."""
        total = sum(book.decode(codes[:, k]) for k, book in enumerate(self.books) if k < codes.shape[1])  # type: ignore[operator]
        assert isinstance(total, Tensor)
        return total.transpose(1, 2)

    @torch.no_grad()
    def encode(self, waveform: Tensor, lengths: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Codes of a batch of clips.

        Args:
            waveform: [B, 1, S] float32 at `sample_rate`, padded on the right with zeros.
            lengths: [B] samples of each clip; S when absent.

        Returns:
            codes [B, K, ceil(S / hop_length)] int64, code_lengths [B] int64.

        Raises:
            PartError: loaded for decoding only.
        """
        self._need_encoder()
        samples = waveform.shape[-1]
        waveform = nn.functional.pad(waveform, (0, -samples % self.hop_length))
        if lengths is None:
            lengths = torch.full((waveform.shape[0],), samples, device=waveform.device)
        return self.quantize(self.encoder(waveform)), -(-lengths.long() // self.hop_length)

    @torch.no_grad()
    def decode(self, codes: Tensor) -> Tensor:
        """codes [B, K' <= K, T] int64 -> waveform [B, 1, hop_length * T] in about -1..1.

        Raises:
            CodesError: wrong shape, no frames, or a code out of range.
        """
        self._check(codes)
        return self.decoder(self.dequantize(codes)).clamp(-1, 1)

    def new_decode_state(self, batch: int = 1) -> DecodeState:
        """The start of `batch` streams of code frames."""
        return DecodeState(self.decoder.new_state(batch), self._no_samples(batch))

    @torch.no_grad()
    def decode_step(self, codes: Tensor, state: DecodeState) -> Tensor:
        """`decode` of the next frames: codes [B, K', t], t >= 1 -> waveform [B, 1, n].

        n = t * hop_length, in the first step three hops less: they are complete once the next frame or the end is known.

        Raises:
            CodesError: as `decode`.
            StreamError: another batch, or a stream that has ended.
        """
        self._check(codes)
        state.check(codes.shape[0])
        samples, layers = self.decoder.step(self.dequantize(codes), state.layers)
        overlap = self.decoder.n_fft - self.decoder.hop
        if state.pending.shape[-1]:
            samples = torch.cat((state.pending + samples[..., :overlap], samples[..., overlap:]), dim=-1)
        else:  # the start
            samples = samples[..., overlap:]
        complete = samples.shape[-1] - overlap
        state.layers, state.pending = layers, samples[..., complete:].clone()
        return samples[..., :complete].clamp(-1, 1)

    def decode_flush(self, state: DecodeState) -> Tensor:
        """Ends the streams -> [B, 1, 3 * hop], the last samples; none if no frame ever came.

        Raises:
            StreamError: they have ended before.
        """
        state.check(state.batch)
        state.ended = True
        rest, state.pending = state.pending.clamp(-1, 1), state.pending[..., :0].clone()
        return rest

    def _new_encode_layers(self, batch: int) -> State:
        return self.encoder.new_state(batch)

    def _encode_frames(self, waveform: Tensor, layers: State) -> tuple[Tensor, State]:
        latents, layers = self.encoder.step(waveform, layers)
        return self.quantize(latents), layers

    def _check(self, codes: Tensor) -> None:
        if codes.dim() != 3 or not 1 <= codes.shape[1] <= self.num_codebooks or codes.shape[2] == 0:
            raise CodesError(f"codes must be [B, 1..{self.num_codebooks}, T > 0], got {list(codes.shape)}")
        sizes = torch.tensor(self.codebook_sizes[: codes.shape[1]], device=codes.device)[None, :, None]
        if bool(((codes < 0) | (codes >= sizes)).any()):
            raise CodesError(f"a code is out of range; this codec's books have {self.codebook_sizes} entries")
