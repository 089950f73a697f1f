"""`python -m memoracle` is the command line."""

from memoracle.interfaces.cli import main

raise SystemExit(main())
