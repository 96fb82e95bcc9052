//go:build cuda

package worker

import (
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
