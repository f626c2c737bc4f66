"""The command line: one module per verb. Nothing here imports torch until a verb runs."""
