// The page that guard and daemon share. daemon/guard/page.go has the same offsets.
// Each side writes its own cache line and only reads the other's.
#pragma once
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_SIZE = 4096, PAGE_MAGIC = 0x31474246 }; // "FBG1"

// Why the guard pulled the line.
enum { CAUSE_NONE, CAUSE_DEAD, CAUSE_SILENT, CAUSE_STOP, CAUSE_ENDING };

// What the guard got of what it asked for; FLAG_HIDDEN: its sockets are gone and cannot
// be made anew.
enum { FLAG_FIFO = 1, FLAG_LOCKED = 2, FLAG_DEADMAN = 4, FLAG_HIDDEN = 8 };

struct page {
	uint32_t magic;
	char header[28]; // whose reset line it is, ends with 0

	alignas(64) struct {
		_Atomic uint64_t seq;   // counts ticks, 0 before the first
		_Atomic int64_t stamp;  // CLOCK_MONOTONIC of the newest, ns
		_Atomic uint32_t tid;   // the loop's thread, 0 before the first tick
		_Atomic uint32_t high;  // the driver wants the line high
		_Atomic uint32_t ack;   // trips that a tick has taken note of
	} daemon;

	alignas(64) struct {
		_Atomic uint64_t seq;      // counts looks
		_Atomic int64_t stamp;     // of the newest, ns
		_Atomic uint32_t trips;    // how often the guard stopped the car
		_Atomic uint32_t stops;    // how often because somebody asked for it
		_Atomic uint32_t cause;    // of the newest trip
		_Atomic uint32_t flags;    // FLAG_
		_Atomic int32_t priority;  // its SCHED_FIFO priority, 0 for none
	} guard;
};

_Static_assert(offsetof(struct page, header) == 4 && offsetof(struct page, daemon) == 64 &&
	offsetof(struct page, guard) == 128 && offsetof(struct page, daemon.ack) == 88 &&
	offsetof(struct page, guard.priority) == 160, "daemon/guard/page.go has other offsets");
