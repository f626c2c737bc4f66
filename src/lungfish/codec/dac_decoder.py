"""Decoder of the modified DAC: latents at the encoder's rate back to a waveform.

Module names are the released spelling. Source: spec/codec.md 2.3, 3.2, 3.4.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.codec.config import CodecConfig
from lungfish.codec.residual_unit import DILATIONS, ResidualUnit
from lungfish.nn.causal_conv import CausalConv1d, CausalConvTranspose1d
from lungfish.nn.snake import Snake
from lungfish.nn.streaming import State, new_state, step


class DecoderStage(nn.Module):
    """Snake, a transposed convolution that halves the channels, three residual units."""

    def __init__(self, channels: int, stride: int) -> None:
        super().__init__()
        self.block = nn.Sequential(
            Snake(channels),
            CausalConvTranspose1d(channels, channels // 2, kernel=2 * stride, stride=stride),
            *(ResidualUnit(channels // 2, dilation) for dilation in DILATIONS),
        )

    def forward(self, x: Tensor) -> Tensor:
        """x [B, channels, L] -> [B, channels / 2, L * stride]."""
        return self.block(x)

    def new_state(self, batch: int) -> State:
        return new_state(self.block, batch)

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """`forward` of the next chunk (nn/streaming.py)."""
        return step(self.block, x, state)


class DacDecoder(nn.Module):
    """[B, latent_dim, L] -> waveform [B, 1, L * encoder_hop] in -1..1."""

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        channels = config.decoder_dim
        self.model = nn.Sequential(CausalConv1d(config.latent_dim, channels, kernel=7))
        for stride in config.decoder_strides:
            self.model.append(DecoderStage(channels, stride))
            channels //= 2
        self.model.append(Snake(channels))
        self.model.append(CausalConv1d(channels, 1, kernel=7))

    def forward(self, latents: Tensor) -> Tensor:
        return torch.tanh(self.model(latents))

    def new_state(self, batch: int) -> State:
        return new_state(self.model, batch)

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """`forward` of the next chunk (nn/streaming.py)."""
        waveform, state = step(self.model, x, state)
        return torch.tanh(waveform), state
