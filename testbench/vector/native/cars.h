// The cars that a step is about, and what they need of their sites.

namespace {

// Cars are WIDTH lanes of a block. param are the parameters from F_TOP_SPEED on: those
// that all cars of a site share, or the block's. site is null where sites differ.
struct Cars {
	double *f;
	const uint64_t *keys;
	double *feet;
	const double *param;
	const int32_t *site;
};

#define PARAM(FIELD) (c.param + ((FIELD) - F_TOP_SPEED) * BLOCK)

// record is the record of a lane's site.
INLINE const int32_t *record(const Shape *shape, const double *f, int lane) {
	return shape->index + (int)f[F_SITE * BLOCK + lane] * SITE;
}

// plain says whether the floor of a site looks the same everywhere.
INLINE bool plain(const int32_t *r) { return r[LINES] == 0 && r[CORNERS] == 0; }

// cars are those from a lane of a block on.
INLINE Cars cars(const Shape *s, double *fields, const uint64_t *keys, int block, int lane) {
	int site = s->common[block];
	double *f = fields + (int64_t)block * F_FIELDS * BLOCK + lane;
	return {f, keys + (int64_t)block * K_KEYS * BLOCK + lane, s->feet + ((int64_t)block * BLOCK + lane) * 2 * s->most,
			site >= 0 && site < s->shares ? s->params + site * PARAMS * BLOCK : f + F_TOP_SPEED * BLOCK,
			site >= 0 ? s->index + site * SITE : nullptr};
}

} // namespace
