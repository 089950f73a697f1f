"""Pages for tests of links: written as files, as people and seats do."""


def write_page(root, slug, text):
    """A page at its place; the slug is its path without the ending."""
    path = root / f"{slug}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return slug
