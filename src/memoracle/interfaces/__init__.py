"""What people and programs speak to: the command line and MCP, the same verbs in the same words."""
