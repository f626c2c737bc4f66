"""Typed configs from YAML (loader.py), and the one place that reads the environment (env.py)."""
