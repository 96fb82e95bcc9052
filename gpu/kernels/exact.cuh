// Arithmetic that gives the same bits as Go's: every product and sum is rounded
// by itself, by the compiler's --fmad=false and, in all that point.h does not have,
// by name. The names follow package exact, which explains the methods.
#ifndef FIELDBRAIN_EXACT_CUH
#define FIELDBRAIN_EXACT_CUH

#include "shared.cuh"

#define DEVICE static __device__ __forceinline__

DEVICE float mul(float a, float b) { return __fmul_rn(a, b); }
DEVICE float add(float a, float b) { return __fadd_rn(a, b); }
DEVICE float sub(float a, float b) { return __fsub_rn(a, b); }
DEVICE double mul(double a, double b) { return __dmul_rn(a, b); }
DEVICE double add(double a, double b) { return __dadd_rn(a, b); }
DEVICE double sub(double a, double b) { return __dsub_rn(a, b); }

// lowest and highest are Go's min and max for values that are numbers.
DEVICE float lowest(float a, float b) { return a < b ? a : b; }
DEVICE float highest(float a, float b) { return a > b ? a : b; }
DEVICE float clip(float v, float lo, float hi) { return lowest(highest(v, lo), hi); }

// A cell of the equation is a float here.
#define POINT DEVICE
DEVICE float real(int n) { return (float)n; }
DEVICE float real(uint32_t n) { return (float)(int32_t)n; }
DEVICE int whole(float v) { return (int)v; }
DEVICE float scale_add(float v, float k, float c) { return __fmaf_rn(v, k, c); }
DEVICE float choose(bool first, float a, float b) { return first ? a : b; }

#include "../../field/cpu/native/point.h"

// exact_exp is exact.Exp. It has no branch, so that several go side by side: beyond
// +-700 what it computes is not taken.
DEVICE double exact_exp(double x) {
	const double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10;
	const double terms[14] = {1.0 / 6227020800.0, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
							  1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1};
	double k = floor(add(mul(x, 1.44269504088896340735992468100189214), 0.5));
	double r = sub(sub(x, mul(k, ln2_hi)), mul(k, ln2_lo));
	double p = 0;
#pragma unroll
	for (int i = 0; i < 14; i++) p = add(mul(p, r), terms[i]);
	p = __longlong_as_double((long long)((unsigned long long)__double_as_longlong(p) + ((unsigned long long)__double2int_rz(k) << 52)));
	return x < -700 ? 0 : x > 700 ? __longlong_as_double(0x7ff0000000000000ll) : p; // infinite
}

// exact_log is exact.Log for positive, normal x.
static __device__ double exact_log(double x) {
	long long bits = __double_as_longlong(x);
	int e = (int)((bits >> 52) & 0x7ff) - 1022;
	double m = __longlong_as_double((bits & 0x000fffffffffffffll) | 0x3fe0000000000000ll); // in [0.5, 1)
	if (m < 1.41421356237309504880168872420969807856967187537694 / 2) {
		m = mul(m, 2.0);
		e--;
	}
	double s = __ddiv_rn(sub(m, 1.0), add(m, 1.0));
	const double inverse[11] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3};
	double s2 = mul(s, s), p = 0;
#pragma unroll
	for (int i = 0; i < 11; i++) p = add(mul(s2, p), inverse[i]);
	const double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10;
	double k = e;
	return add(mul(k, ln2_hi), add(mul(2.0, s), add(mul(mul(2.0, s), mul(s2, p)), mul(k, ln2_lo))));
}

// exact_quadrant is exact.Sin, or with shift exact.Cos, for |x| <= 1e5.
static __device__ double exact_quadrant(double x, int shift) {
	const double half_pi_hi = 1.57079632673412561417e+00, half_pi_lo = 6.07710050650619224932e-11;
	double k = floor(add(mul(x, 0.63661977236758134307553505349005744813783858296182), 0.5));
	double r = sub(sub(x, mul(k, half_pi_hi)), mul(k, half_pi_lo));
	int q = (__double2int_rz(k) + shift) & 3;
	double r2 = mul(r, r), p = 1, n = q & 1 ? 18 : 17;
	for (; n >= 2; n -= 2) p = sub(1.0, mul(__ddiv_rn(r2, mul(n, sub(n, 1.0))), p));
	if (!(q & 1)) p = mul(p, r);
	return q >= 2 ? -p : p;
}

#define PI 3.14159265358979323846264338327950288419716939937510582
#define BIN_ANGLE (2 * PI / SIDE)

// bearing_bin is field.BearingBin: radians to bins, in [0, 32).
DEVICE double bearing_bin(double psi) {
	double b = add(__ddiv_rn(psi, BIN_ANGLE), 16.0);
	return sub(b, mul((double)SIDE, floor(mul(b, 1.0 / SIDE)))); // a quotient by 32 is that product
}

// range_bin is field.RangeBin: metres to bins.
static __device__ double range_bin(double r) {
	if (r < 0.01) r = 0.01;
	return add(__ddiv_rn(exact_log(__ddiv_rn(r, 0.05)), 0.147555178164557533), 3.0);
}

// wrap_bins is field.wrapBins: a distance around the circle of 32 bins.
DEVICE double wrap_bins(double d) {
	return sub(d, mul((double)SIDE, floor(mul(add(d, (double)(SIDE / 2)), 1.0 / SIDE))));
}

DEVICE float faded(double weight) { return weight < 1e-30 ? 0.0f : (float)weight; }

// A Walk is a profile that is drawn by a chain of products: what four lanes of a warp
// find, each one exponential, and the cells before they are floats.
struct Walk {
	double start[4];      // the weight in the first cell, how steps change, the steps up and down
	int first, up, down;  // the cell next to the centre, and how far each side goes
	double cell[SIDE];
};

// Walks are those of a block: 32 at most, in the lanes of four warps.
struct Walks {
	Walk of[SIDE];
};

enum { LANES_OF_WALK = 4 };

// slope finds what a walk begins with: lane `which` one of its four numbers.
DEVICE void slope(Walk *w, int which, double centre, double sigma, bool wrap) {
	double k = __ddiv_rn(-1.0, mul(2.0, mul(sigma, sigma)));
	double nearest = floor(add(wrap ? wrap_bins(centre) : centre, 0.5));
	int first = wrap ? __double2int_rz(nearest) & (SIDE - 1) : __double2int_rz(nearest < 0 ? 0 : nearest > SIDE - 1 ? SIDE - 1 : nearest);
	double d = sub((double)first, centre);
	if (wrap) d = wrap_bins(d);
	const double twice = mul(2.0, d);
	w->start[which] = exact_exp(mul(which == 0 ? mul(d, d) : which == 1 ? 2.0 : which == 2 ? add(twice, 1.0) : sub(1.0, twice), k));
	if (which != 0) return;
	w->first = first;
	w->up = wrap ? SIDE / 2 - (d < 0 ? 0 : 1) : SIDE - 1 - first;
	w->down = wrap ? SIDE / 2 - (d < 0 ? 1 : 0) : first;
}

// walk is field.Row.gaussian but for the last rounding, which faded makes: the profile
// exp(-d^2 / 2 sigma^2) around centre, around the circle when wrap, all ones when sigma
// is 0. Lanes of a warp walk side by side, by the same instructions, four to a profile: a
// product of doubles costs a warp as much for one lane as for all. Both sides of the
// centre are walked at once, a chain of products each, and nothing but these: each step
// waits for the one before. Conversions to integers saturate on every machine. A whole
// warp calls it; what is not real is not drawn.
static __device__ void walk(Walks *walks, int n, bool real, double centre, double sigma, bool wrap) {
	Walk *w = &walks->of[n & (SIDE - 1)];
	const int which = threadIdx.x % LANES_OF_WALK;
	if (real && sigma != 0) slope(w, which, centre, sigma, wrap);
	__syncwarp();
	if (!real || which != 0) return;
	if (sigma == 0) {
		for (int i = 0; i < SIDE; i++) w->cell[i] = 1;
		return;
	}
	const double bend = w->start[1];
	double above = w->start[0], below = above, right = w->start[2], left = w->start[3];
	const int first = w->first, up = w->up, down = w->down, most = up > down ? up : down;
	w->cell[first] = above;
#pragma unroll 4
	for (int i = 1; i <= most; i++) {
		above = mul(above, right);
		right = mul(right, bend);
		below = mul(below, left);
		left = mul(left, bend);
		if (i <= up) w->cell[(first + i) & (SIDE - 1)] = above;
		if (i <= down) w->cell[(first - i) & (SIDE - 1)] = below;
	}
}

#endif
