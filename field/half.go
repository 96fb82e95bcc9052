package field

import "math"

// Half returns v as a graphics card reads it back that stores activations in half
// precision (IEEE 754 binary16): rounded up or down by chance, in proportion to how near
// each neighbour is. dice are 13 random bits; beyond the largest half it is infinite.
// It is to_half and from_half of gpu/kernels/half.cuh.
func Half(v float32, dice uint32) float32 {
	const infinite = 0x7c00
	bits := math.Float32bits(v)
	sign, size := bits&0x80000000, bits&0x7fffffff
	if size >= 0x7f800000 {
		return v
	}
	small := math.Float32bits(float32(math.Float32frombits(size) * 0x1p-112))
	h := (small + dice&0x1fff) >> 13
	if h >= infinite {
		return math.Float32frombits(sign | 0x7f800000)
	}
	return float32(math.Float32frombits(sign|h<<13) * 0x1p112)
}

// Halved reports whether a card of half precision stores the channel so: learned traces
// and maps, whose steps are small, it never does.
func (ch *Channel) Halved() bool { return ch.Regime.Kind == Amari || ch.Regime.Kind == Linear }
