package recording

import (
	"bytes"
	"testing"
)

// TestHandover: a frozen brain waits for its tick in memory that is used again, the newest
// takes the place of one that waits, and the caller may use its own again.
func TestHandover(t *testing.T) {
	var h handover
	f := Frozen{Tick: 7, Data: []byte("first")}
	h.put(&f)
	f.Tick, f.Data = 9, append(f.Data[:0], "again"...)
	h.put(&f)
	copy(f.Data, "-----")
	if got := h.take(8); got != nil {
		t.Errorf("before its tick: %+v", got)
	}
	got := h.take(9)
	if got == nil || got.Tick != 9 || !bytes.Equal(got.Data, []byte("again")) {
		t.Fatalf("%+v", got)
	}
	if h.take(10) != nil {
		t.Error("it came twice")
	}
	h.put(&f)
	if !bytes.Equal(got.Data, []byte("again")) {
		t.Error("the next brain is written over the one that goes to the disk")
	}
	h.take(10)
	if n := testing.AllocsPerRun(10, func() { h.put(&f); h.take(10) }); n != 0 {
		t.Errorf("%v allocations for a brain", n)
	}
}
