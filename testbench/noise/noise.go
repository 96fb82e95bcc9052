package noise

import (
	"math"

	"fieldbrain/field/exact"
)

// golden is 2^64 divided by the golden ratio: consecutive counters land far
// apart before mixing (Weyl sequence).
const golden = 0x9E3779B97F4A7C15

// A Stream is one independent sequence of random numbers. The n-th number is a
// function of the seed, the stream's name and n alone. Its zero value is the
// stream of seed 0 without a name. A Stream is not safe for concurrent use.
type Stream struct {
	key uint64
	n   uint64
}

// New returns the stream called name under a seed. Streams of different names
// are independent, so a sensor that draws more often changes no other one.
func New(seed uint64, name string) Stream { return Stream{key: Key(seed, name)} }

// Key returns what a stream's numbers hash with their place in it, for those who
// compute many streams side by side.
func Key(seed uint64, name string) uint64 {
	key := mix(seed + golden)
	for i := range len(name) {
		key = mix(key ^ uint64(name[i]))
	}
	return key
}

// Uint64 returns the next 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.n++
	return mix(s.key + s.n*golden)
}

// Uniform returns the next number in [0, 1).
func (s *Stream) Uniform() float64 {
	return float64(float64(s.Uint64()>>11) * 0x1p-53)
}

// Between returns the next number in [low, high).
func (s *Stream) Between(low, high float64) float64 {
	return low + float64((high-low)*s.Uniform())
}

// Chance reports true with probability p. It draws one number whatever p is,
// so that switching a fault on does not shift the numbers that follow.
func (s *Stream) Chance(p float64) bool { return s.Uniform() < p }

// Normal returns the next number of a standard normal distribution. It draws
// two numbers (Box and Muller 1958, doi:10.1214/aoms/1177706645).
func (s *Stream) Normal() float64 {
	u := 1 - s.Uniform() // in (0, 1]: its logarithm is finite
	v := s.Uniform()
	return math.Sqrt(-2*exact.Log(u)) * exact.Cos(2*math.Pi*v)
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014,
// doi:10.1145/2660193.2660195): a bijection whose outputs pass BigCrush.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
