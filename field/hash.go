package field

import "math"

// hashInto folds the bits of the values into h, one word at a time: FNV-1a's
// multiplication followed by a shift that brings the high bits down.
func hashInto(h uint64, values []float32) uint64 {
	for _, v := range values {
		h = (h ^ uint64(math.Float32bits(v))) * 1099511628211
		h ^= h >> 29
	}
	return h
}
