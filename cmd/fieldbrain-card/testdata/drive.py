"""Drives cars on the software driver, whose device memory the host can read, by what a
learner on a card is given, and prints a checksum of all that they do."""

import ctypes
import gc
import os
import pickle
import signal
import sys
import zlib

from fieldbrain_env import Error, card

cars = card.CardFleet(70, families=["room", "movers"], worlds=4, seed=9)


def view(matrix):
    """The matrix where its CUDA array interface says it is."""
    at = matrix.__cuda_array_interface__
    assert at["typestr"] == "<f8" and at["version"] == 3 and at["data"][1] is False, at
    rows, columns = at["shape"]
    return ((ctypes.c_double * columns) * rows).from_address(at["data"][0])


def tensor(matrix):
    """The capsule and the tensor of the matrix, as one who takes DLPack sees them."""
    capsule = matrix.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return capsule, card._Tensor.from_address(get(capsule, b"dltensor"))


actions, readings, states = view(cars.actions), view(cars.readings), view(cars.states)
for matrix, columns in ((cars.actions, 3), (cars.readings, 8), (cars.states, 8)):
    capsule, t = tensor(matrix)
    assert (t.data, t.device_type, t.ndim, t.code, t.bits, t.lanes) == (matrix.address, card.CUDA, 2, 2, 64, 1)
    assert (t.shape[0], t.shape[1]) == matrix.shape == (70, columns) and not t.strides and t.byte_offset == 0
    assert matrix.__dlpack_device__() == (card.CUDA, 0) and len(card._lent) == 1
    del t, capsule
    gc.collect()
    assert not card._lent, "a capsule that nobody took keeps its memory"
for wishes in ({"copy": True}, {"dl_device": (1, 0)}):
    try:
        cars.states.__dlpack__(**wishes)
        sys.exit("a copy was promised")
    except BufferError:
        pass
for i in range(70):  # what there is before the first step
    assert readings[i][0] == -1 and states[i][7] == 0 and states[i][0] != 0, (i, list(readings[i]), list(states[i]))
capsule, t = tensor(cars.states)
try:
    cars.close()
    sys.exit("memory that is lent was given back")
except Error as e:
    assert "lent" in str(e)
del capsule, t
gc.collect()
capsule, t = tensor(cars.states)  # one who takes it names it anew and deletes it
rename = ctypes.pythonapi.PyCapsule_SetName
rename.restype, rename.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
used = b"used_dltensor"
assert rename(capsule, used) == 0
del capsule
gc.collect()
assert len(card._lent) == 1
ctypes.CFUNCTYPE(None, ctypes.c_void_p)(t.deleter)(ctypes.addressof(t))
assert not card._lent

total = 0
for turn in range(12):
    for i in range(70):
        actions[i][0], actions[i][1], actions[i][2] = 0.2 + i % 8 / 10, 0.3 + i % 5 / 10, 1e-6 * (1300 + (i * 37 + turn * 50) % 400)
    cars.step(40)
    cars.wait()
    total = zlib.crc32(bytes(states), zlib.crc32(bytes(readings), total))
    if turn == 6:
        cars.reset(range(100, 170), [i % 3 == 0 for i in range(70)])
        assert all(states[i][7] == 0 and readings[i][0] == -1 for i in range(0, 70, 3)), "a reset shows after the next step only"
        assert any(states[i][7] > 0 for i in range(1, 70, 3))
pid = os.fork()  # neither Go nor CUDA goes on in a child
if pid == 0:
    signal.alarm(20)
    for call in (lambda: cars.step(1), cars.wait, cars.states.__dlpack__, lambda: card.CardFleet(5), lambda: cars.reset([0] * 70, [1] * 70)):
        try:
            call()
            sys.exit("a forked child drives")
        except Error as e:
            assert "forked" in str(e) and "spawn" in str(e), str(e)
    cars.close()
    cars.close()
    sys.exit(0)
assert os.waitpid(pid, 0)[1] == 0, "a forked child hung or failed"
try:
    pickle.dumps(cars)
    sys.exit("cars on a card were pickled")
except TypeError as e:
    assert "card" in str(e).lower(), str(e)
moved = sum(1 for i in range(70) if states[i][7] > 0.05)

for wrong in (
    lambda: cars.step(-1), lambda: cars.step(2**32 + 5), lambda: card.CardFleet(5, seed=-1), lambda: card.CardFleet(5, worlds=0),
    lambda: cars.reset([1], [1]), lambda: card.CardFleet(0), lambda: card.CardFleet(5, families=["nowhere"]),
    lambda: card.CardFleet(5, profile="P9"), lambda: card.CardFleet(5, worlds=-1), lambda: card.CardFleet(5, profile=None),
    lambda: card.CardFleet("5"), lambda: card.CardFleet(5, families=None), lambda: card.CardFleet(5, test="no"), lambda: cars.step(None),
    lambda: cars.reset(None, 5), lambda: cars.reset("a" * 70, [1] * 70), lambda: cars.reset([1.5] * 70, [1] * 70),
):
    try:
        wrong()
        sys.exit("a mistake was taken")
    except Error as e:
        assert len(str(e)) > 8, str(e)
cars.close()
cars.close()
try:
    cars.step(1)
    sys.exit("a closed fleet was driven")
except Error as e:
    assert "closed" in str(e)
print("%08x %d" % (total, moved))
