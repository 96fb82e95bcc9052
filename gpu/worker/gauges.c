//go:build cuda

// The few functions of NVML that the gauges need are declared here, as nvml.h of every
// driver since 418 has them, and looked up when the thread starts (decisions/0069): a
// driver that lacks one leaves one gauge unknown. Sources: NVML API Reference Guide,
// sections Device Queries and Clocks Event Reasons.
#define _GNU_SOURCE
#include "gauges.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct nvmlDevice_st *Card;
typedef struct { unsigned long long total, free, used; } MemoryInfo; // bytes; used has the driver's own
typedef struct { unsigned int gpu, memory; } Utilization;            // percent
enum { SUCCESS = 0 };                                                // nvmlReturn_t
enum { CLOCK_SM = 1 };                                               // nvmlClockType_t
enum { SENSOR_GPU = 0 };                                             // nvmlTemperatureSensors_t

// nvmlClocksEventReasons. A cap of power (4) is left out: at full load it is the rule,
// and where it costs half of the clock, the clock says so.
enum {
	REASON_IDLE = 0x1,
	REASON_HARDWARE = 0x8, // heat, power brake or current: half of the clock or less
	REASON_DRIVER_HEAT = 0x20,
	REASON_HARDWARE_HEAT = 0x40,
	REASON_POWER_BRAKE = 0x80,
};

typedef struct {
	int (*init)(void);
	int (*find)(const char *, Card *);
	int (*memory)(Card, MemoryInfo *);
	int (*clock)(Card, int, unsigned int *);
	int (*most)(Card, int, unsigned int *);
	int (*load)(Card, Utilization *);
	int (*heat)(Card, int, unsigned int *);
	int (*reasons)(Card, unsigned long long *);
} Library;

struct FieldbrainReader {
	pthread_mutex_t mutex; // of all that follows but bus, bytes and machine; never held while anybody is asked
	pthread_cond_t stirred;
	int stopped;          // nobody wants more
	int ended;            // the thread reads no more
	FieldbrainGauges *to; // in the page, which may be gone once stopped
	char bus[32];
	uint64_t bytes;
	char *machine; // the kernel's file with the machine's memory, of a card that has none of its own; else NULL
};

// open finds the library and its functions; those that the gauges can do without may
// be NULL.
static int open_library(Library *l) {
	void *handle = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (!handle) return 0;
	*(void **)&l->init = dlsym(handle, "nvmlInit_v2");
	*(void **)&l->find = dlsym(handle, "nvmlDeviceGetHandleByPciBusId_v2");
	*(void **)&l->memory = dlsym(handle, "nvmlDeviceGetMemoryInfo");
	*(void **)&l->clock = dlsym(handle, "nvmlDeviceGetClockInfo");
	*(void **)&l->most = dlsym(handle, "nvmlDeviceGetMaxClockInfo");
	*(void **)&l->load = dlsym(handle, "nvmlDeviceGetUtilizationRates");
	*(void **)&l->heat = dlsym(handle, "nvmlDeviceGetTemperature");
	*(void **)&l->reasons = dlsym(handle, "nvmlDeviceGetCurrentClocksThrottleReasons"); // since 535 an alias
	if (!l->reasons) *(void **)&l->reasons = dlsym(handle, "nvmlDeviceGetCurrentClocksEventReasons");
	return l->init && l->find;
}

// told makes a number one that is told.
static uint64_t told(uint64_t number) { return number + 1; }

// memory leaves out what is another card's, as far as CUDA is concerned: of a card in
// slices (MIG) the library counts the whole.
static void look_at_memory(const Library *l, Card card, uint64_t bytes, FieldbrainGauges *g) {
	MemoryInfo m;
	if (!l->memory || l->memory(card, &m) != SUCCESS || !m.total || m.used > m.total) return;
	uint64_t apart = m.total > bytes ? m.total - bytes : bytes - m.total;
	if (apart > bytes / 8) return;
	g->used = told(m.used);
	g->room = told(m.total);
}

// kilobytes returns what stands behind a name in the kernel's list of memory, in bytes, 0
// where the name is not.
static uint64_t kilobytes(const char *list, const char *name) {
	const char *at = strstr(list, name);
	return at ? strtoull(at + strlen(name), NULL, 10) << 10 : 0;
}

// look_at_machine looks at the memory of a card that shares the processor's, a Jetson's. CUDA
// calls used what the kernel keeps of files there, nearly all of it on a machine that has
// run for a day; it is given back as soon as anybody wants it.
static void look_at_machine(const char *file, FieldbrainGauges *g) {
	char list[4096];
	int from = open(file, O_RDONLY | O_CLOEXEC);
	if (from < 0) return;
	ssize_t n = read(from, list, sizeof list - 1);
	close(from);
	list[n > 0 ? n : 0] = 0;
	uint64_t room = kilobytes(list, "MemTotal:"), available = kilobytes(list, "MemAvailable:");
	if (!available || available > room) return;
	g->used = told(room - available);
	g->room = told(room);
}

static void look_at_clock(int (*ask)(Card, int, unsigned int *), Card card, uint64_t *to) {
	unsigned int mhz;
	if (ask && ask(card, CLOCK_SM, &mhz) == SUCCESS && mhz) *to = told(mhz * 1000000ull);
}

static void look_at_reasons(const Library *l, Card card, FieldbrainGauges *g) {
	unsigned long long r;
	if (!l->reasons || l->reasons(card, &r) != SUCCESS) return;
	uint64_t held = 0;
	if (r & (REASON_DRIVER_HEAT | REASON_HARDWARE_HEAT)) held |= FIELDBRAIN_HEAT;
	if (r & REASON_POWER_BRAKE) held |= FIELDBRAIN_POWER;
	if (r & REASON_HARDWARE && !held) held = FIELDBRAIN_POWER;
	g->held = told(r & REASON_IDLE ? 0 : held); // nothing runs, and nothing is lost
}

// look asks for everything.
static FieldbrainGauges look(const Library *l, Card card, const FieldbrainReader *r) {
	FieldbrainGauges g = {0};
	Utilization u;
	unsigned int c;
	if (r->machine) look_at_machine(r->machine, &g);
	else look_at_memory(l, card, r->bytes, &g);
	look_at_clock(l->clock, card, &g.clock);
	look_at_clock(l->most, card, &g.most);
	if (l->load && l->load(card, &u) == SUCCESS) g.load = told(u.gpu);
	if (l->heat && l->heat(card, SENSOR_GPU, &c) == SUCCESS) g.heat = told(c);
	look_at_reasons(l, card, &g);
	return g;
}

// publish writes into the page, as gpu.Server.Tell does.
static void publish(FieldbrainGauges *to, const FieldbrainGauges *g) {
	__atomic_store_n(&to->used, g->used, __ATOMIC_SEQ_CST);
	__atomic_store_n(&to->room, g->room, __ATOMIC_SEQ_CST);
	__atomic_store_n(&to->clock, g->clock, __ATOMIC_SEQ_CST);
	__atomic_store_n(&to->most, g->most, __ATOMIC_SEQ_CST);
	__atomic_store_n(&to->load, g->load, __ATOMIC_SEQ_CST);
	__atomic_store_n(&to->heat, g->heat, __ATOMIC_SEQ_CST);
	__atomic_store_n(&to->held, g->held, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&to->looks, 1, __ATOMIC_SEQ_CST);
}

static void release(FieldbrainReader *r) {
	pthread_cond_destroy(&r->stirred);
	pthread_mutex_destroy(&r->mutex);
	free(r->machine);
	free(r);
}

// proceed publishes an answer and waits for a second, unless nobody wants more.
static int proceed(FieldbrainReader *r, const FieldbrainGauges *g) {
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	pthread_mutex_lock(&r->mutex);
	if (!r->stopped) publish(r->to, g);
	while (!r->stopped && !pthread_cond_timedwait(&r->stirred, &r->mutex, &until)) {
	}
	int goes_on = !r->stopped;
	pthread_mutex_unlock(&r->mutex);
	return goes_on;
}

static void *read_gauges(void *of) {
	FieldbrainReader *r = of;
	Library library = {0};
	Card card = NULL;
	int knows = open_library(&library) && library.init() == SUCCESS && library.find(r->bus, &card) == SUCCESS;
	if (!knows) library = (Library){0}; // what has no function is not asked
	if (knows || r->machine) {
		FieldbrainGauges g;
		do g = look(&library, card, r);
		while (proceed(r, &g));
	}
	pthread_mutex_lock(&r->mutex);
	r->ended = 1;
	int last = r->stopped;
	pthread_mutex_unlock(&r->mutex);
	if (last) release(r);
	return NULL;
}

FieldbrainReader *worker_gauges_start(FieldbrainGauges *to, const char *bus, uint64_t bytes, const char *machine) {
	FieldbrainReader *r = calloc(1, sizeof *r);
	if (!r) return NULL;
	if (*machine && !(r->machine = strdup(machine))) {
		free(r);
		return NULL;
	}
	r->to = to;
	r->bytes = bytes;
	strncpy(r->bus, bus, sizeof r->bus - 1);
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&r->stirred, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_mutex_init(&r->mutex, NULL);

	// Signals are Go's, and for its own threads.
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pthread_t thread;
	int failed = pthread_create(&thread, NULL, read_gauges, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed) {
		release(r);
		return NULL;
	}
	pthread_setname_np(thread, "gauges");
	pthread_detach(thread);
	return r;
}

void worker_gauges_stop(FieldbrainReader *r) {
	pthread_mutex_lock(&r->mutex);
	r->stopped = 1;
	int last = r->ended;
	pthread_cond_signal(&r->stirred);
	pthread_mutex_unlock(&r->mutex);
	if (last) release(r);
}
