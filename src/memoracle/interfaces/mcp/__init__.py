"""The memory over MCP (Model Context Protocol): tools, resources, prompts; stdio by itself, HTTP by the SDK."""
