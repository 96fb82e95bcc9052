// One channel's update. Included by kernel.h.

// resting reports whether the update is known to change no bit (see
// pureGo.resting); the dense step always computes.
bool resting(const Field *fd, const Sheet *s, int c) {
	const Frame *f = fd->frame;
	if (fd->dense || !fd->still[c] || f->start[c] != f->start[c + 1] || s->noisy) return false;
	if ((s->trace >= 0 && !fd->still[s->trace]) || (s->egocentric && f->warp.active)) return false;
	for (int i = 0; i < f->num_couplings; i++)
		if (f->to[i] == c && f->weight[i] != 0) return false;
	return true;
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
	uint32_t channel, tick_key;
};

// write_row advances 32 cells: drive is S, d the diffused activation.
INLINE void write_row(const Rates &r, const Sheet *s, int a, int b, const vf *drive, const vf *d,
					  float *__restrict u, uint16_t *__restrict f, vi *__restrict q, vi *changed) {
	int i = (a * s->extent[1] + b) * SIDE;
	EACH_PART(j) {
		int at = i + j * LANES;
		vf v = r.k.resting + drive[j];
		v -= r.base;
		if (r.active) v += tofloat(loadh(r.e + at)) * r.k.excite;
		if (r.inhibit) v -= tofloat(loadh(r.i + at)) * r.k.inhibit;
		if (r.trace) v += r.k.preshape * loadf(r.trace + at);
		vf next = d[j] + r.k.alpha * (v - d[j]);
		if (r.k.noise != 0) {
			vu cell;
			for (int k = 0; k < LANES; k++) cell[k] = (j * LANES + k) * s->key[2];
			cell += (uint32_t)(a * s->key[0] + b * s->key[1]);
			next += r.k.noise * noise(cell, r.channel, r.tick_key);
		}
		*changed |= (vi)next ^ (vi)loadf(u + at);
		storef(u + at, next);
		q[j] = output(next, r.amari);
		storeh(f + at, q[j]);
	}
}

// rows advances every row of a channel and sums its outputs.
void rows(Field *fd, const Inputs *in, const Sheet *s, int c, const Rates &r, const float *old) {
	Sums sums;
	sums.begin();
	vi changed = {};
	float *u = fd->u + s->offset;
	uint16_t *f = fd->f + s->offset;
	vf drive[PARTS], d[PARTS];
	vi q[PARTS];
	for (int a = 0; a < s->extent[0]; a++) {
		vi plane[PARTS] = {};
		for (int b = 0; b < s->extent[1]; b++) {
			if (b == 0 || s->local[1]) input(in, s, a, b, drive); // uniform along B: once per plane
			diffuse(s, old, a, b, r.k.nu, d);
			write_row(r, s, a, b, drive, d, u, f, q, &changed);
			EACH_PART(j) {
				plane[j] += q[j];
				sums.row[b][j] += q[j];
			}
		}
		EACH_PART(j) sums.plane[j] = plane[j];
		sums.plane_done(a);
	}
	fd->still[c] = !differs((vf)changed, vf{});
	if (!fd->still[c]) sums.store(s, &fd->marginals[c]);
}

void channel(Field *fd, Scratch *w, int c) {
	const Sheet *s = &fd->sheets[c];
	if (resting(fd, s, c)) return;
	const Frame *fr = fd->frame;
	float *u = fd->u + s->offset;
	const uint16_t *f = fd->f + s->offset;
	const float *old = u;
	Rates r = {fr->coef[c], 0, s->kind == AMARI, false, false, 0, w->e, w->i, (uint32_t)c, fr->tick_key};
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
		old = w->u;
		f = w->f;
	} else if (r.k.nu != 0) {
		__builtin_memcpy(w->u, u, s->size * sizeof(float));
		old = w->u;
	}
	if (r.amari) {
		float g = (float)total * r.k.global_;
		r.base = g < 40 ? g : 40;
		r.active = total != 0 || fd->dense;
		r.inhibit = r.active && r.k.inhibit != 0;
	}
	if (r.active) lateral<5>(s, f, w->e, w->tmp, EXCITE);
	if (r.inhibit) lateral<9>(s, f, w->i, w->tmp, INHIBIT);
	if (s->trace >= 0) r.trace = fd->u + fd->sheets[s->trace].offset;
	Inputs in;
	collect(fr, s, c, &in);
	rows(fd, &in, s, c, r, old);
}

// finish writes outputs, marginals and the still flag of a trace or map.
struct Writer {
	Sums sums;
	vi changed;
};

void trace(Field *fd, int c) {
	const Sheet *s = &fd->sheets[c], *src = &fd->sheets[s->source];
	if (!fd->dense && fd->still[c] && fd->still[s->source]) return;
	const Coef *k = &fd->frame->coef[c];
	float *u = fd->u + s->offset;
	uint16_t *f = fd->f + s->offset;
	const uint16_t *seen = fd->f + src->offset;
	Writer w = {};
	for (int a = 0; a < s->extent[0]; a++) {
		for (int b = 0; b < s->extent[1]; b++)
			EACH_PART(j) {
				int i = (a * s->extent[1] + b) * SIDE + j * LANES;
				vi q = loadh(seen + i);
				vf v = loadf(u + i);
				vf next = v + k->alpha * (tofloat(q) * (1.0f / 32768) - v);
				if (s->kind == MEMORY) next = q <= ONE / 2 ? v * k->keep : next;
				w.changed |= (vi)next ^ (vi)v;
				storef(u + i, next);
				vi o = output(next, false);
				storeh(f + i, o);
				w.sums.plane[j] += o;
				w.sums.row[b][j] += o;
			}
		w.sums.plane_done(a);
	}
	fd->still[c] = !differs((vf)w.changed, vf{});
	if (!fd->still[c]) w.sums.store(s, &fd->marginals[c]);
}

// mapping copies an egocentric map, computed by the preparation, into its
// channel.
void mapping(Field *fd, int c) {
	const Sheet *s = &fd->sheets[c];
	const Maps *m = &fd->frame->maps;
	const float *sheet = c == 35 ? m->hazard : c == 36 ? m->visited : m->obstacle;
	Writer w = {};
	for (int a = 0; a < s->extent[0]; a++) {
		for (int b = 0; b < s->extent[1]; b++)
			EACH_PART(j) {
				int i = s->offset + (a * s->extent[1] + b) * SIDE + j * LANES;
				const float *at = sheet + a * s->pack[0] + b * s->pack[1];
				vf v = s->pack[2] ? loadf(at + j * LANES) : all(*at);
				storef(fd->u + i, v);
				vi o = output(v, false);
				storeh(fd->f + i, o);
				w.sums.plane[j] += o;
				w.sums.row[b][j] += o;
			}
		w.sums.plane_done(a);
	}
	fd->still[c] = 0;
	w.sums.store(s, &fd->marginals[c]);
}

void unit(Field *fd, Scratch *w, int n) {
	for (int i = fd->first[n]; i < fd->first[n + 1]; i++) {
		int c = fd->units[i];
		if (!fd->frame->run[c]) continue;
		switch (fd->sheets[c].kind) {
		case MEMORY:
		case LEAKY: trace(fd, c); break;
		case MAPPING: mapping(fd, c); break;
		default: channel(fd, w, c);
		}
	}
}
