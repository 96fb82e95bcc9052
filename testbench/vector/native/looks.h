// Looks at a floor that looks the same everywhere: ground of ground.h for one vector of
// cars after the other, which wait for that. Such a look depends on its number and on
// nothing that a car does; so of the looks in a call only the last is taken.

namespace {

// A Look is that of WIDTH cars: how many of them the call had, of which the last counts.
struct Look {
	Cars c;
	double light;
	double times[WIDTH];
};

// Looks are those that wait.
struct Looks {
	int n;
	Look list[16];
};

// glance is ground. The sensors have no branch of their own, so that they do not wait for
// one another.
INLINE void glance(const Look &l) {
	const Cars &c = l.c;
	double *f = c.f;
	const V times = load(l.times), error = load(PARAM(F_FLOOR_ERR)), room = 0.5 - (error * NORMAL_ERROR + 1e-6);
	const V looks = load(f + F_LOOKS * BLOCK) + times, number = 2 * looks - 1;
	const I due = times > 0;
	const U at = place(number);
	U key[FLOORS];
	V mean[FLOORS], near[FLOORS];
	I sure[FLOORS], all = due;
	for (int k = 0; k < FLOORS; k++) {
		key[k] = load(c.keys + (K_FLOOR + k) * BLOCK);
		mean[k] = l.light * load(f + (F_SPREAD + k) * BLOCK);
		V v = mean[k] + error * nearly_normal(mix(key[k] + at), mix(key[k] + at + GOLDEN), &sure[k]);
		near[k] = (v + MAGIC) - MAGIC;
		sure[k] = sure[k] & (I)(absolute(v - near[k]) < room);
		near[k] = near[k] > 0 ? near[k] : V{};
		near[k] = near[k] < FULL_SCALE ? near[k] : splat(FULL_SCALE);
		all = all & sure[k];
	}
	if (RARELY(any(due & ~all)))
		for (int k = 0; k < FLOORS; k++)
			if (any(due & ~sure[k])) near[k] = sure[k] ? near[k] : whole(mean[k], error, key[k], number);
	for (int k = 0; k < FLOORS; k++) {
		double *counts = f + (F_COUNTS + k) * BLOCK;
		store(counts, due ? near[k] : load(counts));
	}
	store(f + F_LOOKS * BLOCK, looks);
}

// glances takes the looks that wait.
RARE void glances(Looks &w) {
	for (int i = 0; i < w.n; i++) glance(w.list[i]);
	w.n = 0;
}

// look_later lets cars look as many times.
INLINE void look_later(const Shape *shape, const Cars &c, V times, Looks &w) {
	Look &l = w.list[w.n++];
	l.c = c, l.light = shape->numbers[c.site[CAR_AT] + CAR_GROUND];
	store(l.times, times);
	if (w.n == sizeof w.list / sizeof *w.list) glances(w);
}

} // namespace
