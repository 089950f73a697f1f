"""The tables of all layouts, by name."""

from memoracle.store.layouts import layout_named, layout_names

LAYOUTS = {name: layout_named(name) for name in layout_names()}
