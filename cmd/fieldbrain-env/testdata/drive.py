"""What drive.c does, through the Python package."""

import sys
import zlib

import numpy as np

import fieldbrain_env

cars = fieldbrain_env.CarVectorEnv(sys.argv[1], 10, worlds=2, limit=60)
observations, _ = cars.reset(seed=7)
total = zlib.crc32(observations.tobytes())
where = np.arange(10)
for s in range(200):
    actions = np.stack([0.03125 * (where + 1), 0.125 * ((s // 10 + where) % 5 - 2.0)], axis=1)
    observations, rewards, terminated, truncated, _ = cars.step(actions)
    for part in (observations, rewards, terminated, truncated, cars.returns, cars.lengths, cars.causes):
        total = zlib.crc32(part.tobytes(), total)
print("%08x" % total)
