"""`python -m lungfish` is `lungfish`."""

from lungfish.cli.main import main

main()
