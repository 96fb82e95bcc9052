"""Many cars at once."""

import ctypes

import numpy as np

from . import bindings as c
from .spaces import AutoresetMode, Box, HAVE_GYMNASIUM, VectorEnv, batch_space

TASKS = ("avoid", "goal", "line", "explore")
CAUSES = ("running", "contact", "fall", "lost", "arrived", "time")


class CarVectorEnv(VectorEnv):
    """N cars with one task, in the autoreset mode NEXT_STEP.

    Arrays that reset and step return are views of one memory: the next step writes
    over them, so copy what you keep. A step's actions may be written into `actions`
    instead of being handed over, which saves their copy.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, task="avoid", num_envs=1, *, families=None, profile="P1", isa=None, worlds=32, test_set=False,
                 first=1, hold=40, limit=1500, threads=1):
        self._lib, self._handle = c.library(), 0
        options = c.Options(
            size=ctypes.sizeof(c.Options), cars=num_envs, task=task.encode(), worlds=worlds, test=bool(test_set),
            first=first, hold=hold, limit=limit, threads=threads, profile=profile.encode(),
            families=",".join(families).encode() if families else None, isa=isa.encode() if isa else None)
        handle, why = ctypes.c_size_t(), ctypes.create_string_buffer(2048)
        code = self._lib.fieldbrain_env_open(ctypes.byref(options), ctypes.byref(handle), why, len(why))
        if code != c.OK:
            raise c.Error(code, why.value.decode())
        self._handle = handle.value
        shape = c.Shape(size=ctypes.sizeof(c.Shape))
        c.check(self._lib.fieldbrain_env_get_shape(self._handle, ctypes.byref(shape)))
        self.task, self.num_envs, self.isa = task, num_envs, shape.isa.decode()
        self.hold, self.limit = shape.hold, shape.limit
        self.action_channels = self._channels(0, shape.actions)
        self.observation_channels = self._channels(1, shape.observations)
        self.single_action_space, self.single_observation_space = _box(self.action_channels), _box(self.observation_channels)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._own(num_envs, shape.actions, shape.observations)

    def _channels(self, which, count):
        """Name, unit, low and high of each number of an action or observation."""
        out = []
        for n in range(count):
            channel = c.Channel()
            c.check(self._lib.fieldbrain_env_get_channel(self._handle, which, n, ctypes.byref(channel)))
            out.append((channel.name.decode(), channel.unit.decode(), channel.low, channel.high))
        return tuple(out)

    def _own(self, cars, actions, observations):
        """Make the memory and hand it to the library."""
        self.actions = np.zeros((cars, actions), np.float32)
        self.observations = np.zeros((cars, observations), np.float32)
        self.rewards, self.returns = np.zeros(cars, np.float32), np.zeros(cars, np.float32)
        ended, timed = np.zeros(cars, np.uint8), np.zeros(cars, np.uint8)
        self.lengths, self.causes = np.zeros(cars, np.int32), np.zeros(cars, np.uint8)
        self._parts = {
            "actions": self.actions, "observations": self.observations, "rewards": self.rewards, "terminated": ended,
            "truncated": timed, "returns": self.returns, "lengths": self.lengths, "causes": self.causes,
        }
        self.terminated, self.truncated = ended.view(np.bool_), timed.view(np.bool_)
        memory = c.Memory(size=ctypes.sizeof(c.Memory), **{name: a.ctypes.data for name, a in self._parts.items()})
        c.check(self._lib.fieldbrain_env_use(self._handle, ctypes.byref(memory)))

    def reset(self, *, seed=None, options=None):
        """Begin new episodes. Car i takes seed + i, or seed[i]; without a seed it goes on
        with its next episode. options={"reset_mask": bools} resets some of the cars."""
        if not self._handle:
            raise c.Error(c.HANDLE)
        if HAVE_GYMNASIUM:
            super().reset(seed=seed if isinstance(seed, (int, np.integer)) else None)
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            mask = np.ascontiguousarray(mask, np.uint8)
            if mask.shape != (self.num_envs,):
                raise ValueError("reset_mask has the shape %s: %d cars need one each" % (mask.shape, self.num_envs))
        if seed is not None:
            if np.ndim(seed) == 0:
                seed = np.uint64(seed) + np.arange(self.num_envs, dtype=np.uint64)
            seed = np.ascontiguousarray(seed, np.uint64)
            if seed.shape != (self.num_envs,):
                raise ValueError("%s seeds for %d cars" % (seed.shape, self.num_envs))
        c.check(self._lib.fieldbrain_env_reset(self._handle, _pointer(seed), _pointer(mask)))
        return self.observations, {}

    def step(self, actions=None):
        """Let every car act: by actions, or by what was written into self.actions."""
        if actions is not None and actions is not self.actions:
            actions = np.asarray(actions)
            if actions.shape != self.actions.shape:
                raise ValueError("actions have the shape %s, not %s" % (actions.shape, self.actions.shape))
            np.copyto(self.actions, actions, casting="same_kind")
        code = self._lib.fieldbrain_env_step(self._handle)
        if code != c.OK:
            raise c.Error(code)
        infos = {}
        if self.causes.any():
            ended = self.causes != 0
            infos = {  # Gymnasium's own wrappers add "episode"
                "episode_return": self.returns.copy(), "_episode_return": ended,
                "episode_length": self.lengths.copy(), "_episode_length": ended,
                "cause": self.causes.copy(), "_cause": ended,
            }
        return self.observations, self.rewards, self.terminated, self.truncated, infos

    def poses(self):
        """The truth, for pictures and judges: x, y (m), heading (rad), speed (m/s)."""
        out = np.empty((self.num_envs, 4), np.float32)
        c.check(self._lib.fieldbrain_env_poses(self._handle, out.ctypes.data))
        return out

    def world(self, car):
        """Which world a car is in: the family's name and the member's seed."""
        name, seed = ctypes.create_string_buffer(64), ctypes.c_uint64()
        c.check(self._lib.fieldbrain_env_world(self._handle, car, name, len(name), ctypes.byref(seed)))
        return name.value.decode(), seed.value

    def render(self):
        """There is no picture."""

    def close(self, **_):
        """End it. It may be called again."""
        if self._handle:
            self._lib.fieldbrain_env_close(self._handle)
            self._handle = 0

    def __del__(self):
        if getattr(self, "_handle", 0):
            self.close()


def _box(channels):
    return Box(np.array([ch[2] for ch in channels], np.float32), np.array([ch[3] for ch in channels], np.float32),
               dtype=np.float32)


def _pointer(array):
    return None if array is None else array.ctypes.data
