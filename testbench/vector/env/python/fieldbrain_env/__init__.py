"""Environments of many simulated cars: Gymnasium's semantics, NumPy views, no copy.

    import fieldbrain_env
    cars = fieldbrain_env.CarVectorEnv("avoid", num_envs=4096)
    observations, infos = cars.reset(seed=1)
    observations, rewards, terminated, truncated, infos = cars.step(actions)

The library libfieldbrain_env.so (make env) does the work; NumPy is needed, Gymnasium
is used where it is installed. docs/environments.md says what the tasks, the numbers
and their units are.
"""

from .bindings import Error, VERSION, library
from .single import CarEnv, register
from .spaces import Box, HAVE_GYMNASIUM
from .vector import CAUSES, TASKS, CarVectorEnv

__all__ = ["Box", "CAUSES", "CarEnv", "CarVectorEnv", "Error", "HAVE_GYMNASIUM", "TASKS", "VERSION", "library", "register"]
__version__ = str(VERSION)
