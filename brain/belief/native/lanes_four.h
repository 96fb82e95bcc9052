// Lane operations of machines without gathers, SSE4.1 and NEON: four rays,
// cells and classes are loaded one by one.
typedef int32_t vi __attribute__((vector_size(16)));
typedef vi M;

typedef const uint32_t *Classes;

static inline Classes load_classes(const uint32_t *t) { return t; }
static inline vi load(const int32_t *p) {
	vi v;
	__builtin_memcpy(&v, p, 16);
	return v;
}
static inline void store(int32_t *p, vi v) { __builtin_memcpy(p, &v, 16); }
static inline vi splat(int32_t v) { return (vi){v, v, v, v}; }
static inline M above(vi a, vi b) { return a > b; }
static inline M notabove(vi a, vi b) { return a <= b; }
static inline M both(M a, M b) { return a & b; }
static inline M without(M a, M b) { return a & ~b; }
static inline M either(M a, M b) { return a | b; }
static inline M neither(M a, M b) { return ~(a | b); }
static inline int count(M m) { return -(m[0] + m[1] + m[2] + m[3]); }
static inline bool any(M m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
static inline vi choose(M m, vi a, vi b) { return (a & m) | (b & ~m); }
static inline vi addif(M m, vi a, vi b) { return a + (b & m); }
static inline vi smaller(vi a, vi b) { return choose(a > b, b, a); }
static inline vi only(M m, vi a) { return a & m; }

// bytes loads the cells of the lanes.
static inline vi bytes(const int8_t *p, vi at) {
	return (vi){p[at[0]], p[at[1]], p[at[2]], p[at[3]]};
}
// lookup returns the entries of the log-odds' classes.
static inline vi lookup(Classes c, vi odds) {
	vi v = (((odds ^ 128) & 255) + 4) >> 3;
	return (vi){(int32_t)c[v[0]], (int32_t)c[v[1]], (int32_t)c[v[2]], (int32_t)c[v[3]]};
}
// dimmed takes the entropy away from cells that are seen.
static inline vi dimmed(vi e, const uint32_t *seen, vi at) {
	vi bit;
	for (int k = 0; k < 4; k++) bit[k] = seen[at[k] >> 5] >> (at[k] & 31) & 1;
	return e & (splat(0xffff) | (bit - 1)); // all ones where the bit is 0
}
static inline vi high(vi a) { return (a >> 16) & 0xffff; }
static inline vi low_twice(vi a) { return (a & 0xffff) * 0x10001; }
