// Lets two threads step, reset and ask one environment at once: a call that comes
// during another is refused, and nothing else happens to it.
#include "fieldbrain_env.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { CARS = 512, WIDEST = 16, ROUNDS = 400 };

static fieldbrain_env env;
static atomic_int done, refused, wrong;

static void count(int32_t code) {
	if (code == FIELDBRAIN_ENV_OK) atomic_fetch_add(&done, 1);
	else if (code == FIELDBRAIN_ENV_BUSY) atomic_fetch_add(&refused, 1);
	else atomic_fetch_add(&wrong, 1);
}

static void *work(void *number) {
	static float poses[2][CARS * 4];
	char name[32];
	uint64_t seed;
	for (int n = 0; n < ROUNDS; n++) {
		count(fieldbrain_env_step(env));
		if (n % 8 == 0) count(fieldbrain_env_reset(env, NULL, NULL));
		if (n % 8 == 4) count(fieldbrain_env_poses(env, poses[(intptr_t)number]));
		if (n % 8 == 6) count(fieldbrain_env_world(env, 0, name, sizeof name, &seed));
	}
	return NULL;
}

int main(void) {
	static float actions[CARS * 2], observations[CARS * WIDEST], rewards[CARS], returns[CARS];
	static uint8_t terminated[CARS], truncated[CARS], causes[CARS];
	static int32_t lengths[CARS];
	char why[256] = "";
	fieldbrain_env_options o = {.size = sizeof o, .task = "avoid", .cars = CARS, .worlds = 2, .threads = 2};
	fieldbrain_env_memory m = {sizeof m, actions, observations, rewards, terminated, truncated, returns, lengths, causes};
	pthread_t one, other;
	if (fieldbrain_env_open(&o, &env, why, sizeof why)) {
		puts(why);
		return 1;
	}
	if (fieldbrain_env_use(env, &m) || fieldbrain_env_reset(env, NULL, NULL)) return 1;
	if (pthread_create(&one, NULL, work, (void *)0) || pthread_create(&other, NULL, work, (void *)1)) return 1;
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	if (!done || !refused || wrong || fieldbrain_env_step(env) || fieldbrain_env_close(env)) {
		printf("%d calls done, %d refused, %d wrong\n", done, refused, wrong);
		return 1;
	}
	puts("refused");
	return 0;
}
