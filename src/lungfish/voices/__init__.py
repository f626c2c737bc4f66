"""Voices by name, and the voice that ships with the package."""
