"""One car, as gymnasium.Env has it."""

import numpy as np

from .spaces import Env, HAVE_GYMNASIUM
from .vector import CAUSES, CarVectorEnv


class CarEnv(Env):
    """One car with one task. What it returns is the caller's: nothing is written over."""

    metadata = {"render_modes": []}

    def __init__(self, task="avoid", render_mode=None, **options):
        if render_mode is not None:
            raise ValueError("there is no picture: leave render_mode out")
        self.render_mode = None
        self._cars = CarVectorEnv(task, 1, **options)
        self.action_space, self.observation_space = self._cars.single_action_space, self._cars.single_observation_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is None:  # the generator of Gymnasium decides, as everywhere
            seed = int(self.np_random.integers(2**63))
        observations, _ = self._cars.reset(seed=seed)
        return observations[0].copy(), {}

    def step(self, action):
        observations, rewards, terminated, truncated, _ = self._cars.step(np.asarray(action, np.float32).reshape(1, -1))
        info = {}
        if self._cars.causes[0]:
            info = {"cause": CAUSES[self._cars.causes[0]], "episode_return": float(self._cars.returns[0]),
                    "episode_length": int(self._cars.lengths[0])}
        return observations[0].copy(), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self):
        """There is no picture."""

    def close(self):
        self._cars.close()


def register():
    """Tell Gymnasium: gymnasium.make("fieldbrain/avoid-v1"), gymnasium.make_vec(...)."""
    if not HAVE_GYMNASIUM:
        raise ImportError("gymnasium is not installed")
    import gymnasium

    from .vector import TASKS

    for task in TASKS:
        name = "fieldbrain/%s-v1" % task
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="fieldbrain_env:CarEnv", vector_entry_point="fieldbrain_env:CarVectorEnv",
                               kwargs={"task": task})
