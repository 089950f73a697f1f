"""The scanners of this machine: each looks at a few files and gives facts. No value of a secret leaves a scanner.

look.py             the scanners by name, and one look by several of them
surroundings.py     what a scanner is given
credentials.py      which secrets there are, where, and whether they changed (hosts.py: who has a login here)
network.py          proxies
openclaw.py         an OpenClaw installation
github.py           git identity, gh hosts, public keys (keys.py)
current_context.py  the project that is worked on
system.py           system, processor, memory
environment.py      names of variables
gstack.py           a gstack folder; clawseat.py: a ClawSeat installation
repos.py            repositories below home
"""
