package service

import (
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

// disk is a log's writer that is full for a while, and keeps what it took.
type disk struct {
	full atomic.Bool
	text strings.Builder
}

func (d *disk) Write(p []byte) (int, error) {
	if d.full.Load() {
		return 0, syscall.ENOSPC
	}
	return d.text.Write(p)
}

// TestLostLinesAreVisible: a log that loses lines is a condition for as long as it does and
// a while longer, and the condition's own lines do not keep it alive.
func TestLostLinesAreVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		log, err := daemon.NewLog(d, "info", false, false)
		if err != nil {
			t.Fatal(err)
		}
		s := &Service{log: log, conditions: loop.NewConditions(time.Now, log.Change)}
		look := func(times int) []loop.Condition {
			for range times {
				synctest.Wait() // every line is written, or is not
				s.noteLog()
			}
			return s.conditions.List()
		}
		if got := look(3); len(got) != 0 {
			t.Errorf("nothing is lost, and %+v", got)
		}
		d.full.Store(true)
		log.Info().Msg("lost")
		got := look(3 * quietLooks)
		if len(got) != 1 || got[0].Name != "log" || !strings.Contains(got[0].Cause, "no space left on device; 2 are lost") || got[0].Remedy == "" {
			t.Errorf("lines are lost: %+v", got)
		}
		d.full.Store(false)
		log.Info().Msg("kept")
		if got := look(quietLooks - 1); len(got) != 1 {
			t.Errorf("lines were lost just now: %+v", got)
		}
		if got := look(3 * quietLooks); len(got) != 0 {
			t.Errorf("lines arrive, and %+v", got)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
		if n := strings.Count(d.text.String(), "no longer so"); n != 1 {
			t.Errorf("said %d times that it is over:\n%s", n, d.text.String())
		}
	})
}
