package queue_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// flip changes a bit of every message in a stream of a server's store that holds a text, as
// a disk may.
func flip(t *testing.T, folder, stream, text string) (n int) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(folder, "jetstream", "*", "streams", "*-"+stream, "msgs", "*.blk"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		block, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; ; n++ {
			next := bytes.Index(block[at:], []byte(text))
			if next < 0 {
				break
			}
			block[at+next] ^= 1
			at += next + len(text)
		}
		if err := os.WriteFile(path, block, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// damaged runs a sweep on a server in a folder, with two workers that count.
func damaged(t *testing.T, folder string, p *sweep.Batch, driven *atomic.Int64) (*sweep.Tally, error) {
	t.Helper()
	s := serve(t, folder, "127.0.0.1:0")
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var done sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		js, w := connect(t, s.URL()), worker(name, func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
			driven.Add(1)
			return drives(job, input)
		})
		done.Go(func() {
			if err := w.Run(ctx, js); err != nil {
				t.Errorf("worker %s: %v", name, err)
			}
		})
	}
	l := &queue.Lead{Batch: p, Lease: queue.LeastLease, Replicas: 1}
	err := l.Run(ctx, connect(t, s.URL()))
	cancel() // while there is a server, which they would wait for
	done.Wait()
	return l.Tally, err
}

// TestDamagedResults takes seconds, in which the lead looks at the queue of four runs: results that the server's disk has damaged are driven again, once,
// and those of second workers too; where the new ones are damaged as well the sweep ends
// with an error.
func TestDamagedResults(t *testing.T) {
	t.Parallel()
	folder, p := t.TempDir(), batch(t, 4, "twice = 0.25")
	twice := slices.IndexFunc(p.Jobs, func(j sweep.Job) bool { return j.Twice })
	way := fmt.Sprintf(`"way %d"`, p.Jobs[twice].Seed)
	var driven atomic.Int64
	whole, err := damaged(t, folder, p, &driven)
	if err != nil || driven.Load() != 5 {
		t.Fatalf("%d drives, %v", driven.Load(), err)
	}
	if n := flip(t, folder, "RESULTS", way); n != 2 { // both opinions
		t.Fatalf("%d messages of the drive", n)
	}
	tally, err := damaged(t, folder, p, &driven)
	if err != nil || driven.Load() != 7 || !maps.Equal(tally.Digests(), whole.Digests()) || tally.Done() != 5 || !tally.Report().Pass {
		t.Fatalf("%d drives, %v, %+v", driven.Load(), err, tally.Report())
	}
	if _, err := damaged(t, folder, p, &driven); err != nil || driven.Load() != 7 {
		t.Fatalf("driven anew: %d, %v", driven.Load()-7, err)
	}
	if n := flip(t, folder, "RESULTS", way); n != 2 {
		t.Fatalf("%d messages of the drive stand beside", n)
	}
	tally, err = damaged(t, folder, p, &driven)
	if !errors.Is(err, queue.ErrLost) || tally.Done() != 3 {
		t.Errorf("%d results, %v", tally.Done(), err)
	}
}

// TestDamagedJob takes seconds, in which the lead looks three times: a job that the server's disk has damaged in the queue is asked for anew.
func TestDamagedJob(t *testing.T) {
	t.Parallel()
	folder, p := t.TempDir(), batch(t, 4, "twice = 0.0")
	s := serve(t, folder, "127.0.0.1:0")
	err := (&queue.Lead{Batch: p, Lease: queue.LeastLease, Replicas: 1}).Prepare(t.Context(), connect(t, s.URL()))
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if n := flip(t, folder, "JOBS", `"seed":3,`); n != 1 {
		t.Fatalf("%d messages of the job", n)
	}
	var driven atomic.Int64
	if tally, err := damaged(t, folder, p, &driven); err != nil || driven.Load() != 4 {
		t.Errorf("%d drives, %d results, %v", driven.Load(), tally.Done(), err)
	}
}
