package queue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
	"fieldbrain/testbench/sweep/server"
)

// serve starts a server in a folder.
func serve(t testing.TB, folder, listen string) *server.Server {
	t.Helper()
	s, err := server.Serve(server.Site{Folder: folder, Listen: listen})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// connect connects, and closes with the test.
func connect(t testing.TB, url string) queue.Stream {
	t.Helper()
	conn, js, err := queue.Connect(t.Context(), queue.Address{URL: url, Name: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return js
}

func batch(t testing.TB, jobs int, more string) *sweep.Batch {
	t.Helper()
	text := fmt.Sprintf("title = %q\nscenarios = [\"room\"]\n%s\n[seeds]\nfirst = 1\ncount = %d\n", t.Name(), more, jobs)
	f, err := sweep.Parse("s.toml", []byte(text), func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Batch(func(engine string, _ []sweep.Setting) ([]byte, error) { return []byte(engine), nil })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drives is a made-up way to drive, the same for every worker.
func drives(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
	text, err := input(job.Settings)
	if err != nil {
		return queue.Outcome{}, err
	}
	if string(text) != job.Engine {
		return queue.Outcome{}, fmt.Errorf("settings %q", text)
	}
	return queue.Outcome{Drive: &testbench.Result{Pass: true, FieldHash: "f", Trajectory: fmt.Sprint("way ", job.Seed)}}, nil
}

// work lets a worker work until the test or its own end.
func work(t testing.TB, ctx context.Context, url, name string, drive queue.Driver) {
	t.Helper()
	js := connect(t, url)
	w := worker(name, drive)
	var done sync.WaitGroup
	ctx, end := context.WithCancel(ctx)
	done.Go(func() {
		if err := w.Run(ctx, js); err != nil {
			t.Errorf("worker %s: %v", name, err)
		}
	})
	t.Cleanup(func() { end(); done.Wait() })
}

// lead runs a sweep to its end.
func lead(t testing.TB, js queue.Stream, p *sweep.Batch) *sweep.Tally {
	t.Helper()
	l := &queue.Lead{Batch: p, Lease: queue.LeastLease, Replicas: 1}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := l.Run(ctx, js); err != nil {
		t.Fatalf("%v, %d of %d", err, l.Tally.Done(), l.Tally.Wanted())
	}
	return l.Tally
}

// TestSweep: two workers drive everything once, some of it twice, and a second run of
// the same sweep drives nothing.
func TestSweep(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), "127.0.0.1:0")
	defer s.Close()
	js, p := connect(t, s.URL()), batch(t, 40, "twice = 0.25")
	var driven atomic.Int64
	count := func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		driven.Add(1)
		time.Sleep(5 * time.Millisecond) // so that both get some
		return drives(job, input)
	}
	work(t, t.Context(), s.URL(), "a", count)
	work(t, t.Context(), s.URL(), "b", count)
	r := lead(t, js, p).Report()
	if c := r.Twice; !r.Pass || r.Results != 40 || c.Wanted != 10 || c.Compared != 10 || c.Equal != 10 {
		t.Errorf("%+v", r)
	}
	results, waiting, err := queue.Counts(t.Context(), js, p.ID)
	if err != nil || results != 50 {
		t.Errorf("%d results on the server, %d jobs wait, %v", results, waiting, err)
	}
	before := driven.Load()
	if r := lead(t, js, p).Report(); !r.Pass || driven.Load() != before {
		t.Errorf("driven anew: %d jobs; %+v", driven.Load()-before, r)
	}
	list, err := queue.Overview(t.Context(), js)
	if err != nil || len(list) != 1 || list[0].State.State != queue.Done || list[0].Title != "TestSweep" || list[0].Results != 50 {
		t.Errorf("%+v, %v", list, err)
	}
	if err := queue.Remove(t.Context(), js, p.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Find(t.Context(), js, p.ID); !errors.Is(err, queue.ErrUnknown) {
		t.Errorf("removed, and found: %v", err)
	}
}

// TestLostWorker: a worker that falls silent over its job loses it to another one; when
// it comes back after all, its result counts no second time.
func TestLostWorker(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), "127.0.0.1:0")
	defer s.Close()
	js, p := connect(t, s.URL()), batch(t, 6, "twice = 0.0")
	took := make(chan struct{})
	silent, wake := context.WithCancel(t.Context())
	defer wake()
	conn, lost, err := queue.Connect(t.Context(), queue.Address{URL: s.URL()})
	if err != nil {
		t.Fatal(err)
	}
	w := &queue.Worker{
		Heart: queue.Heart{Worker: "lost", Machine: "m", Engines: []string{"auto"}}, AtOnce: 1,
		Drive: func(*sweep.Job, func(string) ([]byte, error)) (queue.Outcome, error) {
			conn.Close() // as if its machine had gone
			close(took)
			<-silent.Done()
			return queue.Outcome{}, errors.New("gone")
		},
	}
	go func() { _ = w.Run(silent, lost) }()
	go func() {
		<-took
		work(t, t.Context(), s.URL(), "b", drives)
	}()
	tally := lead(t, js, p)
	r := tally.Report()
	if !r.Pass || r.Results != 6 || r.Handed != 1 {
		t.Errorf("%+v", r)
	}
	for _, one := range tally.Results() {
		if one.Worker != "b" {
			t.Errorf("%s drove", one.Worker)
		}
	}
}

// TestServerDies: both sides wait for a server that is away and find it again.
func TestServerDies(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := serve(t, folder, "127.0.0.1:0")
	url := s.URL()
	_, at, _ := strings.Cut(url, "@")
	js, p := connect(t, url), batch(t, 60, "twice = 0.1")
	var n atomic.Int64
	third := make(chan struct{})
	slow := func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		if n.Add(1) == 20 {
			close(third)
		}
		time.Sleep(2 * time.Millisecond)
		return drives(job, input)
	}
	work(t, t.Context(), url, "a", slow)
	work(t, t.Context(), url, "b", slow)
	again := make(chan *server.Server, 1)
	go func() {
		<-third
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(300 * time.Millisecond)
		next, err := server.Serve(server.Site{Folder: folder, Listen: at})
		if err != nil {
			t.Error(err)
		}
		again <- next
	}()
	tally := lead(t, js, p)
	if r := tally.Report(); !r.Pass || r.Results != 60 || r.Twice.Equal != 6 {
		t.Errorf("%+v", r)
	}
	if next := <-again; next != nil {
		defer next.Close()
	}
}

// TestDifference: a worker that computes something else is found, and the report names
// its machine.
func TestDifference(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), "127.0.0.1:0")
	defer s.Close()
	js, p := connect(t, s.URL()), batch(t, 20, "twice = 1.0")
	work(t, t.Context(), s.URL(), "good", drives)
	work(t, t.Context(), s.URL(), "bad", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		out, err := drives(job, input)
		if job.Seed == 7 {
			out.Drive.Trajectory = "astray"
		}
		return out, err
	})
	r := lead(t, js, p).Report()
	if r.Pass || r.Twice.Equal != 19 || len(r.Differences) != 1 {
		t.Fatalf("%+v", r)
	}
	d := r.Differences[0]
	if d.Job.Seed != 7 || !strings.Contains(d.One+d.Two, "m-bad (test), engine auto, program v1") || !strings.Contains(d.Came+d.To, "astray") {
		t.Errorf("%+v", d)
	}
}

// TestAlone: one worker alone drives its second opinions itself, and the report says
// so. A drive that fails or panics is a result.
func TestAlone(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), "127.0.0.1:0")
	defer s.Close()
	js, p := connect(t, s.URL()), batch(t, 4, "twice = 0.25")
	work(t, t.Context(), s.URL(), "a", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		switch job.Seed {
		case 2:
			return queue.Outcome{}, errors.New("no fuel")
		case 3:
			panic("a wheel is off")
		}
		return drives(job, input)
	})
	r := lead(t, js, p).Report()
	if r.Pass || r.Failed != 2 || r.Twice.Alone != 1 || r.Twice.Compared != 0 || !strings.Contains(r.First, "no fuel") {
		t.Errorf("%+v", r)
	}
}

// TestCancel: a cancelled sweep ends for its lead and its workers, keeps what it has,
// and goes on when it is asked again.
func TestCancel(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), "127.0.0.1:0")
	defer s.Close()
	js, p := connect(t, s.URL()), batch(t, 30, "twice = 0.0")
	var n atomic.Int64
	work(t, t.Context(), s.URL(), "a", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		if n.Add(1) == 3 {
			if err := queue.Cancel(t.Context(), js, p.ID); err != nil {
				t.Error(err)
			}
		}
		if n.Load() >= 3 && n.Load() < 6 {
			time.Sleep(time.Second) // until everybody has seen it
		}
		return drives(job, input)
	})
	l := &queue.Lead{Batch: p, Lease: queue.LeastLease, Replicas: 1}
	if err := l.Run(t.Context(), js); !errors.Is(err, queue.ErrCancelled) {
		t.Fatalf("%v", err)
	}
	if done := l.Tally.Done(); done == 0 || done == 30 {
		t.Errorf("%d results", done)
	}
	if r := lead(t, js, p).Report(); !r.Pass || r.Results != 30 {
		t.Errorf("%+v", r)
	}
	if err := queue.Cancel(t.Context(), js, "0123"); !errors.Is(err, queue.ErrUnknown) {
		t.Errorf("cancel what is not there: %v", err)
	}
}

func Example() {
	fmt.Println(queue.Token("robot.lab/3"))
	// Output: robot-lab-3
}
