"""What verbs do: one file per act, made of the rooms below and called by `Memory`.

Values become writes here, as in `consolidation`, `handing`, `moving`, `context/publish.py` and `health`. An act opens
no memory of its own; what it works with comes in.

what several of them work with            act.py
keeping the view and the truth level     linking.py   indexing.py
what an agent is told                    briefing.py   publishing.py   graphing.py   federating.py
what people and agents write down        jotting.py   buffering.py   seating.py   registering.py   scanning.py
what is looked after                     tending.py   rounds.py   heartbeat.py   wellbeing.py   flushing.py   asking.py
the owner in control                     inspecting.py   auditing.py   encrypting.py
manners with the operator                minding.py
messages that leave                      sending.py
"""
