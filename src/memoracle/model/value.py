"""Values: frozen, slotted, keyword-only, and cheap to declare.

The same promises as a frozen dataclass, at a tenth of the price at import: nothing is generated
until a class makes its first value. Fifty dataclasses, and what `dataclasses` itself imports, were
a third of a cold start (docs/decisions/0011). `replace` and `fields` are theirs in name and meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from functools import lru_cache
from types import UnionType
from typing import Any, NoReturn, TypeVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

_Class = TypeVar("_Class")
_Value = TypeVar("_Value")
_FIELDS = "__value_fields__"


class _Factory:
    """A default that is made anew for each value."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], Any]) -> Any:
    """A field whose default is made by a callable."""
    return _Factory(default_factory)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def value(declared: type[_Class]) -> type[_Class]:
    """A class whose values have the declared fields and never change."""
    names = tuple(declared.__dict__.get("__annotations__", ()))
    defaults = {name: declared.__dict__[name] for name in names if name in declared.__dict__}
    body = {
        name: item
        for name, item in declared.__dict__.items()
        if name not in defaults and name not in {"__dict__", "__weakref__"}
    }
    body |= {
        "__slots__": names,
        "__match_args__": (),
        "__init__": _first_init,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": _equal,
        "__hash__": _hash,
        "__reduce__": _reduce,
        _FIELDS: {name: defaults.get(name, _REQUIRED) for name in names},
    }
    body.setdefault("__repr__", _show)
    made: Any = type(declared.__name__, declared.__bases__, body)
    made.__qualname__ = declared.__qualname__
    return made  # type: ignore[no-any-return]


def replace(one: _Value, **changes: Any) -> _Value:
    """The same value with some fields put differently."""
    kept = {name: getattr(one, name) for name in fields(one) if name not in changes}
    return type(one)(**kept, **changes)


def fields(one: object) -> tuple[str, ...]:
    """The names of a value's fields, in the order of their declaration."""
    return tuple(getattr(one, _FIELDS))


def as_fields(one: object) -> dict[str, Any]:
    """A value as a dictionary of its fields."""
    return {name: getattr(one, name) for name in fields(one)}


def is_default(one: object, name: str) -> bool:
    """True when a field holds what it would hold if nobody had said anything."""
    default = getattr(one, _FIELDS)[name]
    if isinstance(default, _Factory):
        default = default.make()
    return bool(getattr(one, name) == default)


def is_value(one: object) -> bool:
    """True for a value, false for its class and for everything else."""
    return hasattr(type(one), _FIELDS)


_REQUIRED = object()


def _first_init(self: Any, **given: Any) -> None:
    """Writes the class's own `__init__` when its first value is made, and makes that value with it."""
    made = type(self)
    made.__init__ = _written_init(made)
    made.__init__(self, **given)


def _written_init(made: type) -> Callable[..., None]:
    scope: dict[str, Any] = {}
    signature, lines = [], []
    for name, default in getattr(made, _FIELDS).items():
        scope[f"set_{name}"] = made.__dict__[name].__set__
        given = name
        if isinstance(default, _Factory):
            scope[f"make_{name}"], scope[f"default_{name}"] = default.make, _REQUIRED
            given = f"make_{name}() if {name} is default_{name} else {name}"
        else:
            scope[f"default_{name}"] = default
        signature.append(name if default is _REQUIRED else f"{name}=default_{name}")
        lines.append(f"set_{name}(self, {given})")
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    star = "*, " if signature else ""
    source = f"def __init__(self, {star}{', '.join(signature)}):\n    " + "\n    ".join(lines or ["pass"])
    exec(source, scope)  # noqa: S102 - the source is made of declared names alone
    written: Callable[..., None] = scope["__init__"]
    written.__qualname__ = f"{made.__qualname__}.__init__"
    return written


def _refuse(self: Any, name: str, *_: Any) -> NoReturn:
    raise AttributeError(f"{type(self).__name__}.{name} cannot be changed: values are frozen")


def _parts(one: Any) -> tuple[Any, ...]:
    return tuple(getattr(one, name) for name in getattr(one, _FIELDS))


def _equal(self: Any, other: object) -> bool:
    return type(other) is type(self) and _parts(self) == _parts(other)


def _hash(self: Any) -> int:
    return hash(_parts(self))


def _show(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in getattr(self, _FIELDS))
    return f"{type(self).__qualname__}({shown})"


def _reduce(self: Any) -> tuple[Any, ...]:
    return _restore, (type(self), dict(zip(getattr(self, _FIELDS), _parts(self), strict=True)))


def _restore(made: type, given: dict[str, Any]) -> Any:
    return made(**given)


# Values as plain JSON and back, for what a run writes down between two steps.

_Wanted = TypeVar("_Wanted")


def to_plain(thing: Any) -> Any:
    """What JSON can hold; fields that hold their default are left out."""
    if is_value(thing):
        return {name: to_plain(getattr(thing, name)) for name in fields(thing) if not is_default(thing, name)}
    if isinstance(thing, datetime):
        from memoracle.times import write_time

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
        from memoracle.times import read_time

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
