"""Wants every wrong argument refused with its name and a remedy, whatever its type."""

import copy
import os
import pickle
import sys

import numpy as np

from fieldbrain_env import CarEnv, CarVectorEnv, Error, Wrong, arguments, bindings, card

HUGE = 2**32 + 2


def refused(does, *says, kind=Wrong):
    """What does must raise an error of a kind that says some words."""
    try:
        does()
    except kind as e:
        missing = [word for word in says if word not in str(e)]
        assert not missing, (says, str(e))
    else:
        raise AssertionError("taken: %s" % (says,))


def opens():
    """The arguments of the constructors."""
    for name in ("num_envs", "worlds", "first", "hold", "limit", "threads"):
        low, high = arguments.LIMITS[name]
        for value in (0, -1, HUGE if high < HUGE else 2**64, 2**64 + 1, 2**40 if high < HUGE else 2**70, True, 1.0, "3", None, float("nan")):
            refused(lambda: CarVectorEnv("avoid", **{name: value}), name, repr(value), "choose a whole number from %d to %d" % (low, high))
    for name, value, says in (
        ("task", None, "explore"), ("task", "", "explore"), ("task", b"goal", "explore"), ("task", "goal\0", "explore"), ("task", "swim", "explore"),
        ("profile", None, "P0"), ("profile", "", "P0"), ("profile", 1, "P0"), ("profile", "P9", "P0"),
        ("isa", "", "avx2"), ("isa", 1, "avx2"), ("isa", "mmx", "mmx"),
        ("test_set", "no", "True or False"), ("test_set", 1, "True or False"), ("copy", "no", "True or False"),
        ("families", [], "room"), ("families", {"room"}, "list of names"), ("families", 5, "list of names"), ("families", [1], "word"),
        ("families", "", "word"), ("families", [""], "word"), ("families", ["room,legs"], "one of the list"), ("families", ["ro\0om"], "word"),
        ("families", "rom", "did you mean room"), ("families", ["room-p0"], "profile P0"), ("render_mode", "human", "leave it out"),
    ):
        refused(lambda: CarVectorEnv(**{"worlds": 1, name: value}), says)
    refused(lambda: CarVectorEnv("avoid", families=["nowhere"], worlds=1), "nowhere", "room, legs")
    refused(lambda: CarEnv(num_envs=3), "num_envs", "CarVectorEnv")
    refused(lambda: CarEnv(copy=False), "copy", "leave it out")
    refused(lambda: CarEnv(render_mode="human"), "render_mode", "leave it out")


def resets():
    """The arguments of reset."""
    cars = CarVectorEnv("avoid", 4, worlds=2)
    for seed in (-1, 2**64, 1.5, "3", "1234", True, {}, {1, 2, 3, 4}, np.float64(2), np.array(2.5)):
        refused(lambda: cars.reset(seed=seed), "seed", "choose a whole number from 0 to 18446744073709551615", "4 cars")
    for seeds, place in (([-1, 1, 2, 3], 0), ([0, 1.9, 2, 3], 1), (["1", 2, 3, 4], 0), ([0, 1, 2, 2**64], 3), ([0, True, 2, 3], 1),
                         (np.array([1, -2, 3, 4]), 1), (np.arange(4.0), 0), ([[1], [2], [3], [4]], 0)):
        refused(lambda: cars.reset(seed=seeds), "seed[%d]" % place, "choose a whole number", "None")
    for seeds in ([], [1, 2, 3], range(5), np.arange(3)):
        refused(lambda: cars.reset(seed=seeds), "4 cars need one each")
    for mask in ([0.5] * 4, np.ones(4), [256, 0, 0, 0], [-1, 0, 0, 0], ["a", "b", "c", "d"], [None] * 4):
        refused(lambda: cars.reset(options={"reset_mask": mask}), "reset_mask", "True or False")
    for mask in ([True], True, "abcd", [[True], [True, False]]):
        refused(lambda: cars.reset(options={"reset_mask": mask}), "reset_mask", "4 cars")
    for options in ([1], 5, "abc", True):
        refused(lambda: cars.reset(options=options), "options", "dictionary")
    refused(lambda: cars.reset(options={"mask": [True] * 4}), "'mask'", "reset_mask")
    refused(lambda: cars.step(np.zeros((4, 2))), "reset before step", kind=Error)  # nothing of the above has reset them
    cars.reset(seed=1)
    for actions in (np.zeros((4, 2), complex), np.zeros((4, 2), object), [["a", "b"]] * 4, np.zeros((4, 2), bool), np.zeros((2, 4)), [[0, 0], [0]], 0):
        refused(lambda: cars.step(actions), "actions")
    for car in (-1, 4, 2**32, 1.0, "x", None, True):
        refused(lambda: cars.world(car), "car", "choose a whole number from 0 to 3")
    assert cars.world(np.int64(3))[0] in ("room", "legs")
    one = CarEnv("avoid", worlds=1)
    for seed in (-1, 2**64, 1.5, [1], True, "x"):
        refused(lambda: one.reset(seed=seed), "seed", "choose a whole number from 0 to")
    one.reset(seed=1)
    for action in (0, None, "x", ["a", "b"], [1j, 0], [0, 0, 0], [None, 0]):
        refused(lambda: one.step(action), "actions")
    assert np.allclose(one.step([0.25, 0])[0][-2:], [0.25, 0])
    refused(lambda: one.reset(options={"reset_mask": [True]}), "reset_mask", "leave them out")
    refused(lambda: one.reset(options=5), "options", "dictionary")


def views():
    """Memory of the library's is written into, and not replaced; environments are not copied."""
    cars, one = CarVectorEnv("avoid", 2, worlds=1), CarEnv("avoid", worlds=1)
    cars.reset(seed=1)
    for name in ("actions", "observations", "rewards", "terminated", "truncated", "returns", "lengths", "causes"):
        refused(lambda: setattr(cars, name, np.zeros((2, 2))), "env.%s[:] = " % name, kind=AttributeError)
    cars.actions[:] = 0.25
    cars.actions += 0.05
    assert np.allclose(cars.step()[0][:, -2:], 0.3)
    for env in (cars, one):
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            refused(lambda: way(env), type(env).__name__, "the same seed", kind=TypeError)
    cars.step()
    assert cars.closed is False
    cars.close()
    assert cars.closed is True
    for late in (cars.step, cars.reset, cars.poses, lambda: cars.world(0)):
        refused(late, "closed", kind=Error)
    error = pickle.loads(pickle.dumps(Wrong("so")))
    assert str(error) == "so" and error.code == bindings.OPTIONS


def library(path):
    """A library that is none; and wrong arguments of cars on a card, which come before its library."""
    for wanted in (path, os.path.dirname(path)):
        os.environ["FIELDBRAIN_ENV_LIBRARY"] = wanted
        bindings._load.cache_clear()
        refused(lambda: CarVectorEnv(), wanted, "is no libfieldbrain_env.so", "make env", "FIELDBRAIN_ENV_LIBRARY", kind=Error)
    refused(lambda: card.CardEnv("avoid", True), "cars", "choose a whole number")
    refused(lambda: card.CardEnv("avoid", 4, families={"room"}), "list of names")
    refused(lambda: card.CardEnv("avoid", 4, test="no"), "True or False")
    refused(lambda: card.CardEnv(None, 4), "explore")


opens()
resets()
views()
library(sys.argv[1])
print(" ".join("%s %d" % (name, high) for name, (_, high) in sorted(arguments.LIMITS.items()) if name != "first"))
