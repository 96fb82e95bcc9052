//go:build !cuda

// How many instructions a call of vector_step takes: the processor traps after each.
#include "dispatch.h"

#if defined(__x86_64__) && defined(__linux__)
#include <signal.h>
#include <string.h>
#include <ucontext.h>

static __thread Counts *counts; // of the thread that counts
static __thread int wide;       // bits of what it counts as wide

// legacy is vector_width for an instruction without VEX: of SSE's, those that compute on a
// whole register.
static int legacy(const uint8_t *p) {
	int packed = *p == 0x66;
	if (packed) p++;
	if ((*p & 0xf0) == 0x40) p++; // REX
	if (p[0] != 0x0f) return 0;
	int opcode = p[1];
	if (opcode >= 0x54 && opcode <= 0x57) return 128; // and, or, xor, of floats too
	if (opcode == 0x14 || opcode == 0x15 || opcode == 0xc6) return 128;
	if (!packed) return 0;
	if (opcode == 0x38 || opcode == 0x3a) return 128;
	if (opcode >= 0x51 && opcode <= 0x6d) return 128;
	if (opcode >= 0x70 && opcode <= 0x76) return 128;
	return opcode == 0xc2 || (opcode >= 0xd0 && opcode <= 0xfe && opcode != 0xd6 && opcode != 0xd7 && opcode != 0xe7) ? 128 : 0;
}

// vector_width returns the bits of the registers that an instruction computes on; 0 for
// what is no vector instruction or only moves.
static int vector_width(const uint8_t *p) {
	int map, opcode, bits;
	if (p[0] == 0x62)
		map = p[1] & 7, opcode = p[4], bits = 128 << (p[3] >> 5 & 3);
	else if (p[0] == 0xc4)
		map = p[1] & 31, opcode = p[3], bits = p[2] & 4 ? 256 : 128;
	else if (p[0] == 0xc5)
		map = 1, opcode = p[2], bits = p[1] & 4 ? 256 : 128;
	else
		return legacy(p);
	if (map == 1 && strchr("\x10\x11\x28\x29\x6e\x6f\x7e\x7f\xd6", opcode) && opcode) return 0; // loads, stores, copies
	return bits;
}

static void trapped(int, siginfo_t *, void *context) {
	const uint8_t *p = (const uint8_t *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	int bits = vector_width(p);
	counts->all++;
	if (bits >= wide) counts->wide++;
}

// trap sets or clears the processor's flag; the pushes keep off what lies below the stack.
#define TRAP(HOW) __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; " HOW " (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "memory", "cc")

int vector_count(int isa, const Shape *shape, double *fields, const uint64_t *keys, double *feet, const double *numbers,
				 const int32_t *index, const int32_t *common, const double *params, int32_t first, int32_t last, int32_t n,
				 Counts *c) {
	struct sigaction now = {}, before;
	now.sa_sigaction = trapped;
	now.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigfillset(&now.sa_mask);
	counts = c, wide = isa == 0 ? 128 : 256;
	if (sigaction(SIGTRAP, &now, &before)) return 0;
	TRAP("orq $0x100,");
	vector_step(isa, shape, fields, keys, feet, numbers, index, common, params, first, last, n);
	TRAP("andq $~0x100,");
	return sigaction(SIGTRAP, &before, nullptr) == 0;
}
#else
int vector_count(int, const Shape *, double *, const uint64_t *, double *, const double *, const int32_t *,
				 const int32_t *, const double *, int32_t, int32_t, int32_t, Counts *) {
	return 0;
}
#endif
