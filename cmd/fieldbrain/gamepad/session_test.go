package gamepad

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
)

// A car notes what a daemon's wheel tells it.
type car struct {
	mu       sync.Mutex
	said     brain.ManualInput
	outcomes []float64
	changed  chan struct{}
}

func (c *car) steer(w brain.ManualInput) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = w
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// await waits until the car was told something.
func (c *car) await(t *testing.T, what string, is func(w brain.ManualInput, outcomes []float64) bool) {
	t.Helper()
	for range 2000 {
		if c.now(is) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t.Fatalf("%s: the car was told %+v, %v", what, c.said, c.outcomes)
}

// now reports whether it is so now.
func (c *car) now(is func(w brain.ManualInput, outcomes []float64) bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return is(c.said, c.outcomes)
}

// serve answers as a daemon does.
func serve(t *testing.T) (*car, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.sock")
	control, err := daemon.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &car{changed: make(chan struct{}, 1)}
	wheel := daemon.NewManualLease(c.steer, 200*time.Millisecond)
	control.OnManualLease(wheel)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- control.Serve(ctx, func(_ context.Context, r daemon.Request) daemon.Answer {
			var err error
			switch r.Command {
			case "take":
				err = wheel.Take(r.Client, r.Source)
			case "release":
				err = wheel.Release(r.Client)
			case "outcome":
				c.mu.Lock()
				c.outcomes = append(c.outcomes, r.Value)
				c.mu.Unlock()
			}
			if err != nil {
				return daemon.Answer{Error: err.Error()}
			}
			return daemon.Answer{OK: true}
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		control.Close()
	})
	return c, path
}

// A cable is the pipe to the pad that is plugged in.
type cable struct {
	*testing.T
	mu   sync.Mutex
	pipe *os.File
}

// plugIn plugs a pad in whose left stick stands at y.
func (c *cable) plugIn(y int32) (*Pad, error) {
	pad, w := plug(c.T, map[uint16]int32{absY: y})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pipe = w
	return pad, nil
}

// send writes events.
func (c *cable) send(events ...[]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range events {
		if _, err := c.pipe.Write(e); err != nil {
			c.Error(err)
		}
	}
}

// pull pulls the pad out.
func (c *cable) pull() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pipe.Close()
}

// person reports whether a person wants a throttle.
func person(throttle float32) func(brain.ManualInput, []float64) bool {
	return func(w brain.ManualInput, _ []float64) bool {
		return w.Driver == brain.DriverPerson && w.Source.String() == "pad" && w.Throttle == throttle
	}
}

// hand reports whether the wheel is in a hand.
func hand(h brain.Driver) func(brain.ManualInput, []float64) bool {
	return func(w brain.ManualInput, _ []float64) bool { return w.Driver == h }
}

// TestSession: a gamepad drives, labels, gives the wheel away and takes it again; when
// it is pulled out the car stops, and plugged in again it drives on once its stick has
// been in the middle.
func TestSession(t *testing.T) {
	c, path := serve(t)
	line := &cable{T: t}
	var out bytes.Buffer
	s := Session{Socket: path, Source: "pad", Out: &out}
	plugged := 0
	s.Find = func() (*Pad, error) {
		plugged++
		return line.plugIn(int32(-32768 * (plugged - 1)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()

	c.await(t, "taken", person(0))
	line.send(event(evAbs, absY, -32768))
	c.await(t, "the stick up", person(1))
	line.send(event(evKey, btnNorth, 1), event(evKey, btnWest, 1))
	c.await(t, "labels", func(_ brain.ManualInput, o []float64) bool { return len(o) == 2 && o[0] == 1 && o[1] == -1 })
	line.send(event(evKey, btnSouth, 1))
	c.await(t, "given away", hand(brain.DriverBrain))
	line.send(event(evKey, btnSouth, 1))
	c.await(t, "taken again, the stick still up", person(0))
	for range 20 { // a busy machine may see too late that it was in the middle
		line.send(event(evAbs, absY, 0))
		time.Sleep(3 * Every)
		line.send(event(evAbs, absY, -32768))
		time.Sleep(3 * Every)
		if c.now(person(1)) {
			break
		}
	}
	c.await(t, "the stick up again", person(1))
	line.pull()
	c.await(t, "pulled out", hand(brain.DriverLost))
	c.await(t, "plugged in with the stick up", person(0))
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	c.await(t, "the end", hand(brain.DriverLost))
	for _, want := range []string{"test pad drives", "noted as good", "noted as bad", "the brain drives", "test pad is gone"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("does not say %q:\n%s", want, out.String())
		}
	}
}

// TestQuiet: a pushed stick of a pad that gives no event for 2 s, as one whose radio is
// out of range, stops the car, which is said once; any event lets it drive on.
func TestQuiet(t *testing.T) {
	c, path := serve(t)
	pad, w := plug(t, nil)
	var out bytes.Buffer
	a := &seat{Session: &Session{Socket: path, Source: "pad", Out: &out}, pad: pad}
	defer a.leave()
	if err := a.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	const words = "no word from the pad for 2 s: the car stops; move the stick\n"
	now := time.Unix(1_763_850_000, 0)
	for _, step := range []struct {
		what     string
		event    []byte
		after    time.Duration
		throttle float32
		said     int
	}{
		{"at rest for long", nil, time.Minute, 0, 0},
		{"the stick up", event(evAbs, absY, -32768), time.Minute, 1, 0},
		{"held", nil, Quiet - time.Millisecond, 1, 0},
		{"held for too long", nil, time.Millisecond, 0, 1},
		{"still", nil, 20 * time.Second, 0, 1},
		{"another axis moves", event(evAbs, 0x10, 1), time.Second, 1, 1},
		{"held again", nil, Every, 1, 1},
		{"gone again", nil, Quiet, 0, 2},
		{"back and let go", event(evAbs, absY, 0), time.Second, 0, 2},
		{"at rest", nil, time.Minute, 0, 2},
	} {
		if now = now.Add(step.after); step.event != nil {
			write(t, pad, w, step.event)
		}
		if err := a.word(now); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		c.await(t, step.what, person(step.throttle))
		if n := strings.Count(out.String(), words); n != step.said {
			t.Fatalf("%s: said %d times that the pad is quiet, want %d:\n%s", step.what, n, step.said, out.String())
		}
	}
}
