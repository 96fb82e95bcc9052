"""Many cars at once."""

import ctypes

import numpy as np

from . import arguments, bindings as c
from .guard import Turn, Unshared, interruptible
from .spaces import AutoresetMode, Box, VectorEnv, batch_space

TASKS = ("avoid", "goal", "line", "explore")
CAUSES = ("running", "contact", "fall", "lost", "arrived", "time")


def _part(name, what):
    """An array of the memory that the library works on: another in its place would be read by nobody."""
    def get(self):
        return self._views[name]

    def put(self, value):
        if value is not self._views[name]:  # what += leaves
            raise AttributeError("%s is memory that the library works on: write into it, env.%s[:] = ..." % (name, name))

    return property(get, put, doc=what)


class CarVectorEnv(Unshared, VectorEnv):
    """N cars with one task, in the autoreset mode NEXT_STEP.

    Arrays that reset and step return are views of one memory: the next step writes
    over them, so copy what you keep, or say copy=True. A step's actions may be written
    into `actions` instead of being handed over, which saves their copy. Calls come one
    at a time; one that comes during another is refused.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    actions = _part("actions", "What the cars are told next: cars x 2, m/s and rad.")
    observations = _part("observations", "What they observe.")
    rewards = _part("rewards", "Of the last step.")
    terminated = _part("terminated", "Whether the task ended an episode.")
    truncated = _part("truncated", "Whether time did.")
    returns = _part("returns", "Sums of an episode's rewards.")
    lengths = _part("lengths", "Steps of an episode.")
    causes = _part("causes", "Numbers in CAUSES.")

    def __init__(self, task="avoid", num_envs=1, *, families=None, profile="P1", isa=None, worlds=32, test_set=False,
                 first=1, hold=40, limit=1500, threads=1, copy=False, render_mode=None):
        self._handle, self._turn, self._process = 0, Turn(), c.process
        if render_mode is not None:
            raise c.Wrong("render_mode %r: there is no picture, leave it out" % (render_mode,))
        numbers = {"num_envs": num_envs, "worlds": worlds, "first": first, "hold": hold, "limit": limit, "threads": threads}
        numbers = {name: arguments.whole(name, value, *arguments.LIMITS[name]) for name, value in numbers.items()}
        cars = numbers.pop("num_envs")
        self.copy = arguments.flag("copy", copy)
        options = c.Options(
            size=ctypes.sizeof(c.Options), cars=cars, test=arguments.flag("test_set", test_set),
            task=arguments.word("task", task, "there are " + ", ".join(TASKS)), families=arguments.families(families),
            profile=arguments.word("profile", profile, "choose P1 (five sonars) or P0 (the front one)"),
            isa=None if isa is None else arguments.word("isa", isa, "choose avx512, avx2, sse, neon or go, or None for the best"),
            **numbers)
        handle, why = ctypes.c_size_t(), ctypes.create_string_buffer(2048)
        self._lib = c.library()
        code = interruptible(  # many worlds take long
            lambda: self._lib.fieldbrain_env_open(ctypes.byref(options), ctypes.byref(handle), why, len(why)),
            lambda code: code or self._lib.fieldbrain_env_close(handle))
        c.check(code, why.value.decode(errors="replace"))
        self._handle = handle.value
        shape = c.Shape(size=ctypes.sizeof(c.Shape))
        c.check(self._lib.fieldbrain_env_get_shape(self._handle, ctypes.byref(shape)))
        self.task, self.num_envs, self.isa = task, cars, shape.isa.decode()
        self.hold, self.limit = shape.hold, shape.limit
        self.action_channels = self._channels(0, shape.actions)
        self.observation_channels = self._channels(1, shape.observations)
        self.single_action_space, self.single_observation_space = _box(self.action_channels), _box(self.observation_channels)
        self.action_space = batch_space(self.single_action_space, cars)
        self.observation_space = batch_space(self.single_observation_space, cars)
        self._own(cars, shape.actions, shape.observations)

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
        floats, bytes_ = (lambda *shape: np.zeros(shape, np.float32)), (lambda: np.zeros(cars, np.uint8))
        parts = {
            "actions": floats(cars, actions), "observations": floats(cars, observations), "rewards": floats(cars),
            "terminated": bytes_(), "truncated": bytes_(), "returns": floats(cars), "lengths": np.zeros(cars, np.int32),
            "causes": bytes_(),
        }
        memory = c.Memory(size=ctypes.sizeof(c.Memory), **{name: a.ctypes.data for name, a in parts.items()})
        c.check(self._lib.fieldbrain_env_use(self._handle, ctypes.byref(memory)))
        self._views = {**parts, "terminated": parts["terminated"].view(np.bool_), "truncated": parts["truncated"].view(np.bool_)}
        self._known = np.zeros(cars, bool)  # which have been reset

    def _open(self):
        """Raise where no call may enter the library."""
        self._process.check()
        if not self._handle:
            raise c.Error(c.HANDLE)

    def reset(self, *, seed=None, options=None):
        """Begin new episodes. Car i takes seed + i, or seed[i]; without a seed (None) it goes on with its next
        episode, and begins anywhere the first time. options={"reset_mask": bools} resets some of the cars."""
        with self._turn:
            self._open()
            seeds, given = arguments.seeds(seed, self.num_envs)
            mask = arguments.mask(options, self.num_envs)
            super().reset(seed=int(seeds[0]) if given.all() and np.ndim(seed) == 0 else None)
            mask = np.ones(self.num_envs, bool) if mask is None else mask
            first = mask & ~given & ~self._known
            if first.any():
                drawn = np.uint64(self.np_random.integers(2**63)) + np.arange(self.num_envs, dtype=np.uint64)
                seeds, given = np.where(first, drawn, seeds), given | first
            for some, numbers in ((mask & given, seeds.ctypes.data), (mask & ~given, None)):
                if some.any():
                    c.check(self._lib.fieldbrain_env_reset(self._handle, numbers, some.ctypes.data))
            self._known |= mask
            return self.observations.copy() if self.copy else self.observations, {}

    def step(self, actions=None):
        """Let every car act: by actions, or by what was written into self.actions."""
        with self._turn:
            self._open()
            views = self._views
            if actions is not None and actions is not views["actions"]:
                arguments.copy_into(views["actions"], actions)
            code = self._lib.fieldbrain_env_step(self._handle)
            if code != c.OK:
                c.check(code)
            infos, causes = {}, views["causes"]
            if causes.any():
                ended = causes != 0
                infos = {  # Gymnasium's own wrappers add "episode"
                    "episode_return": views["returns"].copy(), "_episode_return": ended,
                    "episode_length": views["lengths"].copy(), "_episode_length": ended,
                    "cause": causes.copy(), "_cause": ended,
                }
            told = views["observations"], views["rewards"], views["terminated"], views["truncated"]
            if self.copy:
                told = tuple(part.copy() for part in told)
            return told + (infos,)

    def poses(self):
        """The truth, for pictures and judges: x, y (m), heading (rad), speed (m/s)."""
        with self._turn:
            self._open()
            out = np.empty((self.num_envs, 4), np.float32)
            c.check(self._lib.fieldbrain_env_poses(self._handle, out.ctypes.data))
            return out

    def world(self, car):
        """Which world a car is in: the family's name and the member's seed."""
        with self._turn:
            self._open()
            car = arguments.whole("car", car, 0, self.num_envs - 1)
            name, seed = ctypes.create_string_buffer(64), ctypes.c_uint64()
            c.check(self._lib.fieldbrain_env_world(self._handle, car, name, len(name), ctypes.byref(seed)))
            return name.value.decode(), seed.value

    def render(self):
        """There is no picture."""

    def close(self, **_):
        """End it. It may be called again. A forked child only forgets it."""
        with self._turn:
            self._end()

    def _end(self):
        handle, self._handle, self.closed = self._handle, 0, True
        if handle and not self._process.forked():
            self._lib.fieldbrain_env_close(handle)

    def __del__(self):  # nobody is in a call of it then
        if getattr(self, "_handle", 0):
            self._end()


def _box(channels):
    return Box(np.array([ch[2] for ch in channels], np.float32), np.array([ch[3] for ch in channels], np.float32),
               dtype=np.float32)
