"""Cars on a graphics card, for learners on that card: no number crosses the bus.

    from fieldbrain_env import card
    cars = card.CardFleet(65536, families=["room"])
    actions = torch.from_dlpack(cars.actions)   # or cupy.asarray(cars.actions)
    readings = torch.from_dlpack(cars.readings)
    actions[:, 0] = actions[:, 1] = 0.5
    actions[:, 2] = 1500e-6
    torch.cuda.synchronize()                    # steps run on a stream of their own
    cars.step(40)
    cars.wait()

    cars = card.CardEnv("avoid", 65536)         # the environments, with rewards and episodes
    observations, rewards = torch.from_dlpack(cars.observations), torch.from_dlpack(cars.rewards)
    cars.step()

The library libfieldbrain_card.so (make card) does the work. Columns: see fieldbrain_card.h.
Calls come one at a time, from any thread.
"""

import ctypes
import functools
import os
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

from .arguments import families as _families, flag as _flag, SEEDS, whole as _whole, word as _word
from .errors import Error, Wrong
from .guard import Process, Unshared

VERSION = 2
OK, OPTIONS, HANDLE, MEMORY, SIZE, FAILED = range(6)
CUDA = 2  # kDLCUDA of dlpack.h
TASKS = ("avoid", "goal", "line", "explore")
CAUSES = ("running", "contact", "fall", "lost", "arrived", "time")

# The kinds of numbers: code of dlpack.h (kDLInt 0, kDLUInt 1, kDLFloat 2), bits, and NumPy's name. Seeds are
# lent as signed numbers, which every consumer has: the bits are what counts.
_KINDS = ((2, 64, "<f8"), (2, 32, "<f4"), (0, 64, "<i8"), (0, 32, "<i4"), (1, 8, "|u1"))

_REASONS = {
    OPTIONS: "a wrong option",
    HANDLE: "this fleet is closed",
    MEMORY: "memory is missing",
    SIZE: "library and package are of different versions: run make card again",
    FAILED: "the card failed",
}
_ROOM = 1024


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("cars", c_int32), ("task", c_char_p), ("families", c_char_p), ("profile", c_char_p),
        ("worlds", c_int32), ("test", c_int32), ("first", c_uint64), ("seed", c_uint64), ("hold", c_int32), ("limit", c_int32),
    ]


class _Matrix(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("device", c_int32), ("address", c_uint64), ("rows", c_int64), ("columns", c_int64),
        ("kind", c_int32), ("bytes", c_int32),
    ]


class _Channel(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char * 32), ("unit", ctypes.c_char * 64), ("low", ctypes.c_float), ("high", ctypes.c_float)]


class _Tensor(ctypes.Structure):
    """DLManagedTensor of dlpack.h 0.8, the DLTensor in it written out."""

    _fields_ = [
        ("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8),
        ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64), ("manager_ctx", c_void_p), ("deleter", c_void_p),
    ]


_NAME = b"dltensor"  # a consumer gives the capsule another name, and then calls the deleter itself
_lent = {}  # address of a tensor: the tensor, its shape, and the fleet that must outlive it

# Prototypes of our own: others may have theirs on ctypes.pythonapi.
_new = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_valid = ctypes.PYFUNCTYPE(ctypes.c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


@ctypes.CFUNCTYPE(None, c_void_p)
def _delete(tensor):
    _lent.pop(tensor, None)


@ctypes.PYFUNCTYPE(None, c_void_p)
def _forget(capsule):
    if _valid(capsule, _NAME):
        _lent.pop(_pointer(capsule, _NAME), None)


class Matrix:
    """Numbers in the card's memory, a row per car, for whoever takes DLPack or the CUDA array interface."""

    def __init__(self, fleet, at, flat=False):
        self._fleet = fleet  # whose memory it is
        self.device, self.address = at.device, at.address
        self.shape = (at.rows,) if flat else (at.rows, at.columns)
        self._code, self._bits, self.typestr = _KINDS[at.kind]

    @property
    def __cuda_array_interface__(self):
        """Where it lies, after all steps that were started. Who takes it is not known afterwards: close forgets it."""
        self._fleet.wait()  # raises when it is closed
        return {"shape": self.shape, "typestr": self.typestr, "data": (self.address, False), "version": 3}

    def __dlpack_device__(self):
        return CUDA, self.device

    def __dlpack__(self, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule of it, after all steps that were started: so no stream must wait for another."""
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("this matrix is on CUDA device %d and stays there" % self.device)
        if copy:
            raise BufferError("this matrix is lent as it is: copy what you take")
        self._fleet.wait()
        rank = len(self.shape)
        shape = (c_int64 * rank)(*self.shape)
        tensor = _Tensor(
            self.address, CUDA, self.device, rank, self._code, self._bits, 1, shape, None, 0, None, ctypes.cast(_delete, c_void_p))
        at = ctypes.addressof(tensor)
        _lent[at] = tensor, shape, self._fleet
        return _new(at, _NAME, ctypes.cast(_forget, c_void_p))


def _start_driver():
    """Start CUDA, as the library does while it is loaded: there a failure would end this process."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as e:
        raise Error(FAILED, "there is no CUDA driver: %s; install NVIDIA's" % e) from None
    code = driver.cuInit(0)
    if code != 0:
        raise Error(FAILED, "the CUDA driver does not start: error %d; look at nvidia-smi and CUDA_VISIBLE_DEVICES" % code)


_FUNCTIONS = {
    "version": [],
    "open": [POINTER(_Options), POINTER(c_size_t), c_char_p, c_size_t],
    "close": [c_size_t, c_char_p, c_size_t],
    "get_matrix": [c_size_t, c_int32, POINTER(_Matrix)],
    "step": [c_size_t, c_int32, c_char_p, c_size_t],
    "wait": [c_size_t, c_char_p, c_size_t],
    "reset": [c_size_t, c_void_p, c_void_p, c_char_p, c_size_t],
    "reset_there": [c_size_t, c_int32, c_int32, c_char_p, c_size_t],
    "get_channel": [c_size_t, c_int32, c_int32, POINTER(_Channel)],
}
process = Process("libfieldbrain_card.so", FAILED)


def library():
    """The library, which the first call loads. Refused in a child that was forked afterwards."""
    process.check()
    return _load()


@functools.lru_cache(maxsize=None)
def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    above = os.path.abspath(os.path.join(here, "..", ".."))
    place = os.environ.get("FIELDBRAIN_CARD_LIBRARY") or os.path.join(above, "libfieldbrain_card.so")
    if not os.path.exists(place):
        raise Error(FAILED, "libfieldbrain_card.so is not there: run make card, or set FIELDBRAIN_CARD_LIBRARY; looked at " + place)
    _start_driver()
    process.begin()  # no more does CUDA go on in a forked child
    lib = process.load(place, "fieldbrain_card_", _FUNCTIONS, "run make card, and let FIELDBRAIN_CARD_LIBRARY name what it builds")
    have = lib.fieldbrain_card_version()
    if have != VERSION:
        raise Error(SIZE, "%s has version %d, this package %d: run make card again" % (place, have, VERSION))
    return lib


def _one_each(name, values):
    """A list, or another thing with a length."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise Wrong("%s %r: choose a list with one number for each car" % (name, values))
    return values


class _Cars(Unshared):
    """What cars with a task and without have in common."""

    def _open(self, **wishes):
        self._handle = None
        self._library = library()
        options = _Options(size=ctypes.sizeof(_Options), **wishes)
        handle, why = c_size_t(), ctypes.create_string_buffer(_ROOM)
        self._check(self._library.fieldbrain_card_open(ctypes.byref(options), ctypes.byref(handle), why, _ROOM), why)
        self._handle, self.cars = handle.value, options.cars
        self.seeds, self.mask = self._matrix(3, True), self._matrix(4, True)

    @staticmethod
    def _wishes(cars, profile, worlds, test, first, seed):
        return {
            "cars": _whole("cars", cars, 1, 2**31 - 1), "profile": _word("profile", profile, "choose P1 (five sonars) or P0 (the front one)"),
            "worlds": _whole("worlds", worlds, 1, 2**31 - 1), "test": int(_flag("test", test)),
            "first": _whole("first", first, 1, 2**64 - 1), "seed": _whole("seed", seed, *SEEDS),
        }

    @staticmethod
    def _check(code, why=None):
        if code == OPTIONS:
            raise Wrong((why.value.decode(errors="replace") if why else "") or _REASONS[OPTIONS])
        if code != OK:
            raise Error(code, (why.value.decode(errors="replace") if why else "") or _REASONS.get(code, "unknown code %d" % code))

    @property
    def handle(self):
        process.check()
        if self._handle is None:
            raise Error(HANDLE, _REASONS[HANDLE])
        return self._handle

    def _matrix(self, which, flat=False):
        at = _Matrix(size=ctypes.sizeof(_Matrix))
        self._check(self._library.fieldbrain_card_get_matrix(self.handle, which, ctypes.byref(at)))
        return Matrix(self, at, flat)

    def _call(self, name, *arguments):
        why = ctypes.create_string_buffer(_ROOM)
        self._check(getattr(self._library, "fieldbrain_card_" + name)(self.handle, *arguments, why, _ROOM), why)

    def wait(self):
        """Return when all steps have been taken."""
        self._call("wait")

    def _list(self, what, kind, values):
        """A list from the host, one a car; None stays None."""
        if values is None:
            return None
        if len(values) != self.cars:
            raise Wrong("%d %s for %d cars" % (len(values), what, self.cars))
        return (kind * self.cars)(*values)

    def _reset(self, seeds, mask):
        if seeds is not None:
            seeds = [_whole("seed[%d]" % i, s, *SEEDS) for i, s in enumerate(_one_each("seeds", seeds))]
        if mask is not None:
            mask = _one_each("mask", mask)
            mask = [1 if m else 0 for m in mask]
        self._call("reset", self._list("seeds", c_uint64, seeds), self._list("marks", c_uint8, mask))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):  # nothing is lent then: what is lent keeps the fleet
        try:
            self.close()
        except Exception:  # the interpreter may be gone in parts
            pass

    def close(self):
        """Give the card's memory back. A tensor by DLPack that somebody still has of it forbids that; an array by the
        CUDA array interface is not known, and must not be used afterwards. A forked child only forgets the memory."""
        if process.forked():
            self._handle = None
            return
        lent = sum(1 for entry in list(_lent.values()) if entry[2] is self)
        if lent:
            raise Error(MEMORY, "%d tensors of this fleet are still lent: drop them first" % lent)
        if self._handle is not None:
            why = ctypes.create_string_buffer(_ROOM)
            handle, self._handle = self._handle, None
            self._check(self._library.fieldbrain_card_close(handle, why, _ROOM), why)


class CardFleet(_Cars):
    """Cars that take duties and pulses and go on for ever; actions, readings and states are matrices on the card."""

    def __init__(self, cars, families=("room",), profile="P1", worlds=32, test=False, first=1, seed=0):
        self._open(families=_families(() if families is None else families, "leave it out for room"), **self._wishes(cars, profile, worlds, test, first, seed))
        self.actions, self.readings, self.states = (self._matrix(which) for which in range(3))

    def step(self, steps):
        """Start so many steps of 1 ms under the actions, and return."""
        self._call("step", _whole("steps", steps, 0, 2**31 - 1))

    def reset(self, seeds, mask):
        """Put the cars whose mask is not 0 back at their starts; seeds has one a car. Both come from the host."""
        self._reset(seeds, mask)

    def reset_there(self):
        """Likewise, by the matrices seeds and mask as they lie on the card, once who wrote them is done; return at once."""
        self._call("reset_there", 1, 1)


class CardEnv(_Cars):
    """The environments of CarVectorEnv on a card, bit for bit, in the autoreset mode NEXT_STEP.

    Matrices there: actions (cars x 2, float32), observations (float32), rewards, returns (float32), terminated,
    truncated, causes (uint8), lengths (int32), states (the truth, float64), seeds (int64), mask (uint8).
    """

    metadata = {"render_modes": [], "autoreset_mode": "NextStep"}

    def __init__(self, task="avoid", cars=1, *, families=None, profile="P1", worlds=32, test=False, first=1, seed=0,
                 hold=40, limit=1500):
        self._open(
            task=_word("task", task, "there are " + ", ".join(TASKS)), families=_families(families), hold=_whole("hold", hold, 1, 2**31 - 1),
            limit=_whole("limit", limit, 1, 2**31 - 1), **self._wishes(cars, profile, worlds, test, first, seed))
        self.task, self.num_envs, self.hold, self.limit = task, self.cars, hold, limit
        self.actions, self.states, self.observations = (self._matrix(which) for which in (0, 2, 5))
        self.rewards, self.terminated, self.truncated, self.returns, self.lengths, self.causes = (
            self._matrix(which, True) for which in range(6, 12))
        self.action_channels = self._channels(0, self.actions.shape[1])
        self.observation_channels = self._channels(1, self.observations.shape[1])

    def _channels(self, which, count):
        """Name, unit, low and high of each number of an action or observation."""
        out = []
        for n in range(count):
            channel = _Channel()
            self._check(self._library.fieldbrain_card_get_channel(self.handle, which, n, ctypes.byref(channel)))
            out.append((channel.name.decode(), channel.unit.decode(), channel.low, channel.high))
        return tuple(out)

    def step(self, steps=1):
        """Start so many steps of hold ms, 300 at most, under the same actions, and return."""
        self._call("step", _whole("steps", steps, 0, 2**31 - 1))

    def reset(self, seed=None, mask=None):
        """Begin new episodes, of all cars or those whose mask is not 0. Car i takes seed + i, or seed[i]; without a
        seed it goes on with its next episode. Both come from the host."""
        if seed is not None and (isinstance(seed, (str, bytes)) or not hasattr(seed, "__len__")):
            seed = [(_whole("seed", seed, *SEEDS) + i) % 2**64 for i in range(self.cars)]
        self._reset(seed, mask)

    def reset_there(self, seeded=False, masked=True):
        """Likewise, by the matrices seeds and mask as they lie on the card, once who wrote them is done; return at once."""
        self._call("reset_there", int(_flag("seeded", seeded)), int(_flag("masked", masked)))
