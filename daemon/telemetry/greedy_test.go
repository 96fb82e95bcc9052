package telemetry_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"fieldbrain/daemon/telemetry"
)

// TestGreedy holds that a ring whose elements are as large as it claims, in a file that is
// a hole, does not make its reader take memory to match.
func TestGreedy(t *testing.T) {
	const file, stride, count = 16, 32 + 4, 32 + 12 // places in the header; the first section is the ticks'
	_, ring := written(t)
	name := filepath.Join(t.TempDir(), "f")
	for _, c := range []struct {
		bytes uint32
		want  error
	}{
		{1 << 30, telemetry.ErrDamaged},
		{8 << 20, nil}, // the largest stride that a reader believes
	} {
		long := uint64(len(ring)) + 2*uint64(c.bytes)
		text := set(set(ring, stride, c.bytes), count, 2)
		binary.LittleEndian.PutUint64(text[file:], long)
		telemetry.Reseal(text)
		if err := errors.Join(os.WriteFile(name, text, 0o600), os.Truncate(name, int64(long))); err != nil {
			t.Fatal(err)
		}
		r, err := telemetry.OpenRing(name)
		if !errors.Is(err, c.want) {
			t.Errorf("elements of %d bytes: %v, want %v", c.bytes, err, c.want)
		}
		if err != nil {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := r.Flight(0)
		if err != nil {
			t.Fatal(err)
		}
		for range f.Ticks() { //nolint:revive // what counts is what it takes
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("elements of %d bytes: the reader took %d MB", c.bytes, took>>20)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}
