"""Is the memory whole? Reads everything back, says what is wrong, proposes how to mend it.

check.py    one Report from all probes
repair.py   findings become a plan; damage is set aside, never dropped
status.py   what a memory holds, in a glance
"""
