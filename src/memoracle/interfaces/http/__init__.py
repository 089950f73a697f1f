"""The verbs over HTTP: a JSON API with its OpenAPI document, MCP, and the page, behind one gate."""
