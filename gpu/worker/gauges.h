// What NVIDIA's management library (NVML, libnvidia-ml.so.1) tells of a card: a thread
// of its own asks it once a second and writes the answers into the page.
#pragma once

#include <stdint.h>

// The page's gpu.Gauges. All but looks are one more than the number, 0 where nobody tells it.
typedef struct {
	uint64_t looks;
	uint64_t used, room;  // bytes
	uint64_t clock, most; // Hz
	uint64_t load;        // percent
	uint64_t heat;        // C
	uint64_t held;        // gpu.HeldByHeat and gpu.HeldByPower
} FieldbrainGauges;

enum { FIELDBRAIN_HEAT = 1, FIELDBRAIN_POWER = 2 }; // in held

typedef struct FieldbrainReader FieldbrainReader;

// Starts the thread for the card of this PCI address, as CUDA writes it, and of so many
// bytes, as CUDA counts them. A card that shares the processor's memory has the name of the
// kernel's list of that, others an empty one. The thread ends by itself where there is no
// such list and no library that knows the card. NULL if no thread could be started.
FieldbrainReader *worker_gauges_start(FieldbrainGauges *to, const char *bus, uint64_t bytes, const char *machine);

// Ends the reading: nothing is written from here on. It waits for no answer of the
// library; a thread that waits for one ends when it comes, or with the process.
void worker_gauges_stop(FieldbrainReader *reader);
