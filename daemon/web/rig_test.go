package web_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/daemon/web"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// A rig is a run that a test writes, a daemon that only listens, and a server.
type rig struct {
	t      testing.TB
	socket string
	w      *telemetry.Writer
	began  time.Time
	n      uint64
	server *web.Server
	token  string

	mu    sync.Mutex
	heard []daemon.Request
}

// newRig starts a server over the settings; nil takes loopback and any port.
func newRig(t testing.TB, change func(*config.Web)) *rig {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	r := &rig{t: t, socket: filepath.Join(t.TempDir(), "control.sock")}
	r.begin()
	set := config.DefaultWeb()
	set.Listen = "127.0.0.1:0"
	if change != nil {
		change(&set)
	}
	var err error
	r.server, err = web.New(web.Options{Settings: set, Sockets: []string{r.socket}, Guard: r.socket + ".guard", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	_, r.token, _ = strings.Cut(r.server.URL(), "#token=")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve() = %v", err)
		}
		r.end()
		http.DefaultClient.CloseIdleConnections()
		goleak.VerifyNone(t, leaks)
	})
	r.await()
	return r
}

// begin makes the files of a run and its first tick.
func (r *rig) begin() {
	r.t.Helper()
	var err error
	r.began, r.n = time.Now(), 0
	r.w, err = telemetry.New(telemetry.Options{
		Page: telemetry.PagePath(r.socket), Ring: telemetry.RingPath(r.socket), Length: 10 * time.Second,
		Identity: telemetry.Identity{Program: "test", Body: "sim", World: "room", Period: 5 * time.Millisecond},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.tick(nil)
}

// tick writes a tick 5 mm ahead of the one before.
func (r *rig) tick(change func(*telemetry.Tick)) {
	now := time.Since(r.began)
	trace := brain.Trace{Tick: r.n, Now: now, Causes: safety.Disarmed}
	trace.Laps[brain.Step] = 200 * time.Microsecond
	var t telemetry.Tick
	t.SetTrace(&trace, loop.Sample{Release: now - 300*time.Microsecond, Start: now - 250*time.Microsecond, End: now, Warm: true})
	state := robot.State{Now: now}
	state.Range[robot.Front] = robot.Reading{Value: 1.25, At: now, OK: true}
	t.SetState(&state)
	t.Level, t.X, t.Y = uint8(safety.Stopped), float32(r.n)*0.005, 0.5
	if change != nil {
		change(&t)
	}
	r.w.Tick(&t, loop.Counts{Ticks: r.n + 1})
	r.n++
}

// end leaves the files as an orderly end does.
func (r *rig) end() {
	if r.w != nil {
		if err := r.w.Close(); err != nil {
			r.t.Error(err)
		}
	}
	r.w = nil
}

// await waits until the server shows the run: its first look may come after the port.
func (r *rig) await() {
	r.t.Helper()
	for range 200 {
		if _, code := r.get("/healthz"); code == http.StatusOK {
			return
		}
		time.Sleep(20 * time.Millisecond)
		r.tick(nil)
	}
	text, code := r.get("/healthz")
	r.t.Fatalf("the server shows no run: %d %s", code, text)
}

// daemon answers on the control socket and notes what it hears, until it is stopped.
func (r *rig) daemon(answer daemon.Answer) (stop func()) {
	r.t.Helper()
	c, err := daemon.Listen(r.socket)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	hear := func(_ context.Context, q daemon.Request) daemon.Answer {
		r.mu.Lock()
		defer r.mu.Unlock()
		q.Client = 0 // which connection it was
		r.heard = append(r.heard, q)
		return answer
	}
	all.Go(func() { _ = c.Serve(ctx, hear) })
	all.Go(func() {
		_ = c.ServeStops(ctx, daemon.Stopper{Now: func() {}, Stop: func(ctx context.Context) daemon.Answer { return hear(ctx, daemon.Request{Command: "estop"}) }})
	})
	stop = sync.OnceFunc(func() {
		cancel()
		all.Wait()
		_ = c.Close()
	})
	r.t.Cleanup(stop)
	return stop
}

// url returns an address of the server.
func (r *rig) url(path string) string {
	scheme, _, _ := strings.Cut(r.server.URL(), ":")
	return scheme + "://" + r.server.Address() + path
}

// ask sends a request with headers.
func (r *rig) ask(method, path, body string, headers map[string]string) (text string, code int, head http.Header) {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), method, r.url(path), strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	for k, v := range headers {
		if k == "Host" {
			q.Host = v
		} else {
			q.Header.Set(k, v)
		}
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b), a.StatusCode, a.Header
}

func (r *rig) get(path string) (string, int) {
	r.t.Helper()
	text, code, _ := r.ask(http.MethodGet, path, "", nil)
	return text, code
}

// post sends JSON as the page does.
func (r *rig) post(path, body string) (string, int) {
	r.t.Helper()
	text, code, _ := r.ask(http.MethodPost, path, body, map[string]string{
		"Content-Type": "application/json", "Authorization": "Bearer " + r.token, "Origin": r.url(""), "Sec-Fetch-Site": "same-origin",
	})
	return text, code
}

// object decodes an answer.
func object[T any](t testing.TB, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
