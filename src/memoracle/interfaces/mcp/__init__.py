"""The MCP server: the same verbs, as tools that an agent calls.

Nothing outside `server.py`, `stdio.py` and `http.py` knows the SDK; what a tool does is a function of a `Memory`.

tool.py        what a tool is: its words, its schemas, its hints, what it does
schema.py      schemas in few words, and arguments held against them
finding.py     memory_search and memory_timeline
fetching.py    memory_get
paging.py      memory_page, for a server that speaks for a seat
telling.py     memory_context and memory_status
changing.py    memory_save, memory_update and memory_forget
authority.py   whose word a call carries, and what it may change
graph.py  graph_calls.py  graph_tools.py    nine tools of the knowledge-graph server, over records
resources.py   MEMORY.md, records and daily notes as resources
quoting.py     words from outside, marked as what they are
failure.py     errors as documents: code, sentence, hint, whether to try again
lanes.py       memories for worker threads: a few that read, one that writes
words.py       what the server says of itself
server.py      all of that as a server of the SDK
stdio.py       one client on the standard streams
http.py        many clients on a port, each with the token
serve.py       the way in
"""
