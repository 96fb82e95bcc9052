// What chance does to a ping: ping of ../sense.go.

namespace {

// A Chance is what the noise of WIDTH pings of one sonar is made of.
struct Chance {
	V noisy, longer, luck;
	I drop, detour;
};

// chance draws that of pings by their numbers, from the streams of the sonar and of what
// is soft.
INLINE Chance chance(U key, U soft, V number, V drop_out, V detours) {
	V n = 5 * number;
	return {normal(key, n + 2), 1.3 + 0x1.6666666666666p-01 * uniform(key, n + 5), uniform(soft, number + 1),
			uniform(key, n + 1) < drop_out, uniform(key, n + 4) < detours};
}

// said is the range that a sonar says for one that it heard; -1 is no echo.
INLINE V said(const Chance &noise, V heard, V most, V error) {
	V d = noise.detour ? heard * noise.longer : heard;
	I gone = noise.drop | (I)(d > most);
	d = d * (1 + error * noise.noisy);
	d = d > NEAREST ? d : splat(NEAREST);
	return gone ? splat(-1) : d;
}

} // namespace
