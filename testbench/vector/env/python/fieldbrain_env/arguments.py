"""Arguments as C's types hold them. What is not taken is refused with what there is."""

import operator
from collections.abc import Mapping

import numpy as np

from .errors import Wrong

SEEDS = 0, 2**64 - 1
# The library's limits. TestPython compares them.
LIMITS = {"num_envs": (1, 2**20), "worlds": (1, 4096), "hold": (1, 1000), "limit": (1, 10**6), "threads": (1, 256), "first": (1, 2**64 - 1)}


def whole(name, value, low, high, remedy=""):
    """A whole number within limits: ctypes would cut it off silently."""
    try:
        number = None if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise Wrong("%s %r: choose a whole number from %d to %d%s" % (name, value, low, high, remedy))
    return number


def flag(name, value):
    """True or False: every other word would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise Wrong("%s %r: choose True or False" % (name, value))
    return bool(value)


def word(name, value, remedy):
    """A name as C takes it."""
    if not isinstance(value, str) or not value or "\0" in value:
        raise Wrong("%s %r: %s" % (name, value, remedy))
    return value.encode(errors="backslashreplace")


def families(value, default="leave it out for the task's own"):
    """Names of families, joined by commas: a name, or a list of some. None stays None."""
    if value is None:
        return None
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not names:
        raise Wrong("families %r: choose a list of names such as [\"room\"], or %s" % (value, default))
    for name in names:
        word("families: the name", name, "choose a word such as \"room\"")
        if "," in name:
            raise Wrong("families: the name %r: let every name be one of the list" % name)
    return ",".join(names).encode(errors="backslashreplace")


def seeds(value, cars):
    """A seed of each car, and which cars have one: the others go on with their sequences."""
    if value is None:
        return np.zeros(cars, np.uint64), np.zeros(cars, bool)
    if hasattr(value, "__array__"):
        value = np.asarray(value)
    if np.ndim(value) == 0 if isinstance(value, np.ndarray) else not isinstance(value, (list, tuple, range)):
        first = whole("seed", value, *SEEDS, ", or a list with one for each of %d cars" % cars)
        return np.uint64(first) + np.arange(cars, dtype=np.uint64), np.ones(cars, bool)
    if len(value) != cars:
        raise Wrong("seed has %d numbers: %d cars need one each, or one number for all" % (len(value), cars))
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.ndim == 1 and (value >= 0).all():
        return value.astype(np.uint64), np.ones(cars, bool)
    given = np.array([s is not None for s in value], bool)
    numbers = [0 if s is None else whole("seed[%d]" % i, s, *SEEDS, ", or None to go on") for i, s in enumerate(value)]
    return np.array(numbers, np.uint64), given


def mask(options, cars):
    """Which cars options["reset_mask"] names; None for all."""
    if options is None:
        return None
    known(options, "reset_mask")
    value = options.get("reset_mask")
    if value is None:
        return None
    try:
        given = np.asarray(value)
    except ValueError:  # lists of unequal lengths
        given = np.empty(0, object)
    if given.shape != (cars,):
        raise Wrong("reset_mask has the shape %s: %d cars need one True or False each" % (given.shape, cars))
    if given.dtype.kind not in "biu" or not ((given == 0) | (given == 1)).all():
        raise Wrong("reset_mask of %s: choose one True or False for each of %d cars" % (given.dtype, cars))
    return given.astype(bool)


def known(options, *keys):
    """Complain about options of a reset that nobody reads."""
    there = "there is " + ", ".join(keys) if keys else "a single car has none, leave them out"
    if not isinstance(options, Mapping):
        raise Wrong("options %r: choose a dictionary or None; %s" % (options, there))
    for key in options:
        if key not in keys:
            raise Wrong("options has %r, which is not known: %s" % (key, there))


def copy_into(room, actions):
    """Write numbers where the library reads them."""
    try:
        given = np.asarray(actions)
    except ValueError:  # lists of unequal lengths
        given = np.empty(0, object)
    if given.shape != room.shape:
        raise Wrong("actions have the shape %s, not %s" % (given.shape, room.shape))
    if given.dtype.kind not in "iuf":
        raise Wrong("actions of %s: choose float32, m/s and rad" % given.dtype)
    np.copyto(room, given, casting="same_kind")
