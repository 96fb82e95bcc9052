package belief

import (
	"encoding/binary"
	"hash/fnv"
	"testing"
)

// TestBits holds every machine and instruction set to the same bits: a drive
// through random echoes, its grid, gains, reach and overlay, in one hash.
func TestBits(t *testing.T) {
	const want = uint64(0x80f4350278d9a5f)
	for _, isa := range ISAs() {
		b, d, h := create(t, isa), dice(11), fnv.New64a()
		s, r, seen := new(Scan), new(Reach), new(Seen)
		for n := range 200 {
			at := Pose{X: float32(n) * 0.013, Y: float32(d.below(100)) * 0.01, Heading: float32(d.below(628)) * 0.01}
			b.Follow(at.X, at.Y)
			b.Sonar(s, at, Beam{Bearing: 0.5, Range: 0.2 + float32(d.below(2500))*0.001, HalfWidth: 0.21, Lead: 0.06, Height: 0.08})
			b.Occupy(at.X, at.Y)
			b.Ground(at, 0.1, 0.1, n%17 == 0)
			b.Forget()
			if n%10 == 0 {
				f := Fan{First: Ahead(float64(at.Heading)), Count: Rows}
				b.Cast(Place{at.X, at.Y, 0.08}, seen, &f)
				b.See(Place{at.X, at.Y, 0.08}, float64(at.Heading), 4, seen)
				b.Spread(r)
				_ = binary.Write(h, binary.LittleEndian, f.Gain)
				_ = binary.Write(h, binary.LittleEndian, r.value)
				_ = binary.Write(h, binary.LittleEndian, b.Sweep(at.X, at.Y, seen))
				_ = binary.Write(h, binary.LittleEndian, b.Risk(at.X, at.Y))
			}
		}
		_ = binary.Write(h, binary.LittleEndian, b.odds)
		_ = binary.Write(h, binary.LittleEndian, seen)
		if got := h.Sum64(); got != want {
			t.Errorf("%s: hash %#x, want %#x", isa, got, want)
		}
	}
}
