//go:build cuda

package worker

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/gpu"
)

// TestGaugesStop: readers that are stopped at once, or after a look, write nothing any
// more. What a card's own library told is logged.
func TestGaugesStop(t *testing.T) {
	d := open(t, setup(field.Collapsed))
	g := &d.page.Head.Gauges
	for range 20 {
		d.worker.readGauges()()
	}
	stop := d.worker.readGauges()
	for range 30 { // a library may take long to start, and may not be there
		if atomic.LoadUint64(&g.Looks) > 1 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	stop()
	last := *g
	t.Logf("told, one more than each number, 0 for unknown: %+v", last)
	d.must(gpu.OrderRest, 0)
	time.Sleep(1200 * time.Millisecond)
	if *g != last {
		t.Errorf("%+v after the end, %+v at the end", *g, last)
	}
}

// TestMachineMemory: of a card that shares the processor's memory what the kernel would give
// back is not in use, with or without a library; a list that says too little tells nothing.
func TestMachineMemory(t *testing.T) {
	d := open(t, setup(field.Collapsed))
	d.worker.Device.machine = filepath.Join(t.TempDir(), "meminfo")
	g := &d.page.Head.Gauges
	for _, c := range []struct {
		name, list string
		used, room gpu.Told
	}{
		{"a day of files", "MemTotal:        7802344 kB\nMemFree:          101200 kB\nMemAvailable:    6242344 kB\nBuffers:  5 kB\n", gpu.Tell(1560000 << 10), gpu.Tell(7802344 << 10)},
		{"no word of what is available", "MemTotal:        7802344 kB\nMemFree:          101200 kB\n", 0, 0},
		{"more available than there is", "MemTotal: 5 kB\nMemAvailable: 6 kB\n", 0, 0},
		{"nothing", "", 0, 0},
	} {
		if err := os.WriteFile(d.worker.Device.machine, []byte(c.list), 0o600); err != nil {
			t.Fatal(err)
		}
		before := atomic.LoadUint64(&g.Looks)
		stop := d.worker.readGauges()
		for range 600 {
			if atomic.LoadUint64(&g.Looks) > before {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		stop()
		if g.Looks == before || g.Used != c.used || g.Room != c.room {
			t.Errorf("%s: after %d looks %d of %d bytes, want %d of %d", c.name, g.Looks-before, g.Used, g.Room, c.used, c.room)
		}
	}
}
