package gpu

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestPageGivenBackOnce: an engine's owner may close it again and again while the
// supervisor gives the page back; the memory behind it may be somebody else's by then.
func TestPageGivenBackOnce(t *testing.T) {
	for range 200 {
		var unmapped atomic.Int32
		e := &Engine{unmap: func() error { unmapped.Add(1); return nil }}
		e.err = ErrClosed // it has ended: end does nothing more
		var both sync.WaitGroup
		both.Go(func() {
			for range 3 {
				_ = e.Close()
			}
		})
		both.Go(func() {
			for range 3 {
				_ = e.abandon()
			}
		})
		both.Wait()
		_ = e.Close()
		if n := unmapped.Load(); n != 1 {
			t.Fatalf("the page was given back %d times", n)
		}
	}
}
