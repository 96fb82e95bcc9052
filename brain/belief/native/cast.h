// The loops of one instruction set. The including file defines LANES and the
// lane operations: vi (int32 lanes), M (a mask), and the functions used below.

#define INLINE static inline __attribute__((always_inline))

// An Axis is the walk of the lanes' rays along one axis: t of the next crossing,
// t per cell, index step per cell.
struct Axis {
	vi t, per, by;
};

INLINE Axis first(const int32_t *d, int32_t part, int32_t step) {
	vi way = load(d);
	M up = above(way, splat(0));
	vi per = choose(up, way, splat(0) - way);
	vi to = choose(up, splat(1024 - part), splat(part));
	return {(per * to) >> 10, per, choose(up, splat(step), splat(-step))};
}

// advance moves every lane to the next cell along the axis whose crossing is
// first, the earlier axis on a tie.
INLINE void advance(Axis &x, Axis &y, Axis &z, vi &at) {
	M mx = both(notabove(x.t, y.t), notabove(x.t, z.t));
	M my = without(notabove(y.t, z.t), mx);
	at += choose(mx, x.by, choose(my, y.by, z.by));
	vi px = x.per, py = y.per, pz = z.per;
	x.t = addif(mx, x.t, px);
	y.t = addif(my, y.t, py);
	z.t = addif(neither(mx, my), z.t, pz);
}

// leave is the t at which the lanes enter the border along one axis.
INLINE vi leave(const Axis &a, const int32_t *d, int32_t cell) {
	M up = above(load(d), splat(0));
	return a.t + choose(up, splat(SIDE - cell), splat(cell - 1)) * a.per;
}

// walk advances every lane that has not entered the border at t = out. It does
// not look at what is in the cells, so that their loads need not wait for each
// other.
INLINE void walk(Axis &x, Axis &y, Axis &z, vi &at, vi out) {
	vi m = smaller(smaller(x.t, y.t), z.t);
	M live = notabove(m, out);
	M mx = both(live, notabove(x.t, m));
	M my = without(both(live, notabove(y.t, m)), mx);
	M mz = without(live, either(mx, my));
	at = addif(mx, at, x.by);
	at = addif(my, at, y.by);
	at = addif(mz, at, z.by);
	x.t = addif(mx, x.t, x.per);
	y.t = addif(my, y.t, y.per);
	z.t = addif(mz, z.t, z.per);
}

// packet casts LANES rays and adds their gains.
template <bool OVERLAY>
INLINE int64_t packet(const int8_t *odds, const uint32_t *seen, const Classes &classes, const Fan *f,
					  const int32_t *d, int32_t *gain) {
	Axis x = first(d, f->part[0], PADDED * PADDED);
	Axis y = first(d + PER_AXIS, f->part[1], PADDED);
	Axis z = first(d + 2 * PER_AXIS, f->part[2], 1);
	const vi out = smaller(smaller(leave(x, d, f->cell[0]), leave(y, d + PER_AXIS, f->cell[1])),
						   leave(z, d + 2 * PER_AXIS, f->cell[2]));
	vi at = splat(f->at), sum = load(gain);
	vi reach = splat(ONE | ONE << 16); // in both halves
	M on = above(reach, splat(0));
	int64_t visits = 0;
	while (any(on)) {
		visits += count(on);
		vi e = lookup(classes, bytes(odds, at));
		if (OVERLAY) e = dimmed(e, seen, at);
		vi p = products(reach, e); // low: what passes; high: gain
		sum += high(p);
		reach = low_twice(p);
		on = above(reach, splat((FAINT - 1) << 16 | 0xffff));
		reach = only(on, reach);
		walk(x, y, z, at, out);
	}
	store(gain, sum);
	return visits;
}

template <bool OVERLAY>
INLINE int64_t fan(const int8_t *odds, const uint32_t *seen, const int32_t *dirs, const uint32_t *table, const Fan *f,
				   int32_t *gain) {
	const Classes classes = load_classes(table);
	int64_t visits = 0;
	for (int n = 0; n < f->count; n++) {
		const int32_t *d = dirs + (f->row + n * f->stride) * WIDE + f->first;
		for (int c = 0; c < COLUMNS; c += LANES) visits += packet<OVERLAY>(odds, seen, classes, f, d + c, gain + c);
	}
	return visits;
}

// trace marks LANES rays of a scan.
INLINE void trace(uint8_t *mark, const int32_t *d, const Scan *s, const int32_t *until, const int32_t *ends,
				  const uint8_t *echo, int32_t *hits) {
	Axis x = first(d, s->part[0], PADDED * PADDED);
	Axis y = first(d + PER_AXIS, s->part[1], PADDED);
	Axis z = first(d + 2 * PER_AXIS, s->part[2], 1);
	const vi limit = load(until), end = load(ends);
	const vi out = smaller(smaller(leave(x, d, s->cell[0]), leave(y, d + PER_AXIS, s->cell[1])),
						   leave(z, d + 2 * PER_AXIS, s->cell[2]));
	const vi last = smaller(end, out);
	vi at = splat(s->at), t = splat(0), final = at;
	M on = above(end, splat(0));
	while (any(on)) {
		alignas(64) int32_t cells[LANES];
		store(cells, choose(both(on, above(limit, t)), at, splat(0))); // cell 0 is border and takes what is left over
		for (int k = 0; k < LANES; k++) mark[cells[k]] = MARK_FREE;
		final = choose(on, at, final);
		t = smaller(x.t, smaller(y.t, z.t));
		on = both(on, above(last, t));
		advance(x, y, z, at);
	}
	M inside = both(above(end, splat(0)), above(out, end));
	alignas(64) int32_t cells[LANES];
	store(cells, choose(inside, final, splat(0)));
	for (int k = 0; k < LANES; k++) hits[k] = echo[k] ? cells[k] : 0;
}

static void scan(uint8_t *mark, const int32_t *dirs, const Scan *s, const int32_t *until, const int32_t *end,
				 const uint8_t *echo, int32_t *hits) {
	for (int r = 0; r < ROWS; r++) {
		if (!s->rows[r]) continue;
		for (int c = 0; c < COLUMNS; c += LANES) {
			int n = r * COLUMNS + c;
			trace(mark, dirs + r * WIDE + s->first + c, s, until + n, end + n, echo + n, hits + n);
		}
	}
	mark[0] = 0;
}

static void apply(int8_t *odds, uint8_t *mark, int32_t cells, const int8_t *weights) {
	const int free = weights[MARK_FREE], arc = weights[MARK_ARC], hit = weights[MARK_HIT];
	for (int i = 0; i < cells; i++) {
		int m = mark[i], v = odds[i];
		int moved = v + (m == MARK_FREE ? free : m == MARK_ARC ? arc : hit);
		moved = moved > LIMIT ? LIMIT : moved < -LIMIT ? -LIMIT : moved;
		odds[i] = m ? moved : v;
		mark[i] = 0;
	}
}

#define DEFINE(ISA)                                                                                              \
	int64_t belief_fan_##ISA(const int8_t *odds, const uint32_t *seen, const int32_t *dirs, const uint32_t *table, \
							 const Fan *f, int32_t *gain) {                                                      \
		return seen ? fan<true>(odds, seen, dirs, table, f, gain) : fan<false>(odds, seen, dirs, table, f, gain); \
	}                                                                                                            \
	void belief_scan_##ISA(uint8_t *mark, const int32_t *dirs, const Scan *s, const int32_t *until,               \
						   const int32_t *end, const uint8_t *echo, int32_t *hits) {                             \
		scan(mark, dirs, s, until, end, echo, hits);                                                             \
	}                                                                                                            \
	void belief_apply_##ISA(int8_t *odds, uint8_t *mark, int32_t cells, const int8_t *w) {                       \
		apply(odds, mark, cells, w);                                                                            \
	}
