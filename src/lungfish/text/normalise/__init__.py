"""Readers: from digits, symbols and abbreviations to words, one module per language, behind `reader.normalise`."""
