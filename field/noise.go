package field

// Mix is the 32-bit integer mixer of every counter-based random number here
// and in every engine (the finaliser of MurmurHash3 by Austin Appleby, public
// domain).
func Mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	return h
}

// TickKey combines the run's key with the tick number.
func TickKey(tick uint64, key uint32) uint32 {
	return Mix(uint32(tick) ^ Mix(uint32(tick>>32)^key))
}

// noiseScale is sqrt(3)/65536: four 16-bit uniforms to unit variance.
const noiseScale = 1.7320508075688772 / 65536

// Noise returns xi for a cell: the sum of four independent uniforms, centred
// and scaled to zero mean and unit variance, |xi| < 3.47. The cell number has
// its uniform coordinates set to 0, so a collapsed step draws the same numbers
// as a dense one.
func Noise(cell, channel int, tickKey uint32) float32 {
	a := Mix(uint32(cell+Cells*channel) ^ tickKey)
	b := Mix(a ^ 0x9E3779B9)
	sum := int32(a&0xffff) + int32(a>>16) + int32(b&0xffff) + int32(b>>16)
	return float32(float32(sum-2*65535) * noiseScale)
}
