// What a block of the evolve pass does besides its channel: maps, which the preparation
// computed, are shown as channels, and traces follow the channel whose block this is
// (follow of point.h), the first with the strands of its update, the others, and all of a
// channel in halves, in a pass of their own.
#ifndef FIELDBRAIN_TRACE_CUH
#define FIELDBRAIN_TRACE_CUH

#include "batch.cuh"
#include "share.cuh"

// follow_strand advances the cells of the first trace that follows, from the strand's new
// outputs.
template <int N, class S>
DEVICE void follow_strand(const S &s, const Wholes<N> &q, Tally *sum, int n) {
	const Follower &t = s.w->after[0];
	const Reals<N> was = each<float, N>([&](int j) -> float { return t.from[s.cell(j)]; });
	const Reals<N> next = follow(t.k, t.gated, was, q);
	const Wholes<N> out = output(next, false);
#pragma unroll
	for (int j = 0; j < N; j++) {
		t.to[s.cell(j)] = next[j];
		sum->note(out[j], n + j, s.r);
	}
}

// show copies an egocentric map, which the preparation computed, into its
// channel, N planes at a time.
template <int N>
DEVICE void show(Share *w) {
	const Frame *f = w->f;
	const float *map = w->c == HAZARD_MAP ? f->hazard : w->c == VISITED_MAP ? f->visited : f->obstacle;
	const int r = threadIdx.x % SIDE, strips = w->strips(), planes = w->each, pitch = w->s.extent[1] * SIDE;
	float *to = w->next;
	for (int strip = threadIdx.x / SIDE; strip < strips; strip += blockDim.x / SIDE) {
		const Strip at(w, strip);
		const int first = w->cell(at.a, at.row, r), packed = at.row * w->s.pack[1] + r * w->s.pack[2], step = w->s.pack[0];
		Tally sum = {0, 0};
#pragma unroll 1
		for (int n = 0; n < planes; n += N) {
			const Reals<N> v = each<float, N>([&](int j) -> float { return map[(at.a + n + j) * step + packed]; });
			const Wholes<N> q = output(v, false);
#pragma unroll
			for (int j = 0; j < N; j++) {
				to[first + (n + j) * pitch] = v[j];
				sum.note(q[j], n + j, r);
			}
		}
		sum.book(w->sums, at, r);
	}
}

// trace advances a trace of the channel whose block this is, N planes at a time.
template <bool HALF, int N>
DEVICE void trace(Share *w, const Follower &t) {
	const bool amari = w->s.kind == AMARI, ran = w->ran;
	const int r = threadIdx.x % SIDE;
	const float *from = t.from;
	float *to = t.to;
	const int strips = w->strips(), planes = w->each, pitch = w->s.extent[1] * SIDE;
	for (int strip = threadIdx.x / SIDE; strip < strips; strip += blockDim.x / SIDE) {
		const Strip at(w, strip);
		const int first = w->cell(at.a, at.row, r);
		Tally sum = {0, 0};
#pragma unroll 1
		for (int n = 0; n < planes; n += N) {
			const Reals<N> was = each<float, N>([&](int j) -> float { return from[first + (n + j) * pitch]; });
			const Reals<N> u = each<float, N>([&](int j) -> float {
				const int i = first + (n + j) * pitch;
				return !ran ? old<HALF>(w, w->from(at.a + n + j, at.row, r)) : HALF && w->next_half ? from_half(w->next_half[i]) : w->next[i];
			});
			const Reals<N> next = follow(t.k, t.gated, was, output(u, amari));
			const Wholes<N> q = output(next, false);
#pragma unroll
			for (int j = 0; j < N; j++) {
				to[first + (n + j) * pitch] = next[j];
				sum.note(q[j], n + j, r);
			}
		}
		sum.book(w->sums, at, r);
	}
}

#endif
