// Environments of many simulated cars, for learners: docs/environments.md.
//
// The semantics are those of Gymnasium's vector environments with the autoreset mode
// NEXT_STEP. All memory for actions, observations and results is the caller's; the
// library reads and writes it in place and keeps the pointers until the next use or
// close. Every function returns a code, 0 for done. Calls on one environment come one
// at a time: one that comes during another is refused (FIELDBRAIN_ENV_BUSY), and close,
// too. A process that has forked after this library was loaded calls nothing of it in
// the child.
//
//	fieldbrain_env_options o = {.size = sizeof o, .task = "avoid", .cars = 4096};
//	fieldbrain_env env;
//	char why[1024];
//	if (fieldbrain_env_open(&o, &env, why, sizeof why)) puts(why);
#ifndef FIELDBRAIN_ENV_H
#define FIELDBRAIN_ENV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of this interface; fieldbrain_env_version says the library's. A program
// runs only with a library of its own version.
#define FIELDBRAIN_ENV_VERSION 1

enum { // codes
	FIELDBRAIN_ENV_OK = 0,
	FIELDBRAIN_ENV_OPTIONS = 1, // a wrong option; the message names it and what there is
	FIELDBRAIN_ENV_HANDLE = 2,  // no such environment, or it is closed
	FIELDBRAIN_ENV_MEMORY = 3,  // a pointer that is needed is NULL
	FIELDBRAIN_ENV_RESET = 4,   // step before the first reset, or before any memory
	FIELDBRAIN_ENV_SIZE = 5,    // a struct is of another version: set .size to sizeof
	FIELDBRAIN_ENV_FAILED = 6,  // the library failed; the message says how
	FIELDBRAIN_ENV_BUSY = 7,    // another thread's call on this environment is under way
};

enum { // causes of an episode's end
	FIELDBRAIN_ENV_RUNNING = 0,
	FIELDBRAIN_ENV_CONTACT = 1,
	FIELDBRAIN_ENV_FALL = 2,
	FIELDBRAIN_ENV_LOST = 3,
	FIELDBRAIN_ENV_ARRIVED = 4,
	FIELDBRAIN_ENV_TIME = 5, // truncated; all others are terminated
};

enum { FIELDBRAIN_ENV_NEXT_STEP = 1 }; // autoreset mode

typedef uintptr_t fieldbrain_env;

// What an environment is. 0 and NULL mean what is said behind them.
typedef struct {
	uint32_t size;        // sizeof this
	int32_t cars;         // 1 .. 1048576
	const char *task;     // avoid, goal, line or explore
	const char *families; // of worlds, separated by commas; NULL: the task's own
	const char *profile;  // P1: five sonars; P0: one; NULL: P1
	const char *isa;      // avx512, avx2, sse, neon or go; NULL: the best
	int32_t worlds;       // how many; 0: 32
	int32_t test;         // 0: worlds of the train set; 1: of the test set
	uint64_t first;       // seed of the first worlds; 0: 1
	int32_t hold;         // ms that an action lasts; 0: 40
	int32_t limit;        // steps after which an episode is truncated; 0: 1500
	int32_t threads;      // that step; 0: 1
} fieldbrain_env_options;

// What an environment came to be.
typedef struct {
	uint32_t size; // sizeof this, set by the caller
	int32_t cars, actions, observations; // the latter two of one car
	int32_t hold, limit, worlds, threads;
	int32_t autoreset; // FIELDBRAIN_ENV_NEXT_STEP
	char isa[16];
} fieldbrain_env_shape;

// One number of an action or an observation.
typedef struct {
	char name[32], unit[48];
	float low, high;
} fieldbrain_env_channel;

// The caller's memory, row by row: cars x actions, cars x observations, and one of
// each car of what follows. None may be NULL.
typedef struct {
	uint32_t size; // sizeof this
	const float *actions;
	float *observations;
	float *rewards;
	uint8_t *terminated, *truncated; // 0 or 1
	float *returns;                  // of the episode, this step included
	int32_t *lengths;                // likewise, steps
	uint8_t *causes;
} fieldbrain_env_memory;

#ifndef FIELDBRAIN_ENV_GO

int32_t fieldbrain_env_version(void);

// open makes an environment. A code that is not 0 comes with a message, cut to its
// room; message may be NULL.
int32_t fieldbrain_env_open(const fieldbrain_env_options *options, fieldbrain_env *env, char *message, size_t room);
int32_t fieldbrain_env_close(fieldbrain_env env);

int32_t fieldbrain_env_get_shape(fieldbrain_env env, fieldbrain_env_shape *shape);

// get_channel describes number n of an action (observation 0) or an observation (1).
int32_t fieldbrain_env_get_channel(fieldbrain_env env, int32_t observation, int32_t n, fieldbrain_env_channel *channel);

// use says which memory reset and step work on, from now on.
int32_t fieldbrain_env_use(fieldbrain_env env, const fieldbrain_env_memory *memory);

// reset begins new episodes: with seeds (one a car) every car begins its sequence
// anew, without (NULL) it goes on with its next episode. With a mask (one a car) only
// the cars whose mask is not 0 are reset.
int32_t fieldbrain_env_reset(fieldbrain_env env, const uint64_t *seeds, const uint8_t *mask);

// step lets every car act.
int32_t fieldbrain_env_step(fieldbrain_env env);

// poses writes x, y (m), heading (rad) and speed (m/s) of every car, cars x 4: the
// truth, for pictures and judges.
int32_t fieldbrain_env_poses(fieldbrain_env env, float *poses);

// world says in which world a car is: the family's name and the member's seed.
int32_t fieldbrain_env_world(fieldbrain_env env, int32_t car, char *family, size_t room, uint64_t *seed);

// cause_name writes a cause's name.
int32_t fieldbrain_env_cause_name(int32_t cause, char *name, size_t room);

#endif

#ifdef __cplusplus
}
#endif

#endif
