"""Values: frozen, slotted, keyword-only, and generated when the first one is made."""

import copy
import pickle

import pytest

from memoracle.model.value import as_fields, field, fields, is_value, replace, value


@value
class Point:
    """Two numbers and a list."""

    x: int
    y: int = 7
    seen: list[int] = field(default_factory=list)


@value
class Empty:
    """Nothing at all."""


@value
class Checked:
    """Refuses what makes no sense."""

    size: int

    def __post_init__(self):
        if self.size < 0:
            raise ValueError(self.size)

    @property
    def double(self):
        return self.size * 2


@value
class Twin:
    """The same fields as a point, another class."""

    x: int
    y: int = 7
    seen: list[int] = field(default_factory=list)


@value
class Key:
    """Something that can stand in a set."""

    name: str
    parts: tuple[str, ...] = ()


def test_fields_have_defaults():
    """What is not given is the default."""
    assert as_fields(Point(x=1)) == {"x": 1, "y": 7, "seen": []}


def test_a_factory_makes_a_default_for_each_value():
    """Two values never share a default that can change."""
    one, other = Point(x=1), Point(x=1)
    one.seen.append(5)
    assert other.seen == []


@pytest.mark.parametrize("given", [{}, {"x": 1, "z": 2}, {"y": 2}])
def test_missing_and_unknown_fields_are_refused(given):
    """As with any function."""
    with pytest.raises(TypeError):
        Point(**given)


@pytest.mark.parametrize("made", [Point, Key, Twin])
def test_fields_are_named(made):
    """Nothing is given by its place, the first time as little as the hundredth."""
    with pytest.raises(TypeError):
        made(1)


@pytest.mark.parametrize("change", [lambda p: setattr(p, "x", 2), lambda p: delattr(p, "x")])
def test_a_value_cannot_be_changed(change):
    """Neither set nor deleted."""
    point = Point(x=1)
    with pytest.raises(AttributeError, match=r"Point\.x cannot be changed"):
        change(point)
    assert point.x == 1


def test_a_value_has_no_room_for_anything_else():
    """Slots: no dictionary, no new attribute."""
    assert not hasattr(Point(x=1), "__dict__")
    with pytest.raises(AttributeError):
        Point(x=1).z = 3


def test_equal_fields_make_equal_values():
    """Of the same class only."""
    assert Point(x=1) == Point(x=1, y=7)
    assert Point(x=1) != Point(x=2)
    assert Point(x=1) != Twin(x=1)
    assert Point(x=1) != (1, 7, [])


def test_equal_values_are_one_key():
    """A hash goes by the fields."""
    assert len({Key(name="a", parts=("b",)), Key(name="a", parts=("b",)), Key(name="a")}) == 2


def test_a_value_with_a_list_in_it_is_no_key():
    """Its hash would change with the list."""
    with pytest.raises(TypeError):
        hash(Point(x=1))


def test_replacing_makes_another_value():
    """The first one stays as it is."""
    one = Point(x=1, seen=[4])
    other = replace(one, y=9)
    assert (as_fields(other), one.y) == ({"x": 1, "y": 9, "seen": [4]}, 7)


def test_replacing_an_unknown_field_is_refused():
    """A typing error does not vanish."""
    with pytest.raises(TypeError):
        replace(Point(x=1), z=2)


def test_replacing_is_checked_like_making():
    """`__post_init__` sees every value."""
    with pytest.raises(ValueError, match="-1"):
        replace(Checked(size=1), size=-1)


def test_post_init_may_refuse():
    """And a value that passed can use its own fields."""
    assert Checked(size=4).double == 8
    with pytest.raises(ValueError, match="-2"):
        Checked(size=-2)


@pytest.mark.parametrize("copied", [lambda v: pickle.loads(pickle.dumps(v)), copy.copy, copy.deepcopy])
def test_values_travel(copied):
    """Through a pickle and through copies."""
    one = Point(x=1, y=2, seen=[3])
    assert copied(one) == one


def test_a_deep_copy_shares_nothing():
    """Its list is its own."""
    one = Point(x=1)
    copy.deepcopy(one).seen.append(1)
    assert one.seen == []


def test_fields_are_named_in_order():
    """As they were declared, for a value and for its class."""
    assert fields(Point(x=1)) == fields(Point) == ("x", "y", "seen")


def test_a_value_knows_that_it_is_one():
    """Its class is none, nor is anything else."""
    assert [is_value(one) for one in (Point(x=1), Empty(), Point, 3, None)] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_value_shows_its_fields():
    """So that a failing test can be read."""
    assert repr(Point(x=1)) == "Point(x=1, y=7, seen=[])"


def test_a_value_without_fields():
    """All of them are equal."""
    assert (Empty(), fields(Empty)) == (Empty(), ())


def test_nothing_is_generated_before_the_first_value():
    """Declaring costs next to nothing; the class writes its own `__init__` when it is used."""

    @value
    class Late:
        x: int

    before = Late.__init__
    Late(x=1)
    assert (before is Late.__init__, Late.__init__.__qualname__.endswith("Late.__init__")) == (False, True)


def test_a_field_may_have_any_name():
    """No name of a field hides what its defaults need."""

    @value
    class Odd:
        fields: tuple[str, ...] = field(default_factory=tuple)
        missing: tuple[str, ...] = ()
        self_made: list[int] = field(default_factory=list)

    assert (Odd().fields, Odd(missing=("x",)).self_made) == ((), [])
