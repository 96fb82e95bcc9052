// Many simulated cars on a graphics card, for learners on that card: docs/environments.md.
//
// With a task the cars are the environments of fieldbrain_env.h, with its rewards, episodes
// and autoreset, bit for bit; without one they take duties and pulses and go on for ever.
// What they are to do, sense and earn lies in matrices in the card's memory, a row per car,
// in the device's primary context: PyTorch, CuPy and others read and write them in place.
// Steps and resets run on a stream of the library's own, so that whoever wrote actions,
// seeds or a mask on another waits for that one before step and reset_there, and calls
// wait before reading.
//
//	fieldbrain_card_options o = {.size = sizeof o, .cars = 65536, .task = "avoid"};
//	fieldbrain_card card;
//	char why[1024];
//	if (fieldbrain_card_open(&o, &card, why, sizeof why)) puts(why);
//
// Every function returns a code, 0 for done. Calls on a card come one at a time, from any
// thread, whose CUDA context they leave as it was. The library starts CUDA while it is
// loaded and ends the process, with its reason on standard error, where that fails: who
// must not end there calls cuInit of libcuda.so.1 before, and loads this with dlopen.
#ifndef FIELDBRAIN_CARD_H
#define FIELDBRAIN_CARD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FIELDBRAIN_CARD_VERSION 2

enum { // codes
	FIELDBRAIN_CARD_OK = 0,
	FIELDBRAIN_CARD_OPTIONS = 1, // a wrong option or number; the message names it
	FIELDBRAIN_CARD_HANDLE = 2,  // no such card, or it is closed
	FIELDBRAIN_CARD_MEMORY = 3,  // a pointer that is needed is NULL
	FIELDBRAIN_CARD_SIZE = 4,    // a struct is of another version: set .size to sizeof
	FIELDBRAIN_CARD_FAILED = 5,  // there is no device, or it failed; the message says how
};

enum { // matrices
	FIELDBRAIN_CARD_ACTIONS = 0,      // written by the caller. Without a task doubles, cars x 3: duties of the left and right motor, -1 .. 1; pulse of the servo in s
	                                  // with one floats, cars x 2: m/s and rad, as fieldbrain_env.h has them
	FIELDBRAIN_CARD_READINGS = 1,     // without a task: doubles, cars x 8: five ranges in m, -1 for no echo or no sonar; three counts of the floor
	FIELDBRAIN_CARD_STATES = 2,       // the truth: doubles, cars x 8: x, y (m), heading (rad), speed (m/s), steering (rad), yaw (rad/s), contacts, metres driven
	FIELDBRAIN_CARD_SEEDS = 3,        // written by the caller: 64-bit numbers, what reset_there takes
	FIELDBRAIN_CARD_MASK = 4,         // likewise, bytes: which cars it takes, those that are not 0
	FIELDBRAIN_CARD_OBSERVATIONS = 5, // with a task, and all that follow: floats, cars x what get_channel says
	FIELDBRAIN_CARD_REWARDS = 6,      // floats
	FIELDBRAIN_CARD_TERMINATED = 7,   // bytes, 0 or 1
	FIELDBRAIN_CARD_TRUNCATED = 8,    // likewise
	FIELDBRAIN_CARD_RETURNS = 9,      // floats: the episode's rewards so far
	FIELDBRAIN_CARD_LENGTHS = 10,     // 32-bit numbers: its steps
	FIELDBRAIN_CARD_CAUSES = 11,      // bytes: its end's cause, as fieldbrain_env.h has it
};

enum { // kinds of a matrix's numbers
	FIELDBRAIN_CARD_FLOAT64 = 0,
	FIELDBRAIN_CARD_FLOAT32 = 1,
	FIELDBRAIN_CARD_UINT64 = 2,
	FIELDBRAIN_CARD_INT32 = 3,
	FIELDBRAIN_CARD_UINT8 = 4,
};

typedef uintptr_t fieldbrain_card;

// What cars there are. 0 and NULL mean what is said behind them.
typedef struct {
	uint32_t size;        // sizeof this
	int32_t cars;         // 1 .. 1048576
	const char *task;     // avoid, goal, line or explore; NULL: none
	const char *families; // of worlds, separated by commas; NULL: those of the task, without one room
	const char *profile;  // P1: five sonars; P0: one; NULL: P1
	int32_t worlds;       // how many, 1 .. 10000, with a task 1 .. 4096; 0: 32. Of F families world k is member first + k / F of family k % F
	int32_t test;         // 0: worlds of the train set; 1: of the test set
	uint64_t first;       // seed of the first worlds; 0: 1
	uint64_t seed;        // car i has the seed seed + i
	int32_t hold;         // with a task: ms that an action lasts, 1 .. 1000; 0: 40
	int32_t limit;        // likewise: steps after which an episode is truncated, 1 .. 1000000; 0: 1500
} fieldbrain_card_options;

// Where a matrix lies: rows without gaps.
typedef struct {
	uint32_t size; // sizeof this
	int32_t device; // number of the CUDA device
	uint64_t address;
	int64_t rows, columns;
	int32_t kind;
	int32_t bytes; // of a number
} fieldbrain_card_matrix;

// A number of an action or an observation of a task.
typedef struct {
	char name[32], unit[64];
	float low, high;
} fieldbrain_card_channel;

#ifndef FIELDBRAIN_CARD_GO

int32_t fieldbrain_card_version(void);

// open makes cars that stand at the starts of their worlds. A code that is not 0 comes
// with a message, cut to its room; message may be NULL in all calls.
int32_t fieldbrain_card_open(const fieldbrain_card_options *options, fieldbrain_card *card, char *message, size_t room);
int32_t fieldbrain_card_close(fieldbrain_card card, char *message, size_t room);

// get_matrix says where a matrix lies; FIELDBRAIN_CARD_OPTIONS: these cars have none such.
int32_t fieldbrain_card_get_matrix(fieldbrain_card card, int32_t which, fieldbrain_card_matrix *matrix);

// get_channel describes number n of an action (observation = 0) or observation of a task.
int32_t fieldbrain_card_get_channel(fieldbrain_card card, int32_t observation, int32_t n, fieldbrain_card_channel *channel);

// step starts so many steps under the same actions and returns: of 1 ms, with a task of
// .hold ms each, 300 of them at most. wait returns when they are taken.
int32_t fieldbrain_card_step(fieldbrain_card card, int32_t steps, char *message, size_t room);
int32_t fieldbrain_card_wait(fieldbrain_card card, char *message, size_t room);

// New cars, and cars that were reset, show in their matrices where they stand. Without a
// task, what sensors have not said yet is -1 and 0.
//
// reset copies seeds and mask, one a car, from the host into their matrices and then does
// what reset_there does. It puts the cars whose mask is not 0 back at the starts of their
// worlds with new noise, and needs both; with a task it begins new episodes: of all cars
// where mask is NULL, of each car's sequence where seeds is NULL.
//
// reset_there takes both matrices as they lie on the card, a seed where seeded is not 0 and
// the mask where masked is not 0; without a task both must be. No byte crosses the bus, and
// it returns at once.
int32_t fieldbrain_card_reset(fieldbrain_card card, const uint64_t *seeds, const uint8_t *mask, char *message, size_t room);
int32_t fieldbrain_card_reset_there(fieldbrain_card card, int32_t seeded, int32_t masked, char *message, size_t room);

#endif

#ifdef __cplusplus
}
#endif

#endif
