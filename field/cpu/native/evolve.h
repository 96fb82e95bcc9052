// One channel's update. Included by kernel.h.

// lead_of is field.LeadOf: which of the leads channel c follows, or -1.
INLINE int lead_of(int c) {
	const int each = LEADS / 2;
	if (c >= HEAD_PREF && c < HEAD_PREF + each) return c - HEAD_PREF;
	return c >= FIRST_FREE && c < FIRST_FREE + each ? c - FIRST_FREE + each : -1;
}

// led returns how recalled patterns lead channel c, or null.
INLINE const Lead *led(const Frame *f, int c) {
	const int n = lead_of(c);
	return n >= 0 && f->leads[n].rate != 0 ? &f->leads[n] : 0;
}

// resting reports whether the update is known to change no bit (see
// pureGo.resting); the dense step always computes.
bool resting(const Field *fd, const PlacedChannel *s, int c) {
	const Frame *f = fd->frame;
	if (fd->dense || !fd->still[c] || f->start[c] != f->start[c + 1] || f->coef[c].noise != 0) return false;
	if ((s->trace >= 0 && !fd->still[s->trace]) || (s->egocentric && f->warp.active)) return false;
	for (int i = 0; i < f->num_couplings; i++)
		if (f->to[i] == c && f->weight[i] != 0) return false;
	return !led(f, c);
}

// Rates are one channel's constants of this tick, read once.
struct Rates {
	Coef k;
	float base; // global inhibition
	bool amari, active, inhibit;
	const float *trace;
	const uint16_t *e, *i; // lateral excitation and inhibition
	uint32_t channel, tick_key;
	Lead lead;
	const float *from[3]; // what leads
};

// Each combination of parts in use (point.h) is compiled by itself, so that no row
// branches on them. The collapsed step also watches whether any bit changed.
enum { SIGMOID = NEXT_PART, WATCHED = 2 * NEXT_PART };

// A Patch is N vectors of neighbouring cells from part `first` of row (a, b) on, cell i
// of the channel and cell l of its lateral sums: what the equation asks for besides their
// own activations.
template <int N>
struct Patch {
	typedef Block<vf, N> Cells;
	const Rates &r;
	const PlacedChannel *s;
	int a, b, first, i, l;

	INLINE_MEMBER int row(int j) const { return b + (first + j) / PARTS; }
	INLINE_MEMBER int bin(int j) const { return (first + j) % PARTS * LANES; } // of loop R

	INLINE_MEMBER Cells lateral(const uint16_t *sums) const {
		Cells to;
		EACH(j, N) to.v[j] = reals(sums + l + j * LANES);
		return to;
	}
	INLINE_MEMBER Cells excitation() const { return lateral(r.e); }
	INLINE_MEMBER Cells inhibition() const { return lateral(r.i); }
	INLINE_MEMBER Cells trace() const {
		Cells to;
		EACH(j, N) to.v[j] = loadf(r.trace + i + j * LANES);
		return to;
	}
	INLINE_MEMBER Cells noise() const {
		const vu along = (vu)lane() * (uint32_t)s->key[2];
		Cells to;
		EACH(j, N) {
			vu cell = along + (uint32_t)(a * s->key[0] + row(j) * s->key[1] + bin(j) * s->key[2]);
			to.v[j] = ::noise(cell, r.channel, r.tick_key);
		}
		return to;
	}
	INLINE_MEMBER Cells pattern(int n) const {
		Cells to;
		EACH(j, N) {
			const float *p = r.from[n] + a * s->pack[0] + row(j) * s->pack[1] + bin(j) * s->pack[2];
			to.v[j] = s->pack[2] == 1 ? loadf(p) : s->pack[2] ? strided(p, s->pack[2]) : all(*p);
		}
		return to;
	}
	INLINE_MEMBER Cells recalled(const Cells &d) const { return ::recalled(r.lead, d, pattern(0), pattern(1), pattern(2)); }
};

// write_cells advances N vectors of cells: s is what begin makes of their input, d their
// diffused activations.
template <int PARTS_OF, int N>
INLINE void write_cells(const Patch<N> &at, const vf *s, const vf *d, float *__restrict u, uint16_t *__restrict f,
						Sums *sums, vi *__restrict changed) {
	const Rates &r = at.r;
	Block<vf, N> input, old;
	EACH(j, N) input.v[j] = s[j];
	EACH(j, N) old.v[j] = d[j];
	Coef k = r.k;
	k.resting = -0.0f; // in the input already: adds nothing
	const Block<vf, N> b = drive(k, PARTS_OF, input, 0, at), next = relax(k, PARTS_OF, PARTS_OF & SIGMOID, old, b, at);
	u += at.i;
	f += at.i;
	if (PARTS_OF & WATCHED) EACH(j, N) *changed |= (vi)next.v[j] ^ (vi)loadf(u + j * LANES);
	EACH(j, N) storef(u + j * LANES, next.v[j]);
	const Block<vi, N> out = output(next, PARTS_OF & SIGMOID);
	EACH(j, N) if (j % 2) storeh2(f + (j - 1) * LANES, out.v[j - 1], out.v[j]);
	const int in_row = N < PARTS ? N : PARTS;
	EACH(n, N / in_row) sums->add<in_row>(at.row(n * in_row), (at.first + n * in_row) % PARTS, out.v + n * in_row);
}

// Within is what of the interaction is left to do plane by plane, so that its sums are
// still in the first cache level where the rows ask for them.
struct Within {
	void (*plane)(const PlacedChannel *, const uint16_t *f, const Kernels &, int a, Ahead *); // or null
	const uint16_t *f;
	Kernels to;
};

// A Course is where a channel's old activations lie, if not in place, what is left of
// its interaction, and what the processor should fetch meanwhile.
struct Course {
	const float *displaced; // or null
	Within lateral;
	Ahead own, next;
};

// group_of says how many vectors a block has at most: so many as fit into the registers, and
// as keep the processor busy while each waits for its own last operation.
constexpr int group_of(int parts) { return LANES == 16 && parts & SIGMOID ? 8 : 4; }

// rows_of says how many rows one block has.
constexpr int rows_of(int parts) { return PARTS < group_of(parts) ? group_of(parts) / PARTS : 1; }

// rows advances every row of a channel, several at a time where its planes have several
// (PAIRED), and sums its outputs.
template <int PARTS_OF, bool PAIRED>
void rows(Field *fd, Scratch *w, Inputs *in, const PlacedChannel *s, int c, const Rates &rates, const Course &course) {
	const Rates r = rates;
	Walk walk(fd, w, s, course.displaced);
	Ahead own = course.own, ahead = course.next;
	Sums sums(s);
	vi changed = {};
	float *u = fd->u + s->offset;
	uint16_t *f = fd->f + s->offset;
	enum { GROUP = group_of(PARTS_OF), PAIR = PAIRED ? rows_of(PARTS_OF) : 1 };
	enum { VECTORS = PAIR * PARTS, N = VECTORS < GROUP ? VECTORS : GROUP };
	vf d[VECTORS] = {};
	alignas(64) vf begun[SIDE * PARTS];                  // what drive begins with in the rows of a plane
	const bool alike = !s->local[1] && s->extent[1] > 1; // they all have the same input
	const Ground ground = {r.k.resting, r.base};
	for (int a = 0; a < s->extent[0]; a++) {
		if (PARTS_OF & ACTIVE) {
			const uint64_t begin = stamp(w);
			course.lateral.plane(s, course.lateral.f, course.lateral.to, a, &own);
			w->ticks[STAGE_LATERAL] += stamp(w) - begin;
		}
		Planes p = r.k.nu != 0 || course.displaced ? walk.at(a, s) : Planes{0, u + a * walk.size, 0, 0};
		if (a == 0 || s->local[0]) begin<(PARTS_OF & ACTIVE) != 0>(ground, in, s, a, alike ? PAIR : s->extent[1], begun);
		for (int b = 0; b < s->extent[1]; b += PAIR) {
			LOOP_IS("row");
			const int i = a * walk.size + b * SIDE, l = s->local[0] ? i : b * SIDE;
			ahead.fetch(PAIR);
			EACH(k, PAIR) fetch(u + i + walk.size + k * SIDE); // the same row of the next plane
			diffuse<PAIR>(s, p, b, r.k.nu, d);
			const vf *sum = begun + (alike ? 0 : b * PARTS);
			EACH(n, VECTORS / N)
				write_cells<PARTS_OF>(Patch<N>{r, s, a, b, n * N, i + n * N * LANES, l + n * N * LANES}, sum + n * N, d + n * N,
									  u, f, &sums, &changed);
		}
		sums.plane_done(a);
	}
	fd->still[c] = (PARTS_OF & WATCHED) && !differs((vf)changed, vf{});
	if (!fd->still[c]) sums.store(s, &fd->marginals[c]);
}

// advanced chooses how many rows at a time.
template <int PARTS_OF>
void advanced(Field *fd, Scratch *w, Inputs *in, const PlacedChannel *s, int c, const Rates &r, const Course &course) {
	const bool several = rows_of(PARTS_OF) > 1;
	if (several && s->extent[1] > 1) return rows<PARTS_OF, several>(fd, w, in, s, c, r, course);
	rows<PARTS_OF, false>(fd, w, in, s, c, r, course);
}

// advance runs the combination of parts that the channel has this tick.
APART void advance(Field *fd, Scratch *w, Inputs *in, const PlacedChannel *s, int c, const Rates &r, const Course &course) {
	int parts = (r.active ? ACTIVE : 0) | (r.inhibit ? INHIBITED : 0) | (r.trace ? PRESHAPED : 0) | (r.amari ? SIGMOID : 0);
	if (r.lead.rate != 0) parts |= LED;
	if (r.k.noise != 0) parts |= NOISY; // never still: not watched
	else if (!fd->dense) parts |= WATCHED;
	switch (parts) {
#define CASE(P) \
	case P: return advanced<P>(fd, w, in, s, c, r, course); \
	case (P) | WATCHED: return advanced<(P) | WATCHED>(fd, w, in, s, c, r, course);
		CASE(0)
		CASE(SIGMOID)
		CASE(SIGMOID | PRESHAPED)
		CASE(SIGMOID | ACTIVE)
		CASE(SIGMOID | ACTIVE | PRESHAPED)
		CASE(SIGMOID | ACTIVE | INHIBITED)
		CASE(SIGMOID | ACTIVE | INHIBITED | PRESHAPED)
		CASE(PRESHAPED)
		CASE(LED)
		CASE(LED | PRESHAPED)
#undef CASE
#define NOISE(P) case (P) | NOISY: return advanced<(P) | NOISY>(fd, w, in, s, c, r, course);
		NOISE(0)
		NOISE(SIGMOID)
		NOISE(SIGMOID | PRESHAPED)
		NOISE(SIGMOID | ACTIVE)
		NOISE(SIGMOID | ACTIVE | PRESHAPED)
		NOISE(SIGMOID | ACTIVE | INHIBITED)
		NOISE(SIGMOID | ACTIVE | INHIBITED | PRESHAPED)
		NOISE(PRESHAPED)
		NOISE(LED)
		NOISE(LED | PRESHAPED)
#undef NOISE
	}
}

// asked returns what is wanted of a channel before its rows: the outputs, whose planes
// the interaction reads side by side, or the first activations. Without a channel, and
// in the collapsed step, whose field stays in the second cache level, nothing is.
INLINE Ahead asked(const Field *fd, int c) {
	if (c < 0 || !fd->dense) return Ahead{0, 0, 0};
	const PlacedChannel *s = &fd->channels[c];
	const char *at = s->kind == AMARI ? (const char *)(fd->f + s->offset) : (const char *)(fd->u + s->offset);
	return Ahead{at, at + s->size * sizeof *fd->f, 1};
}

void channel(Field *fd, Scratch *w, int c, int next) {
	const PlacedChannel *s = &fd->channels[c];
	if (resting(fd, s, c)) return;
	const Frame *fr = fd->frame;
	uint64_t begin = stamp(w);
	float *u = fd->u + s->offset;
	const uint16_t *f = fd->f + s->offset;
	Course course = {0, {}, {0, 0, 0}, asked(fd, next)};
	Rates r = {fr->coef[c], 0, s->kind == AMARI, false, false, 0, w->e, w->i, (uint32_t)c, fr->tick_key, {}, {}};
	if (const Lead *l = led(fr, c)) {
		r.lead = *l;
		for (int n = 0; n < 3; n++) r.from[n] = fd->patterns + l->from[n];
	}
	int32_t total = fd->marginals[c].total;
	if (s->egocentric && fr->warp.active) {
		displaced(&fr->warp, s, u, w->u, r.k.resting);
		vi sum = {};
		for (int i = 0; i < s->size; i += 2 * LANES) {
			const vi low = output(loadf(w->u + i), r.amari), high = output(loadf(w->u + i + LANES), r.amari);
			storeh2(w->f + i, low, high);
			sum += low + high;
		}
		total = all_lanes(sum) / s->repeats;
		course.displaced = w->u;
		f = w->f;
	}
	if (r.amari) {
		r.base = global(r.k, total);
		r.active = total != 0 || fd->dense;
		r.inhibit = r.active && r.k.inhibit != 0;
	}
	uint64_t moved = stamp(w);
	if (r.active) {
		Ahead own = {(const char *)u, (const char *)(u + s->size), 2};
		if (!fd->dense || course.displaced) own.end = own.at;
		course.lateral = {plain::within, f, {w->e, r.inhibit ? w->i : 0}};
#ifdef FUSED_DOT
		if (fd->dots) course.lateral.plane = fused::within;
		if (fd->dots) fused::between(s, f, course.lateral.to, &own);
		else
#endif
			plain::between(s, f, course.lateral.to, &own);
		course.own = own;
	}
	if (s->trace >= 0) r.trace = fd->u + fd->channels[s->trace].offset;
	uint64_t summed = stamp(w);
	Inputs in;
	collect(fd, s, c, r.lead.rate != 0, &in);
	w->ticks[STAGE_MOVE] += moved - begin;
	w->ticks[STAGE_LATERAL] += summed - moved;
	const uint64_t within = w->ticks[STAGE_LATERAL]; // more of it comes among the rows
	{
		const Results results(in.leave == ALONE ? FLUSHED : AS_BEFORE);
		advance(fd, w, &in, s, c, r, course);
	}
	w->ticks[STAGE_ROWS] += stamp(w) - summed - (w->ticks[STAGE_LATERAL] - within);
}

// trace advances a gated memory trace or a running average of its source.
template <bool GATED>
void trace(Field *fd, int c, int next) {
	const PlacedChannel *s = &fd->channels[c], *src = &fd->channels[s->source];
	if (!fd->dense && fd->still[c] && fd->still[s->source]) return;
	const Coef k = fd->frame->coef[c];
	float *__restrict u = fd->u + s->offset;
	uint16_t *__restrict f = fd->f + s->offset;
	const uint16_t *__restrict seen = fd->f + src->offset;
	Ahead ahead = asked(fd, next);
	Sums sums(s);
	vi changed = {};
	for (int a = 0; a < s->extent[0]; a++) {
		for (int b = 0; b < s->extent[1]; b++) {
			LOOP_IS("row");
			ahead.fetch(1);
			fetch(u + s->extent[1] * SIDE);
			vf next[PARTS];
			EACH_PART(j) {
				const vf v = loadf(u + j * LANES);
				next[j] = follow(k, GATED, v, shares(seen + j * LANES));
				changed |= (vi)next[j] ^ (vi)v;
			}
			vi o[PARTS];
			EACH_PART(j) storef(u + j * LANES, next[j]);
			EACH_PART(j) o[j] = output(next[j], false);
			EACH_PART(j) if (j % 2) storeh2(f + (j - 1) * LANES, o[j - 1], o[j]);
			sums.add<PARTS>(b, 0, o);
			u += SIDE, f += SIDE, seen += SIDE;
		}
		sums.plane_done(a);
	}
	fd->still[c] = !differs((vf)changed, vf{});
	if (!fd->still[c]) sums.store(s, &fd->marginals[c]);
}

// mapping copies an egocentric map, computed by the preparation, into its
// channel.
void mapping(Field *fd, int c) {
	const PlacedChannel *s = &fd->channels[c];
	const Maps *m = &fd->frame->maps;
	const float *map = c == HAZARD_MAP ? m->hazard : c == VISITED_MAP ? m->visited : m->obstacle;
	float *__restrict u = fd->u + s->offset;
	uint16_t *__restrict f = fd->f + s->offset;
	Sums sums(s);
	for (int a = 0; a < s->extent[0]; a++) {
		for (int b = 0; b < s->extent[1]; b++) {
			LOOP_IS("row");
			const float *at = map + a * s->pack[0] + b * s->pack[1];
			vf v[PARTS];
			vi o[PARTS];
			EACH_PART(j) v[j] = s->pack[2] ? loadf(at + j * LANES) : all(*at);
			EACH_PART(j) storef(u + j * LANES, v[j]);
			EACH_PART(j) o[j] = output(v[j], false);
			EACH_PART(j) if (j % 2) storeh2(f + (j - 1) * LANES, o[j - 1], o[j]);
			sums.add<PARTS>(b, 0, o);
			u += SIDE, f += SIDE;
		}
		sums.plane_done(a);
	}
	fd->still[c] = 0;
	sums.store(s, &fd->marginals[c]);
}

// runs returns the first channel of entries i to end-1 of the units' list that this
// tick updates, or -1.
INLINE int runs(const Field *fd, int i, int end) {
	for (; i < end; i++)
		if (fd->frame->run[fd->units[i]]) return fd->units[i];
	return -1;
}

void unit(Field *fd, Scratch *w, int n) {
	const int end = fd->first[n + 1], after = n + fd->workers; // which the same worker probably takes
	for (int i = fd->first[n]; i < end; i++) {
		const int c = fd->units[i];
		if (!fd->frame->run[c]) continue;
		int next = runs(fd, i + 1, end);
		if (next < 0 && after < fd->count) next = runs(fd, fd->first[after], fd->first[after + 1]);
		const int32_t kind = fd->channels[c].kind;
		if (kind == AMARI || kind == LINEAR) {
			channel(fd, w, c, next);
			continue;
		}
		const uint64_t begin = stamp(w);
		if (kind == MAPPING)
			mapping(fd, c);
		else if (kind == MEMORY)
			trace<true>(fd, c, next);
		else
			trace<false>(fd, c, next);
		w->ticks[STAGE_TRACES] += stamp(w) - begin;
	}
}
