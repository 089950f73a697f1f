"""The memory over MCP (Model Context Protocol): tools, resources, stdio and HTTP. The SDK is imported only to serve."""
