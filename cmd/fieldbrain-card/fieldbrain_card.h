// Many simulated cars on a graphics card, for learners on that card: docs/environments.md.
//
// The cars are those of fieldbrain_env.h, without rewards and episodes. What they are to
// do and what they sense lies in matrices in the card's memory, a row of doubles per car,
// in the device's primary context: PyTorch, CuPy and others read and write them in place.
// Steps run on a stream of the library's own, so that whoever wrote actions on another
// waits for that one before step, and calls wait before reading.
//
//	fieldbrain_card_options o = {.size = sizeof o, .cars = 65536};
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

#define FIELDBRAIN_CARD_VERSION 1

enum { // codes
	FIELDBRAIN_CARD_OK = 0,
	FIELDBRAIN_CARD_OPTIONS = 1, // a wrong option or number; the message names it
	FIELDBRAIN_CARD_HANDLE = 2,  // no such card, or it is closed
	FIELDBRAIN_CARD_MEMORY = 3,  // a pointer that is needed is NULL
	FIELDBRAIN_CARD_SIZE = 4,    // a struct is of another version: set .size to sizeof
	FIELDBRAIN_CARD_FAILED = 5,  // there is no device, or it failed; the message says how
};

enum { // matrices
	FIELDBRAIN_CARD_ACTIONS = 0,  // cars x 3, written by the caller: duties of the left and right motor, -1 .. 1; pulse of the servo in s
	FIELDBRAIN_CARD_READINGS = 1, // cars x 8: five ranges in m, -1 for no echo or no sonar; three counts of the floor
	FIELDBRAIN_CARD_STATES = 2,   // cars x 8: x, y (m), heading (rad), speed (m/s), steering (rad), yaw (rad/s), contacts, metres driven
};

typedef uintptr_t fieldbrain_card;

// What cars there are. 0 and NULL mean what is said behind them.
typedef struct {
	uint32_t size;        // sizeof this
	int32_t cars;         // 1 .. 1048576
	const char *families; // of worlds, separated by commas; NULL: room
	const char *profile;  // P1: five sonars; P0: one; NULL: P1
	int32_t worlds;       // how many; 0: 32
	int32_t test;         // 0: worlds of the train set; 1: of the test set
	uint64_t first;       // seed of the first worlds; 0: 1
	uint64_t seed;        // car i has the seed seed + i
} fieldbrain_card_options;

// Where a matrix lies: rows without gaps.
typedef struct {
	uint32_t size; // sizeof this
	int32_t device; // number of the CUDA device
	uint64_t address;
	int64_t rows, columns;
} fieldbrain_card_matrix;

#ifndef FIELDBRAIN_CARD_GO

int32_t fieldbrain_card_version(void);

// open makes cars that stand at the starts of their worlds. A code that is not 0 comes
// with a message, cut to its room; message may be NULL in all calls.
int32_t fieldbrain_card_open(const fieldbrain_card_options *options, fieldbrain_card *card, char *message, size_t room);
int32_t fieldbrain_card_close(fieldbrain_card card, char *message, size_t room);

int32_t fieldbrain_card_get_matrix(fieldbrain_card card, int32_t which, fieldbrain_card_matrix *matrix);

// step starts so many steps of 1 ms and returns; wait returns when they are taken.
int32_t fieldbrain_card_step(fieldbrain_card card, int32_t steps, char *message, size_t room);
int32_t fieldbrain_card_wait(fieldbrain_card card, char *message, size_t room);

// A new card, and reset, show in readings and states where the cars stand; what sensors
// have not said yet is -1 and 0. reset puts the cars whose mask is not 0 back at the starts of their worlds, with new
// noise: seeds has one a car. It goes by way of the host and takes as long as that.
int32_t fieldbrain_card_reset(fieldbrain_card card, const uint64_t *seeds, const uint8_t *mask, char *message, size_t room);

#endif

#ifdef __cplusplus
}
#endif

#endif
