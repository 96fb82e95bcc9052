// One channel's update. Included by kernel.h.

// led returns how recalled patterns lead channel c, or null (field.LeadOf).
const Lead *led(const Frame *f, int c) {
	int n = c >= 40 && c < 43 ? c - 40 : c >= 45 && c < 48 ? c - 42 : -1;
	return n >= 0 && f->leads[n].rate != 0 ? &f->leads[n] : 0;
}

// resting reports whether the update is known to change no bit (see
// pureGo.resting); the dense step always computes.
bool resting(const Field *fd, const Sheet *s, int c) {
	const Frame *f = fd->frame;
	if (fd->dense || !fd->still[c] || f->start[c] != f->start[c + 1] || s->noisy) return false;
	if ((s->trace >= 0 && !fd->still[s->trace]) || (s->egocentric && f->warp.active)) return false;
	for (int i = 0; i < f->num_couplings; i++)
		if (f->to[i] == c && f->weight[i] != 0) return false;
	return !led(f, c);
}

INLINE bool differs(vf a, vf b) {
	vi d = (vi)a ^ (vi)b;
	int32_t any = 0;
	for (int k = 0; k < LANES; k++) any |= d[k];
	return any != 0;
}

// Rates are one channel's constants of this tick, read once.
struct Rates {
	Coef k;
	float base; // min(40, c_glob F)
	bool amari, active, inhibit;
	const float *trace;
	const uint16_t *e, *i; // lateral excitation and inhibition
	bool noisy;
	uint32_t channel, tick_key;
	float rate, pull, weight[3]; // of the lead
	const float *from[3];
};

// Parts of the update that a channel may lack; each combination in use is
// compiled by itself, so that no row branches on them. The collapsed step also
// watches whether any bit changed.
enum { ACTIVE = 1, INHIBITED = 2, PRESHAPED = 4, SIGMOID = 8, WATCHED = 16, NOISY = 32, LED = 64 };

#define EACH(j, N) _Pragma("GCC unroll 8") for (int j = 0; j < (N); j++)

// cells are LANES distinct cells of a pattern along slot R.
INLINE vf cells(const float *p, const Sheet *s) { return s->pack[2] ? loadf(p) : all(*p); }

// write_cells advances N vectors of neighbouring cells from row (a, b) on: drive
// is S, d the diffused activation. It goes stage by stage over all of them,
// because each cell's own operations form one long chain.
template <int PARTS_OF, int N>
INLINE void write_cells(const Rates &r, const Sheet *s, int a, int b, const vf *drive, const vf *d,
						float *__restrict u, uint16_t *__restrict f, vi *__restrict q, vi *__restrict changed) {
	const int i = (a * s->extent[1] + b) * SIDE;
	vf v[N], next[N];
	EACH(j, N) v[j] = r.k.resting + drive[j];
	EACH(j, N) v[j] -= r.base;
	if (PARTS_OF & ACTIVE) EACH(j, N) v[j] += tofloat(loadh(r.e + i + j * LANES)) * r.k.excite;
	if (PARTS_OF & INHIBITED) EACH(j, N) v[j] -= tofloat(loadh(r.i + i + j * LANES)) * r.k.inhibit;
	if (PARTS_OF & PRESHAPED) EACH(j, N) v[j] += r.k.preshape * loadf(r.trace + i + j * LANES);
	EACH(j, N) next[j] = d[j] + r.k.alpha * (v[j] - d[j]);
	if (PARTS_OF & NOISY) {
		vu first;
		for (int k = 0; k < LANES; k++) first[k] = k * s->key[2];
		EACH(j, N) {
			int row = b + j / PARTS;
			vu cell = first + (uint32_t)(a * s->key[0] + row * s->key[1] + j % PARTS * LANES * s->key[2]);
			next[j] += r.k.noise * noise(cell, r.channel, r.tick_key);
		}
	}
	if (PARTS_OF & LED) EACH(j, N) {
		int at = a * s->pack[0] + (b + j / PARTS) * s->pack[1] + j % PARTS * LANES * s->pack[2];
		vf sum = r.weight[0] * cells(r.from[0] + at, s) + r.weight[1] * cells(r.from[1] + at, s);
		sum += r.weight[2] * cells(r.from[2] + at, s);
		next[j] += r.rate * (sum - r.pull * d[j]);
	}
	if (!(PARTS_OF & SIGMOID)) EACH(j, N) next[j] = settle(next[j]);
	if (PARTS_OF & WATCHED) EACH(j, N) *changed |= (vi)next[j] ^ (vi)loadf(u + i + j * LANES);
	EACH(j, N) storef(u + i + j * LANES, next[j]);
	EACH(j, N) q[j] = output(next[j], PARTS_OF & SIGMOID);
	EACH(j, N) storeh(f + i + j * LANES, q[j]);
}

// Walk hands out the old planes of a channel that is advanced in place: two
// copies of one plane each, and of the first plane where slot A wraps. A
// channel that was displaced has all its old planes in scratch already.
struct Walk {
	const float *moved; // old activations elsewhere, or null
	float *u, *first, *kept[2];
	int planes, size; // size of a plane
	bool wraps;

	Walk(Field *fd, Scratch *w, const Sheet *s, const float *displaced)
		: moved(displaced), u(fd->u + s->offset), first(w->u), kept{w->u + PLANE, w->u + 2 * PLANE},
		  planes(s->extent[0]), size(s->extent[1] * SIDE), wraps(s->axis[0] == AXIS_X) {
		if (!moved) __builtin_memcpy(first, u, size * sizeof(float));
	}
	Planes at(int a, const Sheet *s) {
		int lo = below(a, s->axis[0]), hi = above(a, s->axis[0]);
		if (planes == 1) lo = hi = 0;
		if (moved) return Planes{moved + lo * size, moved + a * size, moved + hi * size};
		float *now = kept[a & 1];
		__builtin_memcpy(now, u + a * size, size * sizeof(float));
		const float *last = hi > a ? u + hi * size : wraps ? first : now;
		return Planes{lo < a ? kept[1 - (a & 1)] : lo == a ? now : u + lo * size, now, last};
	}
};

// rows advances every row of a channel, two at a time where there are as many,
// and sums its outputs.
template <int PARTS_OF>
void rows(Field *fd, Scratch *w, const Inputs *in, const Sheet *s, int c, const Rates &rates, const float *displaced) {
	const Rates r = rates;
	Walk walk(fd, w, s, displaced);
	Sums sums;
	sums.begin();
	vi changed = {};
	float *u = fd->u + s->offset;
	uint16_t *f = fd->f + s->offset;
	vf drive[2 * PARTS] = {}, d[2 * PARTS] = {};
	vi q[2 * PARTS] = {};
	const bool inner = s->local[1] || s->local[2]; // marginals along B or R are wanted
	const int pair = s->extent[1] > 1 ? 2 : 1;
	for (int a = 0; a < s->extent[0]; a++) {
		vi plane[PARTS] = {};
		Planes p = r.k.nu != 0 || displaced ? walk.at(a, s) : Planes{0, u + a * walk.size, 0};
		for (int b = 0; b < s->extent[1]; b += pair) {
			fetch(u + (a + 1) * walk.size + b * SIDE); // the same rows of the next plane
			if (b == 0 || s->local[1]) {               // uniform along B: once per plane
				input(in, s, a, b, drive);
				if (pair == 2) input(in, s, a, s->local[1] ? b + 1 : b, drive + PARTS);
			}
			diffuse(s, p, b, r.k.nu, d);
			if (pair == 2) {
				fetch(u + (a + 1) * walk.size + (b + 1) * SIDE);
				diffuse(s, p, b + 1, r.k.nu, d + PARTS);
				write_cells<PARTS_OF, 2 * PARTS>(r, s, a, b, drive, d, u, f, q, &changed);
			} else {
				write_cells<PARTS_OF, PARTS>(r, s, a, b, drive, d, u, f, q, &changed);
			}
			for (int k = 0; k < pair; k++) {
				EACH_PART(j) plane[j] += q[k * PARTS + j];
				if (inner) EACH_PART(j) sums.row[b + k][j] += q[k * PARTS + j];
			}
		}
		EACH_PART(j) sums.plane[j] = plane[j];
		sums.plane_done(a);
	}
	fd->still[c] = (PARTS_OF & WATCHED) && !differs((vf)changed, vf{});
	if (!fd->still[c]) sums.store(s, &fd->marginals[c]);
}

// advance runs the combination of parts that the channel has this tick.
void advance(Field *fd, Scratch *w, const Inputs *in, const Sheet *s, int c, const Rates &r, const float *displaced) {
	int parts = (r.active ? ACTIVE : 0) | (r.inhibit ? INHIBITED : 0) | (r.trace ? PRESHAPED : 0) | (r.amari ? SIGMOID : 0);
	if (r.rate != 0) parts |= LED;
	if (r.noisy) parts |= NOISY; // never still: not watched
	else if (!fd->dense) parts |= WATCHED;
	switch (parts) {
#define CASE(P) \
	case P: return rows<P>(fd, w, in, s, c, r, displaced); \
	case (P) | WATCHED: return rows<(P) | WATCHED>(fd, w, in, s, c, r, displaced);
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
#define NOISE(P) case (P) | NOISY: return rows<(P) | NOISY>(fd, w, in, s, c, r, displaced);
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

void channel(Field *fd, Scratch *w, int c) {
	const Sheet *s = &fd->sheets[c];
	if (resting(fd, s, c)) return;
	const Frame *fr = fd->frame;
	uint64_t begin = stamp(w);
	float *u = fd->u + s->offset;
	const uint16_t *f = fd->f + s->offset;
	const float *moved_to = 0;
	Rates r = {fr->coef[c], 0, s->kind == AMARI, false, false, 0, w->e, w->i, fr->coef[c].noise != 0, (uint32_t)c, fr->tick_key, 0, 0, {}, {}};
	if (const Lead *l = led(fr, c)) {
		r.rate = l->rate;
		r.pull = l->pull;
		for (int n = 0; n < 3; n++) {
			r.weight[n] = l->weight[n];
			r.from[n] = fd->patterns + l->from[n];
		}
	}
	int32_t total = fd->marginals[c].total;
	if (s->egocentric && fr->warp.active) {
		displaced(&fr->warp, s, u, w->u, r.k.resting);
		int64_t sum = 0;
		for (int i = 0; i < s->size; i += LANES) {
			vi q = output(loadf(w->u + i), r.amari);
			storeh(w->f + i, q);
			for (int k = 0; k < LANES; k++) sum += q[k];
		}
		total = (int32_t)(sum / s->repeats);
		moved_to = w->u;
		f = w->f;
	}
	if (r.amari) {
		float g = (float)total * r.k.global_;
		r.base = g < 40 ? g : 40;
		r.active = total != 0 || fd->dense;
		r.inhibit = r.active && r.k.inhibit != 0;
	}
	uint64_t moved = stamp(w);
	if (r.active) lateral<5>(s, f, w->e, w->tmp, EXCITE);
	if (r.inhibit) lateral<9>(s, f, w->i, w->tmp, INHIBIT);
	if (s->trace >= 0) r.trace = fd->u + fd->sheets[s->trace].offset;
	uint64_t summed = stamp(w);
	Inputs in;
	collect(fr, s, c, &in);
	advance(fd, w, &in, s, c, r, moved_to);
	w->ticks[STAGE_MOVE] += moved - begin;
	w->ticks[STAGE_LATERAL] += summed - moved;
	w->ticks[STAGE_ROWS] += stamp(w) - summed;
}

// follow advances LANES cells of a trace: q is the source's output, v the trace.
template <bool GATED>
INLINE vf follow(const Coef &k, vi q, vf v) {
	vf next = v + k.alpha * (tofloat(q) * (1.0f / 32768) - v);
	if (GATED) next = q <= ONE / 2 ? v * k.keep : next;
	return settle(next);
}

// trace advances a gated memory trace or a running average of its source.
template <bool GATED>
void trace(Field *fd, int c) {
	const Sheet *s = &fd->sheets[c], *src = &fd->sheets[s->source];
	if (!fd->dense && fd->still[c] && fd->still[s->source]) return;
	const Coef k = fd->frame->coef[c];
	const bool inner = s->local[1] || s->local[2];
	float *__restrict u = fd->u + s->offset;
	uint16_t *__restrict f = fd->f + s->offset;
	const uint16_t *__restrict seen = fd->f + src->offset;
	Sums sums;
	sums.begin();
	vi changed = {};
	for (int a = 0; a < s->extent[0]; a++) {
		vi plane[PARTS] = {};
		for (int b = 0; b < s->extent[1]; b++)
			EACH_PART(j) {
				int i = (a * s->extent[1] + b) * SIDE + j * LANES;
				vf v = loadf(u + i), next = follow<GATED>(k, loadh(seen + i), v);
				changed |= (vi)next ^ (vi)v;
				storef(u + i, next);
				vi o = output(next, false);
				storeh(f + i, o);
				plane[j] += o;
				if (inner) sums.row[b][j] += o;
			}
		EACH_PART(j) sums.plane[j] = plane[j];
		sums.plane_done(a);
	}
	fd->still[c] = !differs((vf)changed, vf{});
	if (!fd->still[c]) sums.store(s, &fd->marginals[c]);
}

// mapping copies an egocentric map, computed by the preparation, into its
// channel.
void mapping(Field *fd, int c) {
	const Sheet *s = &fd->sheets[c];
	const Maps *m = &fd->frame->maps;
	const float *sheet = c == 35 ? m->hazard : c == 36 ? m->visited : m->obstacle;
	Sums sums;
	sums.begin();
	for (int a = 0; a < s->extent[0]; a++) {
		for (int b = 0; b < s->extent[1]; b++) {
			const float *at = sheet + a * s->pack[0] + b * s->pack[1];
			EACH_PART(j) {
				int i = s->offset + (a * s->extent[1] + b) * SIDE + j * LANES;
				vf v = s->pack[2] ? loadf(at + j * LANES) : all(*at);
				storef(fd->u + i, v);
				vi o = output(v, false);
				storeh(fd->f + i, o);
				sums.plane[j] += o;
				sums.row[b][j] += o;
			}
		}
		sums.plane_done(a);
	}
	fd->still[c] = 0;
	sums.store(s, &fd->marginals[c]);
}

void unit(Field *fd, Scratch *w, int n) {
	for (int i = fd->first[n]; i < fd->first[n + 1]; i++) {
		int c = fd->units[i];
		if (!fd->frame->run[c]) continue;
		int32_t kind = fd->sheets[c].kind;
		if (kind == AMARI || kind == LINEAR) {
			channel(fd, w, c);
			continue;
		}
		uint64_t begin = stamp(w);
		if (kind == MAPPING)
			mapping(fd, c);
		else if (kind == MEMORY)
			trace<true>(fd, c);
		else
			trace<false>(fd, c);
		w->ticks[STAGE_TRACES] += stamp(w) - begin;
	}
}
