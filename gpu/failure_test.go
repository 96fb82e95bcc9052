package gpu

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestFailureInATick: a tick that finds its card dead takes no memory, and what it keeps
// still says everything once somebody asks. The first failure stays.
func TestFailureInATick(t *testing.T) {
	e := &Engine{caller: &caller{}, page: new(Page), broken: make(chan *Failure, 1)}
	copy(e.page.Head.Fault[:], "the card is on fire")
	e.page.Call.Failed = 1
	began := time.Now()
	for _, c := range []struct {
		name  string
		fails func() error
		kind  error
		want  string
	}{
		{"late", func() error { return e.fail(pending, OrderStep, 0, began, time.Second) }, ErrLate, "after 0s of 1s"},
		{"refused", func() error { return e.fail(refused, OrderStep, 0, began, time.Second) }, ErrFailed, ": the card is on fire"},
		{"garbage", func() error { return e.lie(flaw{"bin", 7, 3, 2}, OrderStep, 0, began) }, ErrGarbage, ": bin 7: 3, want 2"},
		{"too late", func() error { return e.tooLate("%d inputs wait for it", 16) }, ErrLate, ": 16 inputs wait for it"},
	} {
		var err error
		if n := testing.AllocsPerRun(10, func() {
			e.err = nil
			select {
			case <-e.broken:
			default:
			}
			err = c.fails()
		}); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
		var f *Failure
		if !errors.As(err, &f) || !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
			continue
		}
		if f.After = 0; !strings.Contains(f.Error(), c.want) {
			t.Errorf("%s: %q, want %q in it", c.name, f.Error(), c.want)
		}
		if again := e.lie(flaw{what: "another"}, OrderStep, 0, began); again != err || strings.Contains(again.Error(), "another") {
			t.Errorf("%s: then %v", c.name, again)
		}
	}
}
