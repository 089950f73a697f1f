"""Having the memory tended by the person's own scheduler, without root. The only room that calls other programs.

entry.py     what is called, and how it is quoted
cron.py      a block of the person's crontab
systemd.py   a timer and a service of the person's own systemd
programs.py  calling a program and hearing what it says
change.py    what would be put where, shown as a diff
"""
