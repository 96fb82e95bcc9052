// Drives ten cars through the C interface and prints a checksum of what came of it,
// which api_test.go compares with Go's. It refuses whatever should not be as it is.
#include "fieldbrain_env.h"

#include <stdio.h>
#include <string.h>

enum { CARS = 10, STEPS = 200, WIDEST = 16 };

static uint32_t crc(uint32_t sum, const void *data, size_t n) { // IEEE
	const uint8_t *p = data;
	sum = ~sum;
	for (size_t i = 0; i < n; i++) {
		sum ^= p[i];
		for (int k = 0; k < 8; k++) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
	}
	return ~sum;
}

#define WANT(CONDITION)                                       \
	if (!(CONDITION)) {                                       \
		printf("line %d: not so: %s\n", __LINE__, #CONDITION); \
		return 1;                                             \
	}

int main(int argc, char **argv) {
	static float actions[CARS * 2], observations[CARS * WIDEST], rewards[CARS], returns[CARS], poses[CARS * 4];
	static uint8_t terminated[CARS], truncated[CARS], causes[CARS];
	static int32_t lengths[CARS];
	uint64_t seeds[CARS], seed = 0;
	char why[256] = "", name[32];
	fieldbrain_env env = 0;
	fieldbrain_env_options o = {.size = sizeof o, .task = argc > 1 ? argv[1] : "", .cars = CARS, .worlds = 2, .limit = 60};
	fieldbrain_env_memory m = {sizeof m, actions, observations, rewards, terminated, truncated, returns, lengths, causes};
	fieldbrain_env_shape shape = {.size = sizeof shape};
	fieldbrain_env_channel channel;

	WANT(fieldbrain_env_version() == FIELDBRAIN_ENV_VERSION);
	o.size--;
	WANT(fieldbrain_env_open(&o, &env, why, sizeof why) == FIELDBRAIN_ENV_SIZE && strstr(why, "sizeof"));
	o.size++, o.cars = 0;
	WANT(fieldbrain_env_open(&o, &env, why, 12) == FIELDBRAIN_ENV_OPTIONS && strlen(why) == 11);
	WANT(fieldbrain_env_open(&o, &env, NULL, 0) == FIELDBRAIN_ENV_OPTIONS && fieldbrain_env_open(NULL, &env, NULL, 0) == FIELDBRAIN_ENV_MEMORY);
	o.cars = CARS;
	WANT(fieldbrain_env_step(env) == FIELDBRAIN_ENV_HANDLE && fieldbrain_env_step(12345) == FIELDBRAIN_ENV_HANDLE);
	if (fieldbrain_env_open(&o, &env, why, sizeof why)) {
		puts(why);
		return 1;
	}
	WANT(fieldbrain_env_reset(env, NULL, NULL) == FIELDBRAIN_ENV_RESET);
	m.rewards = NULL;
	WANT(fieldbrain_env_use(env, &m) == FIELDBRAIN_ENV_MEMORY);
	m.rewards = rewards;
	WANT(fieldbrain_env_use(env, &m) == FIELDBRAIN_ENV_OK);
	WANT(fieldbrain_env_step(env) == FIELDBRAIN_ENV_RESET);
	WANT(fieldbrain_env_get_shape(env, &shape) == FIELDBRAIN_ENV_OK && shape.cars == CARS && shape.actions == 2);
	WANT(shape.autoreset == FIELDBRAIN_ENV_NEXT_STEP && shape.observations <= WIDEST && shape.isa[0]);
	WANT(fieldbrain_env_get_channel(env, 0, 0, &channel) == FIELDBRAIN_ENV_OK && !strcmp(channel.name, "speed") && !strcmp(channel.unit, "m/s"));
	WANT(fieldbrain_env_get_channel(env, 1, shape.observations, &channel) == FIELDBRAIN_ENV_OPTIONS);
	WANT(fieldbrain_env_cause_name(FIELDBRAIN_ENV_TIME, name, sizeof name) == FIELDBRAIN_ENV_OK && !strcmp(name, "time"));
	for (int i = 0; i < CARS; i++) seeds[i] = 7 + i;
	WANT(fieldbrain_env_reset(env, seeds, NULL) == FIELDBRAIN_ENV_OK);
	uint32_t sum = crc(0, observations, sizeof(float) * CARS * shape.observations);
	for (int s = 0; s < STEPS; s++) {
		for (int i = 0; i < CARS; i++) actions[2 * i] = 0.03125f * (i + 1), actions[2 * i + 1] = 0.125f * ((s / 10 + i) % 5 - 2);
		WANT(fieldbrain_env_step(env) == FIELDBRAIN_ENV_OK);
		sum = crc(sum, observations, sizeof(float) * CARS * shape.observations);
		sum = crc(sum, rewards, sizeof rewards);
		sum = crc(sum, terminated, sizeof terminated);
		sum = crc(sum, truncated, sizeof truncated);
		sum = crc(sum, returns, sizeof returns);
		sum = crc(sum, lengths, sizeof lengths);
		sum = crc(sum, causes, sizeof causes);
	}
	WANT(fieldbrain_env_poses(env, poses) == FIELDBRAIN_ENV_OK && poses[0] != 0);
	WANT(fieldbrain_env_world(env, 0, name, sizeof name, &seed) == FIELDBRAIN_ENV_OK && name[0] && seed == 1);
	WANT(fieldbrain_env_close(env) == FIELDBRAIN_ENV_OK && fieldbrain_env_close(env) == FIELDBRAIN_ENV_HANDLE);
	printf("%08x\n", sum);
	return 0;
}
