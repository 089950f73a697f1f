"""Keeping a memory well (maintenance): check, repair, health, schedule, retention. Plans with reasons, then acts."""
