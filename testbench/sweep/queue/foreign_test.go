package queue_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"fieldbrain/testbench/sweep/queue"
)

// write puts a value into a bucket of a server, as something else than a sweep may.
func write(t *testing.T, js queue.Stream, bucket, key, text string) {
	t.Helper()
	b, err := js.KeyValue(t.Context(), bucket)
	if err == nil {
		_, err = b.PutString(t.Context(), key, text)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestUnreadableWords: a sign of life and another sweep's state that nobody can read end no
// sweep, keep no worker from it, and show in the list of sweeps.
func TestUnreadableWords(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 3)
	write(t, js, "sweep-"+p.ID+"-workers", "stranger", `{"worker":5}`)
	write(t, js, "sweeps", "strange", "}")
	work(t, t.Context(), url, "w", drives)
	if tally := lead(t, js, p); !tally.Report().Pass {
		t.Errorf("%+v", tally.Report())
	}
	hearts, err := queue.Hearts(t.Context(), js, p.ID)
	if !slices.ContainsFunc(hearts, func(h queue.Heart) bool { return h.Machine == "stranger" && h.Version == "unreadable" }) {
		t.Errorf("%+v, %v", hearts, err)
	}
	list, err := queue.Overview(t.Context(), js)
	if !slices.ContainsFunc(list, func(o queue.Overlook) bool { return o.ID == "strange" && o.State.State == "unreadable" }) {
		t.Errorf("%+v, %v", list, err)
	}
	if err := queue.Remove(t.Context(), js, "strange"); err != nil {
		t.Error(err)
	}
}

// TestUnreadableState: a sweep whose own state nobody can read says where that lies, and the
// same command makes a new one.
func TestUnreadableState(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 1)
	write(t, js, "sweeps", p.ID, "}")
	if _, err := queue.Find(t.Context(), js, p.ID); err == nil || !strings.Contains(err.Error(), "the state of sweep "+p.ID) || !strings.Contains(err.Error(), "bucket sweeps") {
		t.Error(err)
	}
	work(t, t.Context(), url, "w", drives)
	if tally := lead(t, js, p); !tally.Report().Pass {
		t.Errorf("%+v", tally.Report())
	}
}

// TestForeignResult: a result that no worker of the sweep stored ends it, with the remedy.
func TestForeignResult(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{"no JSON": "}", "of another batch": `{"id":"none"}`} {
		js, p, _ := prepared(t, 1)
		subject := "sweep." + p.ID + ".result.none"
		if _, err := js.Publish(t.Context(), subject, []byte(text)); err != nil {
			t.Fatal(err)
		}
		err := (&queue.Lead{Batch: p, Lease: queue.LeastLease, Replicas: 1}).Prepare(t.Context(), js)
		if err == nil || !strings.Contains(err.Error(), subject) || !strings.Contains(err.Error(), "--afresh") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestRemovedUnderWay: a sweep that somebody removes while it runs ends and says so.
func TestRemovedUnderWay(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 1)
	var once sync.Once
	l := &queue.Lead{Batch: p, Lease: queue.LeastLease, Replicas: 1, Progress: func(queue.Progress) {
		once.Do(func() {
			if err := queue.Remove(t.Context(), js, p.ID); err != nil {
				t.Error(err)
			}
		})
	}}
	if err := l.Run(t.Context(), js); !errors.Is(err, queue.ErrRemoved) {
		t.Error(err)
	}
}
