"""Agents' hosts (adapters): one module each with its transcript reader and what is installed there; hooks; sources."""
