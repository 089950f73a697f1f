"""Doors for agent libraries, one module each, in the library's own words: what it calls a memory is this one.

    anthropic       the memory tool of Claude (`memory_20250818`) over notes
    langgraph       a `BaseStore`: namespaces, keys, search
    llama_index     a `BaseMemoryBlock`
    google_adk      a `BaseMemoryService`
    openai_agents   a `Session` whose history is a transcript, and a tool that recalls

A module imports its library and nothing does it before; without the library it says what to install. Whoever comes
through here is an agent: what the policy withholds from agents is not there, and nothing becomes the owner's word.
"""

__all__ = ["anthropic", "google_adk", "langgraph", "llama_index", "openai_agents"]
