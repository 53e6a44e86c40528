"""Runs the command line with `python -m formwright`."""

import sys

from formwright.cli.main import main

sys.exit(main())
