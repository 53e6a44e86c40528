"""`python -m formwright`."""

import sys

from formwright.cli.main import main

sys.exit(main())
