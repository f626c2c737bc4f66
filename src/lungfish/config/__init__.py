"""Typed configs from YAML, and the one place that reads the environment."""

from lungfish.config.loader import StrictModel, load_config

__all__ = ["StrictModel", "load_config"]
