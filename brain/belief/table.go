package belief

import (
	"math"

	"fieldbrain/field/exact"
)

// Q15 arithmetic of the rays.
const (
	One   = 32767       // reach at the start of a ray, one bit of entropy
	Faint = One/128 + 1 // reach below which a ray ends
)

// class returns the class of a log-odds value: 8 units wide, 0 for the border.
func class(odds int8) uint8 { return uint8((uint32(uint8(odds)^128) + 4) >> 3) }

// An entry is one class: the probability to pass a cell in the low half, the
// entropy in bits in the high half, both in Q15.
type entry = uint32

// entries returns the 32 classes; the first, the border, lets nothing pass.
func entries() (list [32]entry) {
	for c := 1; c < 32; c++ {
		p := Probability(8*c - 128)
		list[c] = uint32(quantum(1-p)) | uint32(quantum(Entropy(p)))<<16
	}
	return list
}

func quantum(v float64) int32 { return int32(math.Floor(float64(v*One) + 0.5)) }

// Entropy returns the binary entropy of a probability within 0..1, in bits.
func Entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -(float64(p*exact.Log(p)) + float64((1-p)*exact.Log(1-p))) / math.Ln2
}

// product multiplies two Q15 values, rounded.
func product(a, b int32) int32 { return (a*b + 1<<14) >> 15 }
