# Names for what dev.py does; `just` alone lists them.

_default:
    @just --list --unsorted

# everything: lint, quick tests, long tests
test *words:
    python3 dev.py test {{words}}

# lint and the quick tests: what every change has to pass
gate *words:
    python3 dev.py gate {{words}}

# kills, years, races, hostile megabytes
test-long *words:
    python3 dev.py long {{words}}

# ruff and mypy
lint:
    python3 dev.py lint

# rooms, imports, start-up, reference
house:
    python3 dev.py house

# what proves a line of the specification
conformance:
    python3 dev.py conformance

# every example of the documentation, run for real
docs *words:
    python3 dev.py docs {{words}}

# days with real agent programs
hosts *words:
    python3 dev.py hosts {{words}}

# measure on this machine
bench *words:
    python3 dev.py bench {{words}}

# the promises, tried in front of you
demo:
    python3 dev.py demo
