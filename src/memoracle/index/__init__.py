"""The view: answers questions and can be thrown away.

api.py     what a view can do, as a protocol
sync.py    brings a view level with the truth
graph.py   neighbourhoods and shortest ways over links; pure
sqlite/    the embedded view (default)
"""
