// Takes a number of steps a line from its input and answers with the seconds that
// they took, by the wall's clock and the processor's, and the sum of the rewards.
#include "fieldbrain_env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
	int cars = argc > 2 ? atoi(argv[2]) : 0, steps;
	fieldbrain_env_options o = {.size = sizeof o, .task = argc > 1 ? argv[1] : "", .cars = cars, .worlds = argc > 3 ? atoi(argv[3]) : 0};
	fieldbrain_env_shape shape = {.size = sizeof shape};
	fieldbrain_env env;
	char why[1024];
	if (fieldbrain_env_open(&o, &env, why, sizeof why) || fieldbrain_env_get_shape(env, &shape)) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	float *given = calloc(2 * cars, 4), *actions = calloc(2 * cars, 4);
	float *observations = calloc((size_t)cars * shape.observations, 4), *rewards = calloc(cars, 4), *returns = calloc(cars, 4);
	uint8_t *ends = calloc(3 * cars, 1);
	int32_t *lengths = calloc(cars, 4);
	uint64_t *seeds = calloc(cars, 8);
	for (int i = 0; i < cars; i++) seeds[i] = 1 + i, given[2 * i] = 0.25f, given[2 * i + 1] = 0.05f * (i % 9 - 4);
	fieldbrain_env_memory m = {sizeof m, actions, observations, rewards, ends, ends + cars, returns, lengths, ends + 2 * cars};
	if (fieldbrain_env_use(env, &m) || fieldbrain_env_reset(env, seeds, NULL)) return 1;
	while (scanf("%d", &steps) == 1) {
		double sum = 0, begun = now(CLOCK_MONOTONIC), busy = now(CLOCK_PROCESS_CPUTIME_ID);
		for (int s = 0; s < steps; s++) {
			memcpy(actions, given, 8 * cars);
			if (fieldbrain_env_step(env)) return 1;
			for (int i = 0; i < cars; i++) sum += rewards[i];
		}
		printf("%.9f %.9f %.6f\n", now(CLOCK_MONOTONIC) - begun, now(CLOCK_PROCESS_CPUTIME_ID) - busy, sum);
		fflush(stdout);
	}
	return fieldbrain_env_close(env);
}
