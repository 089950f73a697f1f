"""Values as plain JSON and back, for what a run writes down between two steps.

Follows the declared types: values, enums, moments, tuples, mappings and options of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from functools import lru_cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from memoracle.clock import read_time, write_time
from memoracle.model.value import fields, is_default, is_value

_Wanted = TypeVar("_Wanted")


def to_plain(thing: Any) -> Any:
    """What JSON can hold; fields that hold their default are left out."""
    if is_value(thing):
        return {name: to_plain(getattr(thing, name)) for name in fields(thing) if not is_default(thing, name)}
    if isinstance(thing, datetime):
        return write_time(thing)
    if isinstance(thing, Enum):
        return thing.value
    if isinstance(thing, Mapping):
        return {key: to_plain(item) for key, item in thing.items()}
    if isinstance(thing, tuple | list):
        return [to_plain(item) for item in thing]
    return thing


def from_plain(wanted: type[_Wanted], plain: Any) -> _Wanted:
    """The value that was written; raises TypeError, ValueError or LookupError for anything else."""
    made: _Wanted = _read(wanted, plain)
    return made


def _read(wanted: Any, plain: Any) -> Any:
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in {Union, UnionType}:
        if plain is None:
            return None
        return _read(next(one for one in inner if one is not type(None)), plain)
    if origin is tuple:
        return tuple(_read(inner[0], item) for item in plain)
    if origin is not None:
        return dict(plain)
    if wanted is datetime:
        return read_time(plain)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return wanted(plain)
    if isinstance(wanted, type) and hasattr(wanted, "__value_fields__"):
        hints = _hints(wanted)
        known = {name: _read(hints[name], item) for name, item in plain.items()}
        return wanted(**known)
    return plain


@lru_cache(maxsize=64)
def _hints(wanted: type) -> dict[str, Any]:
    return get_type_hints(wanted)
