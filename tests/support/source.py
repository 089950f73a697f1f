"""The product's own files, each parsed once for all tests that read them."""

import ast
from functools import cache
from pathlib import Path

import memoracle

SOURCE = Path(memoracle.__file__).parent


@cache
def tree_of(path):
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path):
    """Every node of that tree, as `ast.walk` gives them."""
    return tuple(ast.walk(tree_of(path)))


def module_of(path):
    """The name by which a file is imported."""
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


@cache
def trees():
    """Every module of the package by its name."""
    return {module_of(path): tree_of(path) for path in sorted(SOURCE.rglob("*.py"))}
