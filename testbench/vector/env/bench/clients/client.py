"""Takes a number of steps a line from its input and answers with the seconds that
they took, by the wall's clock and the processor's, and the sum of the rewards."""

import sys
import time

import numpy as np

import fieldbrain_env

task, cars, worlds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
env = fieldbrain_env.CarVectorEnv(task, cars, worlds=worlds)
given = np.empty((cars, 2), np.float32)
given[:, 0], given[:, 1] = 0.25, 0.05 * (np.arange(cars) % 9 - 4)
env.reset(seed=1)
for line in sys.stdin:
    total, begun, busy = 0.0, time.perf_counter(), time.process_time()
    for _ in range(int(line)):
        _, rewards, _, _, _ = env.step(given)
        total += rewards.sum(dtype=np.float64)
    print("%.9f %.9f %.6f" % (time.perf_counter() - begun, time.process_time() - busy, total), flush=True)
