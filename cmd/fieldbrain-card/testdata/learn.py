"""Lets cars with a task act on the software driver, whose device memory the host can read, by
what a learner on a card is given, and prints a checksum of all that it is told."""

import ctypes
import sys
import zlib

from fieldbrain_env import Error, card

CARS = 60
cars = card.CardEnv("goal", CARS, families=["skewed", "crossing"], worlds=4, seed=9, hold=120, limit=30)
TYPES = {"<f8": ctypes.c_double, "<f4": ctypes.c_float, "<i8": ctypes.c_int64, "<i4": ctypes.c_int32, "|u1": ctypes.c_uint8}


def view(matrix):
    """The matrix where its CUDA array interface says it is, and as DLPack has it."""
    at = matrix.__cuda_array_interface__
    kind = TYPES[at["typestr"]]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = matrix.__dlpack__()
    t = card._Tensor.from_address(get(capsule, b"dltensor"))
    code = 2 if at["typestr"][1] == "f" else 1 if at["typestr"][1] == "u" else 0
    assert (t.data, t.ndim, t.code, t.bits, t.lanes) == (at["data"][0], len(at["shape"]), code, 8 * ctypes.sizeof(kind), 1)
    assert tuple(t.shape[i] for i in range(t.ndim)) == at["shape"] == matrix.shape
    for length in reversed(at["shape"]):
        kind = kind * length
    return kind.from_address(at["data"][0])


names = [name for name, _, _, _ in cars.observation_channels]
assert names[0] == "range_front" and names[-1] == "beacon_size" and len(names) == cars.observations.shape[1], names
assert [c[0] for c in cars.action_channels] == ["speed", "steering"] and cars.action_channels[0][1] == "m/s"
actions, seeds, mask = view(cars.actions), view(cars.seeds), view(cars.mask)
told = [view(m) for m in (cars.observations, cars.rewards, cars.terminated, cars.truncated, cars.returns, cars.lengths, cars.causes)]
observations, causes, lengths = told[0], told[6], told[5]

total, ends = 0, 0
for turn in range(70):
    for i in range(CARS):
        actions[i][0] = (i % 7) / 20
        actions[i][1] = observations[i][len(names) - 2] if i % 2 else (i + turn) % 9 / 20 - 0.2
    cars.step()
    cars.wait()
    for part in told:
        total = zlib.crc32(bytes(part), total)
    ends += sum(1 for c in causes if c)
    if turn == 20:  # from the host
        cars.reset(seed=range(100, 100 + CARS), mask=[i % 3 == 0 for i in range(CARS)])
        assert lengths[0] == 0 and lengths[1] > 0
    if turn == 40:  # as it lies on the card
        for i in range(CARS):
            seeds[i], mask[i] = 7 * i, i % 5 == 0
        cars.reset_there(seeded=True)
        cars.wait()
    if turn == 50:
        cars.reset_there(masked=False)
        cars.wait()
    if turn == 60:
        cars.reset(seed=2**64 - 3)

for wrong in (
    lambda: cars.step(-1), lambda: card.CardEnv("fly", 5), lambda: card.CardEnv("goal", 5, families=["room"]),
    lambda: card.CardEnv("avoid", 5, hold=5000), lambda: cars.reset(seed=[1]), lambda: cars.reset(mask=[1]),
    lambda: card.CardEnv("", 5), lambda: card.CardFleet(5, families=[]), lambda: cars.step(301), lambda: card.CardEnv("avoid", 5, families=""),
    lambda: card.CardEnv("avoid", 0), lambda: cars.reset(seed=-1), lambda: card.CardEnv("avoid", 5, families=["nowhere"]),
):
    try:
        wrong()
        sys.exit("a mistake was taken")
    except Error as e:
        assert len(str(e)) > 8, str(e)
cars.close()
try:
    cars.reset()
    sys.exit("a closed environment was reset")
except Error as e:
    assert "closed" in str(e)
print("%08x %d" % (total, ends))
