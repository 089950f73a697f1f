"""What a host calls while an agent works (lifecycle hooks): context in, capture out; never in the agent's way."""
