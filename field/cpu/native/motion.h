// Egocentric displacement (field/warp.go). Included by kernel.h.

// old_row is the row of Z at (x, y) of the old channel, or null outside Y.
INLINE const float *old_row(const float *u, int x, int y) {
	return y < 0 || y >= SIDE ? 0 : u + ((x & (SIDE - 1)) * SIDE + y) * SIDE;
}

INLINE vf row_or(const float *row, int j, float outside) { return row ? loadf(row + j) : all(outside); }

// warp_rows displaces a channel whose rows run along Z: four rows are blended.
void warp_rows(const Warp *w, const float *u, float *dst, float outside) {
	for (int i = 0; i < PLANE; i++) {
		int x = w->x0[i], y = w->y0[i];
		const float *p = old_row(u, x, y), *q = old_row(u, x + 1, y);
		const float *r = old_row(u, x, y + 1), *t = old_row(u, x + 1, y + 1);
		for (int j = 0; j < SIDE; j += LANES) {
			vf near = lerp(row_or(p, j, outside), row_or(q, j, outside), w->wx[i]);
			vf far = lerp(row_or(r, j, outside), row_or(t, j, outside), w->wx[i]);
			storef(dst + i * SIDE + j, lerp(near, far, w->wy[i]));
		}
	}
}

// warp_plane displaces one collapsed bearing-range channel, cell by cell, from a copy that
// goes on beyond both ends of Y, where y0 is -1 to SIDE, and once more round to x = 0.
void warp_plane(const Warp *w, const float *u, float *dst, float outside) {
	enum { PITCH = SIDE + 3 };
	float old[(SIDE + 1) * PITCH];
	for (int x = 0; x <= SIDE; x++) {
		float *row = old + x * PITCH;
		row[0] = row[SIDE + 1] = row[SIDE + 2] = outside;
		for (int j = 0; j < SIDE; j += LANES) storef(row + 1 + j, loadf(u + x % SIDE * SIDE + j));
	}
	for (int i = 0; i < PLANE; i++) {
		const float *p = old + w->x0[i] * PITCH + w->y0[i] + 1, *q = p + PITCH;
		const float near = lerp(p[0], q[0], w->wx[i]), far = lerp(p[1], q[1], w->wx[i]);
		dst[i] = lerp(near, far, w->wy[i]);
	}
}

// turn displaces a channel that has no range axis: the rotation alone.
void turn(const Warp *w, const PlacedChannel *s, const float *u, float *dst) {
	if (s->axis[2] == AXIS_X) {
		for (int x = 0; x < SIDE; x++)
			dst[x] = lerp(u[(x + w->turn) & (SIDE - 1)], u[(x + w->turn + 1) & (SIDE - 1)], w->w_turn);
		return;
	}
	int stride = s->axis[0] == AXIS_X ? s->extent[1] * SIDE : SIDE;
	for (int x = 0; x < SIDE; x++) {
		const float *lo = u + ((x + w->turn) & (SIDE - 1)) * stride, *hi = u + ((x + w->turn + 1) & (SIDE - 1)) * stride;
		for (int j = 0; j < stride; j += LANES)
			storef(dst + x * stride + j, lerp(loadf(lo + j), loadf(hi + j), w->w_turn));
	}
}

// displaced writes the channel's old activations, moved by the body's motion.
void displaced(const Warp *w, const PlacedChannel *s, const float *u, float *dst, float outside) {
	if (!(s->mask & AXIS_Y))
		turn(w, s, u, dst);
	else if (s->axis[2] == AXIS_Z)
		warp_rows(w, u, dst, outside);
	else
		warp_plane(w, u, dst, outside);
}
