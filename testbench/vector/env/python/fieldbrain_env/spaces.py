"""Gymnasium's classes where it is installed, and what stands in for them elsewhere."""

import warnings

import numpy as np

NO_GYMNASIUM = ""  # why there is none
try:
    import gymnasium
except ModuleNotFoundError as e:
    NO_GYMNASIUM = "Gymnasium is not installed: python3 -m pip install 'gymnasium>=1.1'"
    if e.name != "gymnasium":
        NO_GYMNASIUM = "Gymnasium does not load: %s" % e
        warnings.warn(NO_GYMNASIUM)
else:
    try:
        from gymnasium.spaces import Box
        from gymnasium.vector import AutoresetMode, VectorEnv
        from gymnasium.vector.utils import batch_space

        Env = gymnasium.Env
    except (ImportError, AttributeError) as e:
        NO_GYMNASIUM = "Gymnasium %s does not fit, 1.1 or newer does: %s" % (getattr(gymnasium, "__version__", "without a version"), e)
        if str(getattr(gymnasium, "__version__", "")).startswith(("0.", "1.0.")):
            NO_GYMNASIUM = "Gymnasium %s is too old: 1.1 or newer, python3 -m pip install 'gymnasium>=1.1'" % gymnasium.__version__
        warnings.warn(NO_GYMNASIUM + "; the environments go on without it")

HAVE_GYMNASIUM = not NO_GYMNASIUM

if not HAVE_GYMNASIUM:

    class Box:
        """A box of numbers: the part of gymnasium.spaces.Box that environments need."""

        def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
            self.dtype = np.dtype(dtype)
            self.low, self.high = np.asarray(low, self.dtype), np.asarray(high, self.dtype)
            self.shape = self.low.shape if shape is None else tuple(shape)
            self.low = np.broadcast_to(self.low, self.shape).copy()
            self.high = np.broadcast_to(self.high, self.shape).copy()
            self.seed(seed)

        def seed(self, seed=None):
            self.np_random = np.random.default_rng(seed)
            return seed

        def sample(self):
            return self.np_random.uniform(self.low, self.high).astype(self.dtype)

        def contains(self, x):
            return (isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype)
                    and bool(np.all(x >= self.low)) and bool(np.all(x <= self.high)))

        __contains__ = contains

        def __eq__(self, other):
            return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
                    and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high))

        def __repr__(self):
            return "Box(%s, %s, %s, %s)" % (self.low.min(), self.high.max(), self.shape, self.dtype)

    class AutoresetMode:
        """Gymnasium's names."""

        NEXT_STEP = "NextStep"

    class _Drawing:
        """What environments of both kinds have."""

        metadata = {"render_modes": []}
        spec = None
        render_mode = None
        _np_random = None

        @property
        def unwrapped(self):
            return self

        @property
        def np_random(self):
            if self._np_random is None:
                self._np_random = np.random.default_rng()
            return self._np_random

        def reset(self, *, seed=None, options=None):
            if seed is not None:
                self._np_random = np.random.default_rng(seed)

    class VectorEnv(_Drawing):
        """The part of gymnasium.vector.VectorEnv that carries over."""

        closed = False

    class Env(_Drawing):
        """The part of gymnasium.Env that carries over."""

    def batch_space(space, n):
        """The space of n of them, as gymnasium.vector.utils.batch_space makes it."""
        return Box(np.tile(space.low, (n, 1)), np.tile(space.high, (n, 1)), dtype=space.dtype)
