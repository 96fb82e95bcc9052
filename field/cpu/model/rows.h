// The loops of the NEON engine, each in a function of its own, for the static report
// (make neon). Which functions there are is generated from the table of channels
// (entries.go). Nothing runs them. What a channel is, is known here when the compiler
// runs, so that a loop has no branches for what its channel lacks.
#define LOOP_IS(NAME) __asm__ volatile("// loop: " NAME)
#define APART static inline
#include <arm_neon.h>

#define LANES 4
#define LANE_OPERATIONS "lanes_neon.h"
#define LANE_POINT "point_neon.h"
#define LANE_LINES "lines_neon.h"
#include "kernel.h"

#define MODEL extern "C" __attribute__((flatten, noinline)) void

extern "C" uint16_t model_f[CELLS], model_e[CELLS], model_i[CELLS];

namespace {

// dense is a channel of the dense step, local along the axes of a mask, the first uniform one
// outermost or all in order (field.NewPlanesLayout).
constexpr PlacedChannel dense(int kind, int mask, bool outermost) {
	PlacedChannel s = {};
	s.kind = kind;
	s.mask = mask;
	s.trace = -1;
	s.size = CELLS;
	s.repeats = CELLS;
	const int key[3] = {PLANE, SIDE, 1};
	int axes[3] = {0, 1, 2};
	if (outermost && mask & AXIS_X) axes[0] = mask & AXIS_Y ? 2 : 1, axes[1] = 0, axes[2] = mask & AXIS_Y ? 1 : 2;
	if (outermost && mask == AXIS_Z) axes[1] = 2, axes[2] = 1;
	for (int n = 2, pack = 1; n >= 0; n--) {
		s.axis[n] = 1 << axes[n];
		s.extent[n] = SIDE;
		if (!(mask & s.axis[n])) continue;
		s.local[n] = 1;
		s.key[n] = key[axes[n]];
		s.pack[n] = pack;
		pack *= SIDE;
		s.repeats /= SIDE;
	}
	return s;
}

// elsewhere stands for the interaction of a plane, which has functions of its own here.
void elsewhere(const PlacedChannel *, const uint16_t *, const Kernels &, int, Ahead *) {}

} // namespace

// One axis of the interaction: loop 0, 1 or 2, the first axis of the channel or not, the
// last or not, with the sums of excitation, of inhibition, or both.
#define AXIS(NAME, LOOP, FIRST, LAST, EXCITE_TOO, INHIBIT_TOO)                                        \
	MODEL NAME() {                                                                                    \
		static constexpr PlacedChannel s = dense(AMARI, AXIS_X | AXIS_Y | AXIS_Z, false);             \
		Ahead none = {0, 0, 0};                                                                       \
		const Kernels to = {EXCITE_TOO ? model_e : 0, INHIBIT_TOO ? model_i : 0};                     \
		plain::loop<FIRST, LAST>(&s, LOOP, FIRST ? model_f : EXCITE_TOO ? model_e : model_i, to, &none); \
	}

// The update of a channel with one stimulus.
#define ROWS(NAME, KIND, MASK, OUTERMOST, PARTS_OF, DIFFUSES)                                         \
	MODEL NAME(Field *fd, Scratch *w, const Coef *k, const Stimulus *t, const float *of) {            \
		static constexpr PlacedChannel s = dense(KIND, MASK, OUTERMOST);                              \
		Inputs in;                                                                                    \
		in.terms = 1;                                                                                 \
		in.couplings = 0;                                                                             \
		in.leave = STRICT;                                                                            \
		in.term[0] = *t;                                                                              \
		Rates r = {*k, 0.5f, KIND == AMARI, true, true, of, w->e, w->i, 7, 9, {}, {}};                \
		r.k.nu = DIFFUSES ? 0.02f : 0;                                                                \
		const Ahead none = {0, 0, 0};                                                                 \
		rows<PARTS_OF, false>(fd, w, &in, &s, 7, r, Course{0, {elsewhere, 0, {}}, none, none});       \
	}

#define TRACE(NAME, GATED) \
	MODEL NAME(Field *fd) { trace<GATED>(fd, 16, -1); }

#define MAP(NAME) \
	MODEL NAME(Field *fd) { mapping(fd, OBST_MAP); }
