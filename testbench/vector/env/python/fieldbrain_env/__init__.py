"""Environments of many simulated cars: Gymnasium's semantics, NumPy views, no copy.

    import fieldbrain_env
    cars = fieldbrain_env.CarVectorEnv("avoid", num_envs=4096)
    observations, infos = cars.reset(seed=1)
    observations, rewards, terminated, truncated, infos = cars.step(actions)

The library libfieldbrain_env.so (make env) does the work; NumPy is needed, Gymnasium
1.1 or newer is used where it is installed: to import this package registers its tasks. docs/environments.md says what the tasks, the numbers
and their units are.
"""

try:
    import numpy as _
except ImportError as e:
    raise ImportError("fieldbrain_env needs NumPy: python3 -m pip install numpy, or apt install python3-numpy (%s)" % e) from None

from .bindings import Error, VERSION, Wrong, library
from .single import CarEnv, make_vector, register
from .spaces import Box, HAVE_GYMNASIUM
from .vector import CAUSES, TASKS, CarVectorEnv

__all__ = ["Box", "CAUSES", "CarEnv", "CarVectorEnv", "Error", "HAVE_GYMNASIUM", "TASKS", "VERSION", "Wrong", "library",
           "make_vector", "register"]
__version__ = str(VERSION)

if HAVE_GYMNASIUM:
    register()
