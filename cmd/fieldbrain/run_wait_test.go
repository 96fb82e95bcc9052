package main

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// stepClock is a clock on which only waiting takes time.
type stepClock struct{ now time.Duration }

func (c *stepClock) Now() time.Duration          { return c.now }
func (c *stepClock) SleepUntil(at time.Duration) { c.now = at }

// TestAwait: devices that come late are waited for, and each reason is said once; what
// does not pass by itself, or not in time, is left to whoever opens them.
func TestAwait(t *testing.T) {
	missing := fmt.Errorf("no adapter: %w", fs.ErrNotExist)
	refused := &fs.PathError{Op: "open", Path: "/dev/i2c-7", Err: syscall.EACCES}
	forbidden := &fs.PathError{Op: "open", Path: "/dev/i2c-7", Err: syscall.EPERM}
	const sec = time.Second
	for _, c := range []struct {
		name  string
		is    []error       // at each second, the last one for ever
		took  time.Duration // until it goes on
		tells int
	}{
		{"all there", []error{nil}, 0, 0},
		{"late", []error{missing, missing, missing, nil}, 3 * sec, 1},
		{"late, then not yet its group's", []error{missing, refused, nil}, 2 * sec, 2},
		{"late, and the unit was begun without it", []error{missing, refused, forbidden}, 2 * sec, 2},
		{"forbidden", []error{forbidden}, 0, 0},
		{"never", []error{missing}, devicesPatience, 1},
	} {
		clock, tells := &stepClock{now: time.Hour}, 0
		waited := await(clock, func() error {
			i := int((clock.now - time.Hour) / sec)
			return c.is[min(i, len(c.is)-1)]
		}, func(error) { tells++ })
		if took := clock.now - time.Hour; took != c.took || tells != c.tells || waited != (c.tells > 0) {
			t.Errorf("%s: %v with %d words, waited %v; want %v and %d", c.name, took, tells, waited, c.took, c.tells)
		}
	}
}

// TestAwaitOutlastsTheLimit: a service that waits in vain again and again never reaches
// the limit that keeps a failing one off.
func TestAwaitOutlastsTheLimit(t *testing.T) {
	unit, err := os.ReadFile("../../systemd/fieldbrain.service")
	if err != nil {
		t.Fatal(err)
	}
	number := func(key string) int {
		m := regexp.MustCompile(`(?m)^` + key + `=(\d+)$`).FindSubmatch(unit)
		if m == nil {
			t.Fatalf("the unit has no %s", key)
		}
		n, _ := strconv.Atoi(string(m[1]))
		return n
	}
	interval, burst := time.Duration(number("StartLimitIntervalSec"))*time.Second, number("StartLimitBurst")
	if all := time.Duration(burst) * devicesPatience; all <= interval {
		t.Errorf("%d waits take %v, no longer than the limit's %v", burst, all, interval)
	}
}
