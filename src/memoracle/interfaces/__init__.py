"""What people and agents speak to. No logic lives here: the same verbs, in the same words, everywhere.

verbs.py    the verbs, once
render.py   results as text and as JSON
cli/        the command line
mcp/        tools for agents, on the standard streams or a port
"""
