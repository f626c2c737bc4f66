"""Encoder of the modified DAC: waveform to latents at the encoder's own rate (86 Hz in the released codec).

Module names are the released spelling. Source: spec/codec.md 2.3, 3.4.
"""

from __future__ import annotations

from torch import Tensor, nn

from lungfish.codec.config import CodecConfig, TransformerConfig
from lungfish.codec.residual_unit import DILATIONS, ResidualUnit
from lungfish.codec.windowed_transformer import WindowedTransformer
from lungfish.nn.causal_conv import CausalConv1d
from lungfish.nn.snake import Snake
from lungfish.nn.streaming import State, new_state, step


class EncoderStage(nn.Module):
    """Three residual units, Snake, a strided convolution that doubles the channels, and perhaps a transformer."""

    def __init__(self, channels: int, stride: int, transformer: TransformerConfig | None) -> None:
        super().__init__()
        self.block = nn.Sequential(
            *(ResidualUnit(channels, dilation) for dilation in DILATIONS),
            Snake(channels),
            CausalConv1d(channels, 2 * channels, kernel=2 * stride, stride=stride),
        )
        if transformer is not None:
            self.block.append(WindowedTransformer(transformer))

    def forward(self, x: Tensor) -> Tensor:
        """x [B, channels, L] -> [B, 2 * channels, ceil(L / stride)]."""
        return self.block(x)

    def new_state(self, batch: int) -> State:
        return new_state(self.block, batch)

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """`forward` of the next chunk (nn/streaming.py)."""
        return step(self.block, x, state)


class DacEncoder(nn.Module):
    """waveform [B, 1, S] -> [B, latent_dim, S / encoder_hop]."""

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        channels = config.encoder_dim
        self.block = nn.Sequential(CausalConv1d(1, channels, kernel=7))
        for index, stride in enumerate(config.encoder_strides):
            at_stage = index == config.encoder_transformer_stage
            self.block.append(EncoderStage(channels, stride, config.encoder_transformer if at_stage else None))
            channels *= 2
        self.block.append(Snake(channels))
        self.block.append(CausalConv1d(channels, config.latent_dim, kernel=3))

    def forward(self, waveform: Tensor) -> Tensor:
        return self.block(waveform)

    def new_state(self, batch: int) -> State:
        return new_state(self.block, batch)

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """`forward` of the next chunk, a multiple of encoder_hop samples (nn/streaming.py)."""
        return step(self.block, x, state)
