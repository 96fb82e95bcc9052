"""The C library, as fieldbrain_env.h has it."""

import ctypes
import functools
import os
from ctypes import POINTER, c_char, c_char_p, c_float, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

from .errors import BUSY, Error, FAILED, HANDLE, MEMORY, OK, OPTIONS, RESET, SIZE, Wrong, check
from .guard import Process

VERSION = 1


class Options(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("cars", c_int32), ("task", c_char_p), ("families", c_char_p), ("profile", c_char_p),
        ("isa", c_char_p), ("worlds", c_int32), ("test", c_int32), ("first", c_uint64), ("hold", c_int32),
        ("limit", c_int32), ("threads", c_int32),
    ]


class Shape(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("cars", c_int32), ("actions", c_int32), ("observations", c_int32), ("hold", c_int32),
        ("limit", c_int32), ("worlds", c_int32), ("threads", c_int32), ("autoreset", c_int32), ("isa", c_char * 16),
    ]


class Channel(ctypes.Structure):
    _fields_ = [("name", c_char * 32), ("unit", c_char * 48), ("low", c_float), ("high", c_float)]


class Memory(ctypes.Structure):
    _fields_ = [("size", c_uint32)] + [
        (name, c_void_p)
        for name in ("actions", "observations", "rewards", "terminated", "truncated", "returns", "lengths", "causes")
    ]


_FUNCTIONS = {
    "version": [],
    "open": [POINTER(Options), POINTER(c_size_t), c_char_p, c_size_t],
    "close": [c_size_t],
    "get_shape": [c_size_t, POINTER(Shape)],
    "get_channel": [c_size_t, c_int32, c_int32, POINTER(Channel)],
    "use": [c_size_t, POINTER(Memory)],
    "reset": [c_size_t, c_void_p, c_void_p],
    "step": [c_size_t],
    "poses": [c_size_t, c_void_p],
    "world": [c_size_t, c_int32, c_char_p, c_size_t, POINTER(c_uint64)],
    "cause_name": [c_int32, c_char_p, c_size_t],
}


def places():
    """Where the library is looked for, in turn."""
    named = os.environ.get("FIELDBRAIN_ENV_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    name = "libfieldbrain_env.so"
    above = os.path.abspath(os.path.join(here, "..", ".."))  # bin, where make env puts both
    source = os.path.abspath(os.path.join(above, "..", "..", "..", "bin"))  # from the source tree
    return [os.path.join(folder, name) for folder in (here, above, source)]


process = Process("libfieldbrain_env.so", FAILED)


def library():
    """The library, which the first call loads. Refused in a child that was forked afterwards."""
    process.check()
    return _load()


@functools.lru_cache(maxsize=None)
def _load():
    found = [path for path in places() if os.path.exists(path)]
    if not found:
        raise Error(FAILED, "libfieldbrain_env.so is not there: run make env, or set FIELDBRAIN_ENV_LIBRARY; looked at "
                    + ", ".join(places()))
    lib = process.load(found[0], "fieldbrain_env_", _FUNCTIONS, "run make env, and let FIELDBRAIN_ENV_LIBRARY name what it builds")
    have = lib.fieldbrain_env_version()
    if have != VERSION:
        raise Error(SIZE, "%s has version %d, this package %d: run make env again" % (found[0], have, VERSION))
    return lib
