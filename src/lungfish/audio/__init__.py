"""Waveforms in and out of files, and between sample rates. No models here."""
