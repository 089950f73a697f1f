"""What agents are told (context engineering): the hot file, the context pack, the snapshot, the digest."""
