"""Gymnasium's classes where it is installed, and what stands in for them elsewhere."""

import numpy as np

try:
    import gymnasium
    from gymnasium.spaces import Box
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    HAVE_GYMNASIUM = True
    Env = gymnasium.Env
except ImportError:
    HAVE_GYMNASIUM = False

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

    class VectorEnv:
        """The part of gymnasium.vector.VectorEnv that carries over."""

        metadata = {}
        spec = None
        render_mode = None

        @property
        def unwrapped(self):
            return self

    class Env:
        """The part of gymnasium.Env that carries over."""

        metadata = {"render_modes": []}
        spec = None
        render_mode = None

        @property
        def unwrapped(self):
            return self

        def reset(self, *, seed=None, options=None):
            if seed is not None or not hasattr(self, "np_random"):
                self.np_random = np.random.default_rng(seed)

    def batch_space(space, n):
        """The space of n of them, as gymnasium.vector.utils.batch_space makes it."""
        return Box(np.tile(space.low, (n, 1)), np.tile(space.high, (n, 1)), dtype=space.dtype)
