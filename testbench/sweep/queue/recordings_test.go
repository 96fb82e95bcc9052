package queue_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// A link stands between clients and a server and lets bytes through as slowly as it is told.
type link struct {
	url  string        // of the server, through the link
	at   string        // host and port of it
	rate float64       // bytes a second, each way and connection; 0: as fast as they come
	shut atomic.Bool   // lets nothing through towards the server
	open chan struct{} // closed: shut counts no more
}

// between puts a link in front of a server.
func between(t *testing.T, url string, rate float64) *link {
	t.Helper()
	token, server, _ := strings.Cut(url, "@")
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{url: token + "@" + door.Addr().String(), at: door.Addr().String(), rate: rate, open: make(chan struct{})}
	t.Cleanup(func() { door.Close() })
	go func() {
		for {
			in, err := door.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", server)
			if err != nil {
				in.Close()
				continue
			}
			go l.carry(out, in, true)
			go l.carry(in, out, false)
		}
	}()
	return l
}

// carry lets bytes through one way.
func (l *link) carry(to, from net.Conn, towards bool) {
	defer to.Close()
	defer from.Close()
	some := make([]byte, 8<<10)
	for {
		n, err := from.Read(some)
		if err != nil {
			return
		}
		if l.rate > 0 {
			time.Sleep(time.Duration(float64(n) / l.rate * float64(time.Second)))
		}
		if towards && l.shut.Load() {
			<-l.open
		}
		if _, err := to.Write(some[:n]); err != nil {
			return
		}
	}
}

// impatient connects with the library's own patience for one request cut short, so that
// 0.3 s of a transfer are what 5 s are to a user.
func impatient(t *testing.T, url string) queue.Stream {
	t.Helper()
	js, err := jetstream.New(connect(t, url).Conn(), jetstream.WithDefaultTimeout(300*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// film is a recording of some bytes.
func film(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(i >> 3 * 31)
	}
	return out
}

// shelved puts a recording on a server, as a worker of any version does.
func shelved(t *testing.T, js queue.Stream, p *sweep.Batch, text []byte) {
	t.Helper()
	store, err := js.ObjectStore(t.Context(), "sweep-"+p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutBytes(t.Context(), "film", text); err != nil {
		t.Fatal(err)
	}
}

// same complains of a file that is not a text.
func same(t *testing.T, path string, want []byte) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d or others, %v", len(got), len(want), err)
	}
}

// TestFetchesOverASlowLink: however long a recording takes, it comes while bytes do.
func TestFetchesOverASlowLink(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 1)
	want, path := film(700<<10), filepath.Join(t.TempDir(), "film.mcap")
	shelved(t, js, p, want)
	slow := impatient(t, between(t, url, 1<<20).url)
	if err := (queue.Recordings{JS: slow, Sweep: p.ID}).Fetch(t.Context(), "film", path); err != nil {
		t.Error(err)
	}
	same(t, path, want)
}

// TestFetchesWhatIsNotTheServers: a recording that was cut short, or another drive's, is
// fetched again, and one that is the server's stays.
func TestFetchesWhatIsNotTheServers(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 1)
	want, path := film(300<<10), filepath.Join(t.TempDir(), "film.mcap")
	shelved(t, js, p, want)
	from := queue.Recordings{JS: js, Sweep: p.ID}
	other := bytes.Clone(want)
	other[len(other)/2]++
	for what, there := range map[string][]byte{"cut short": want[:100<<10], "of an earlier drive": other, "empty": nil} {
		if err := os.WriteFile(path, there, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := from.Fetch(t.Context(), "film", path); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		same(t, path, want)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := from.Fetch(t.Context(), "film", path); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("what is the server's was fetched again, %v", err)
	}
}

// TestFetchStalls: a fetch over a link that lets nothing through any more fails with what
// it fetched, from where and what to do, and leaves the file that was there, and no other.
func TestFetchStalls(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 1)
	shelved(t, js, p, film(300<<10))
	folder := t.TempDir()
	path := filepath.Join(folder, "film.mcap")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := between(t, url, 0)
	dead := connect(t, l.url)
	l.shut.Store(true)
	defer close(l.open)
	err := queue.Recordings{JS: dead, Sweep: p.ID, Stall: 300 * time.Millisecond}.Fetch(t.Context(), "film", path)
	if err == nil || !strings.Contains(err.Error(), "film: no chunk") || !strings.Contains(err.Error(), l.at) || !strings.Contains(err.Error(), "look at the link") {
		t.Errorf("%v", err)
	}
	same(t, path, []byte("old"))
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// filming drives as drives does and leaves a recording; count counts.
func filming(t *testing.T, text []byte, count *atomic.Int64) queue.Driver {
	folder := t.TempDir()
	return func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		count.Add(1)
		out, err := drives(job, input)
		if err != nil {
			return out, err
		}
		out.Recording = filepath.Join(folder, job.ID)
		return out, os.WriteFile(out.Recording, text, 0o600)
	}
}

// filmed lets a worker drive the one job of a sweep and returns what came of it.
func filmed(t *testing.T, js queue.Stream, p *sweep.Batch, w *queue.Worker, by queue.Stream) *sweep.Tally {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	w.Only = p.ID
	var done sync.WaitGroup
	defer done.Wait()
	defer end()
	var begun sync.Once // when what earlier runs left is seen to, and the lease is long
	l := &queue.Lead{Batch: p, Lease: time.Minute, Replicas: 1, Progress: func(queue.Progress) {
		begun.Do(func() {
			done.Go(func() {
				if err := w.Run(ctx, by); err != nil {
					t.Error(err)
				}
			})
		})
	}}
	limit, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := l.Run(limit, js); err != nil {
		t.Fatalf("%v, %d of %d", err, l.Tally.Done(), l.Tally.Wanted())
	}
	return l.Tally
}

// TestSendsOverASlowLink: a recording that takes long to its server costs no second drive
// and no worker.
func TestSendsOverASlowLink(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 1)
	var driven atomic.Int64
	want := film(700 << 10)
	w := worker("w", filming(t, want, &driven))
	tally := filmed(t, js, p, w, impatient(t, between(t, url, 1<<20).url))
	r := tally.Results()[0]
	if !tally.Report().Pass || driven.Load() != 1 || r.Deliveries != 1 || r.Recording == "" {
		t.Errorf("%d drives, %+v", driven.Load(), r)
	}
	path := filepath.Join(t.TempDir(), "film.mcap")
	if err := (queue.Recordings{JS: js, Sweep: p.ID}).Fetch(t.Context(), r.Recording, path); err != nil {
		t.Error(err)
	}
	same(t, path, want)
	store, err := js.ObjectStore(t.Context(), "sweep-"+p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := store.GetBytes(t.Context(), r.Recording); err != nil || !bytes.Equal(got, want) {
		t.Errorf("NATS' own way to it: %d bytes of %d, %v", len(got), len(want), err)
	}
}

// TestSendsAgain: a recording whose link stalls in the midst of it is sent again without
// another drive; who works is told what stalls, where, and what to look at; and nothing of
// the first try stays on the server.
func TestSendsAgain(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 1)
	l := between(t, url, 0)
	var driven atomic.Int64
	want := film(300 << 10)
	w := worker("w", filming(t, want, &driven))
	w.Stall = 600 * time.Millisecond
	told := make(chan error, 100)
	var opened sync.Once
	w.Failing = func(err error) {
		told <- err
		opened.Do(func() { l.shut.Store(false); close(l.open) })
	}
	tally := filmed(t, js, p, w, watched{connect(t, l.url), func(chunk int64) error {
		if chunk == 3 {
			l.shut.Store(true)
		}
		return nil
	}, new(atomic.Int64)})
	r := tally.Results()[0]
	if !tally.Report().Pass || driven.Load() != 1 || r.Deliveries != 1 || r.Recording == "" {
		t.Errorf("%d drives, %+v", driven.Load(), r)
	}
	select {
	case err := <-told:
		for _, word := range []string{"room seed 1, brain", "recording-" + p.Jobs[0].ID, l.at, "look at the link", "sent again"} {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("nothing of %q in: %v", word, err)
			}
		}
	default:
		t.Error("nobody was told")
	}
	stream, err := js.Stream(t.Context(), "OBJ_sweep-"+p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n, want := stream.CachedInfo().State.Msgs, uint64(5+1+2*len(p.Inputs)); n != want { // chunks of 64 kB and a head
		t.Errorf("%d messages in the store, %d belong to something", n, want)
	}
}

// A watched server is asked before every chunk of a recording whether it is sent.
type watched struct {
	jetstream.JetStream
	before func(chunk int64) error
	chunks *atomic.Int64
}

func (s watched) PublishMsg(ctx context.Context, m *nats.Msg, o ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	if strings.Contains(m.Subject, ".C.") {
		if err := s.before(s.chunks.Add(1)); err != nil {
			return nil, err
		}
	}
	return s.JetStream.PublishMsg(ctx, m, o...)
}

// TestResultWithoutRecording: a drive whose recording the server does not take is a good
// drive, the report says what is missing, and the next run drives the job anew.
func TestResultWithoutRecording(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 1)
	var driven atomic.Int64
	films := filming(t, film(100<<10), &driven)
	w := worker("w", films)
	w.Stall = 60 * time.Millisecond
	tally := filmed(t, js, p, w, watched{js, func(int64) error { return errors.New("the disk is full") }, new(atomic.Int64)})
	r, report := tally.Results()[0], tally.Report()
	if report.Pass || report.Failed != 0 || report.Unrecorded != 1 || driven.Load() != 1 || r.Drive == nil || r.Recording != "" {
		t.Errorf("%d drives, %+v, %+v", driven.Load(), r, report)
	}
	var text bytes.Buffer
	if err := report.Print(&text); err != nil || !strings.Contains(text.String(), "1 recordings could not be stored, the first: room seed 1, brain: recording-"+r.ID) {
		t.Errorf("%v, %s", err, text.String())
	}
	next := worker("next", films)
	next.Failing = func(err error) { t.Error(err) }
	if again := filmed(t, js, p, next, js); !again.Report().Pass || driven.Load() != 2 || again.Results()[0].Recording == "" {
		t.Errorf("%d drives, %+v", driven.Load(), again.Results()[0])
	}
}

// TestWorkerWithoutRoom: a drive whose recording the worker's own disk does not take is a good
// drive; who works is told, and the next run drives the job anew.
func TestWorkerWithoutRoom(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 1)
	var driven atomic.Int64
	films := filming(t, film(100<<10), &driven)
	told := make(chan error, 100)
	w := worker("w", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		out, err := films(job, input)
		out.Recording, out.Unrecorded = "", errors.New("film: the disk is full")
		return out, err
	})
	w.Failing = func(err error) { told <- err }
	tally := filmed(t, js, p, w, js)
	r, report := tally.Results()[0], tally.Report()
	if report.Pass || report.Failed != 0 || report.Unrecorded != 1 || r.Drive == nil || r.Recording != "" {
		t.Errorf("%+v, %+v", r, report)
	}
	if said := (<-told).Error(); !strings.Contains(said, "room seed 1, brain") || !strings.Contains(said, "film: the disk is full") {
		t.Error(said)
	}
	next := worker("next", films)
	next.Failing = func(err error) { t.Error(err) }
	if again := filmed(t, js, p, next, js); !again.Report().Pass || driven.Load() != 2 || again.Results()[0].Recording == "" {
		t.Errorf("%d drives, %+v", driven.Load(), again.Results()[0])
	}
}
