package fake

import (
	"maps"
	"math"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/gpu"
)

// Lies are the faults that spoil an answer in a way the client can see by
// itself.
var lies = map[string]func(a *gpu.Answer){
	"tick":      func(a *gpu.Answer) { a.Tick++ },
	"notfinite": func(a *gpu.Answer) { a.Stats.NotFinite = 3 },
	"total":     func(a *gpu.Answer) { a.Marginals[field.Heading].Total++ },
	"huge":      func(a *gpu.Answer) { a.Marginals[field.Heading].Total = math.MaxInt32 },
	"negative":  func(a *gpu.Answer) { a.Marginals[field.Speed].Y[3] = -5; a.Marginals[field.Speed].Y[4] += 5 },
	"axis":      func(a *gpu.Answer) { a.Marginals[field.Heading].Y[7] = 1 },
	"heading":   func(a *gpu.Answer) { a.Heading[5] = float32(math.NaN()) },
	"blocked":   func(a *gpu.Answer) { a.Blocked[31] = float32(math.Inf(1)) },
	"error":     func(a *gpu.Answer) { a.Prediction.Error[63] = float32(math.NaN()) },
	"surprise":  func(a *gpu.Answer) { a.Prediction.Novelty[0] = 7 },
	"recall":    func(a *gpu.Answer) { a.Recall.Index[2] = 100 },
	"trust":     func(a *gpu.Answer) { a.Prediction.Trust = -1 },
	"obstacle":  func(a *gpu.Answer) { a.Obstacle[1000] = float32(math.NaN()) },
}

// Lies names the faults that spoil an answer beyond belief.
func Lies() []string {
	return slices.Sorted(maps.Keys(lies))
}

// lie spoils the answer if a fault is due. "wrong" and "turned" are lies that
// only a judge can tell; in fp16, "turned" alone.
func (c *child) lie(a *gpu.Answer) {
	for name, spoil := range lies {
		if c.due(name) {
			spoil(a)
		}
	}
	if c.due("wrong") {
		a.Heading[3] += 1e-5
	}
	if c.due("turned") { // every peak is half a turn away
		for k := range a.Marginals {
			x := &a.Marginals[k].X
			for i := range field.Side / 2 {
				x[i], x[i+field.Side/2] = x[i+field.Side/2], x[i]
			}
		}
	}
}

// wake wakes who waits on a word that has not changed, as signals do as well.
func wake(word *uint32) {
	const futexWake, everybody = 1, 1 << 30
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, everybody, 0, 0, 0)
}

// dup returns another descriptor of the same file, or -1.
func dup(fd int) int {
	other, err := unix.Dup(fd)
	if err != nil {
		return -1
	}
	return other
}
