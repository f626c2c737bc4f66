"""Shared torch blocks: norms, rope, feed-forward, causal convolutions. No model, no file, no policy lives here."""
