package daemon_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
)

// said keeps what a wheel tells the brain.
type said struct {
	mu    sync.Mutex
	words []brain.ManualInput
}

func (s *said) steer(w brain.ManualInput) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words = append(s.words, w)
}

// last returns the newest word.
func (s *said) last() brain.ManualInput {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.words) == 0 {
		return brain.ManualInput{}
	}
	return s.words[len(s.words)-1]
}

// await waits for a hand.
func (s *said) await(t *testing.T, h brain.Driver) {
	t.Helper()
	for range 2000 {
		if s.last().Driver == h {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("the brain heard %+v at last, want %v", s.last(), h)
}

// driveable runs a control socket with a wheel.
func driveable(t *testing.T, deadman time.Duration) (*said, string) {
	t.Helper()
	heard := new(said)
	wheel := daemon.NewManualLease(heard.steer, deadman)
	c := serveLease(t, wheel, func(_ context.Context, r daemon.Request) daemon.Answer {
		err := errors.New("no such command: " + r.Command)
		switch r.Command {
		case "take":
			err = wheel.Take(r.Client, r.Source)
		case "drive":
			err = wheel.Drive(r.Client, r.Throttle, r.Steering)
		case "release":
			err = wheel.Release(r.Client)
		case "go":
			err = wheel.Yield()
		}
		if err != nil {
			return daemon.Answer{Error: err.Error()}
		}
		return daemon.Answer{OK: true}
	})
	return heard, c.Path()
}

// refusal wants an error with words in it.
func refusal(t *testing.T, what string, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %v, want %q", what, err, w)
		}
	}
}

// TestOneSource: who drives keeps the wheel from others and from orders, until it lets
// go, is cut off, or is silent while another takes it.
func TestOneSource(t *testing.T) {
	heard, path := driveable(t, time.Hour)
	first, _, err := daemon.TakeManualLease(t.Context(), path, "first")
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Drive(0.5, -0.25); err != nil {
		t.Fatal(err)
	}
	want := brain.ManualInput{Driver: brain.DriverPerson, Throttle: 0.5, Steering: -0.25, Source: brain.Source{'f', 'i', 'r', 's', 't'}}
	if heard.last() != want {
		t.Errorf("the brain heard %+v, want %+v", heard.last(), want)
	}
	_, _, err = daemon.TakeManualLease(t.Context(), path, "second")
	refusal(t, "a second source", err, "first drives", "estop")
	answer, err := daemon.Call(t.Context(), path, daemon.Request{Command: "go", Order: "explore"})
	refusal(t, "an order", errors.Join(err, errors.New(answer.Error)), "first drives")
	refusal(t, "too much throttle", first.Drive(1.5, 0), "from -1 to 1")
	if heard.last() != want {
		t.Errorf("after refusals the brain heard %+v", heard.last())
	}
	if err := first.Release(); err != nil {
		t.Error(err)
	}
	if heard.last() != (brain.ManualInput{Driver: brain.DriverBrain}) {
		t.Errorf("after the release the brain heard %+v", heard.last())
	}
	second, _, err := daemon.TakeManualLease(t.Context(), path, "second")
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil { // cut off
		t.Error(err)
	}
	heard.await(t, brain.DriverLost)
	_, _, err = daemon.TakeManualLease(t.Context(), path, "no good name")
	refusal(t, "a name with blanks", err, "1 to 16 letters")
}

// TestSilentSource: a source that is silent for longer than the deadman loses the wheel
// to the next one and to an order, and hears so.
func TestSilentSource(t *testing.T) {
	heard, path := driveable(t, time.Millisecond)
	first, _, err := daemon.TakeManualLease(t.Context(), path, "first")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	time.Sleep(5 * time.Millisecond)
	if err := first.Drive(1, 0); err != nil {
		t.Errorf("a late word of who holds the wheel: %v", err)
	}
	time.Sleep(5 * time.Millisecond)
	second, _, err := daemon.TakeManualLease(t.Context(), path, "second")
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Millisecond)
	refusal(t, "a word after another took the wheel", first.Drive(1, 0), "send {\"command\":\"take\"")
	if err := second.Drive(0.1, 0); err != nil {
		t.Error(err)
	}
	time.Sleep(5 * time.Millisecond)
	if answer, err := daemon.Call(t.Context(), path, daemon.Request{Command: "go", Order: "explore"}); err != nil || !answer.OK {
		t.Errorf("an order while the source is silent: %+v, %v", answer, err)
	}
	refusal(t, "a word after an order", second.Drive(1, 0), "take")
	n := heard.last()
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	time.Sleep(50 * time.Millisecond)
	if heard.last() != n {
		t.Errorf("the end of a connection without the wheel told the brain %+v", heard.last())
	}
}

// TestCrowdKeepsDriver: however many connect, the driver's connection stays.
func TestCrowdKeepsDriver(t *testing.T) {
	_, path := driveable(t, time.Hour)
	d, _, err := daemon.TakeManualLease(t.Context(), path, "pad")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range 40 {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	time.Sleep(100 * time.Millisecond)
	if err := d.Drive(0.2, 0); err != nil {
		t.Errorf("in a crowd: %v", err)
	}
}

// TestDriveText: the usual form of the request needs no decoder, another one gives the
// same.
func TestDriveText(t *testing.T) {
	heard, path := driveable(t, time.Hour)
	d, _, err := daemon.TakeManualLease(t.Context(), path, "pad")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, tt := range []struct {
		throttle, steering float64
	}{{0.5, -1}, {-1, 1}, {0, 0}, {0.1234, -0.5}} {
		if err := d.Drive(tt.throttle, tt.steering); err != nil {
			t.Fatal(err)
		}
		if w := heard.last(); w.Throttle != float32(tt.throttle) || w.Steering != float32(tt.steering) {
			t.Errorf("%v: the brain heard %+v", tt, w)
		}
		plain, err := d.Ask(daemon.Request{Command: "drive", Throttle: tt.throttle, Steering: tt.steering})
		if err != nil || !plain.OK {
			t.Fatalf("as plain JSON: %+v, %v", plain, err)
		}
		if w := heard.last(); w.Throttle != float32(tt.throttle) || w.Steering != float32(tt.steering) {
			t.Errorf("%v as plain JSON: the brain heard %+v", tt, w)
		}
	}
}

// TestYieldTellsTheBrain: an order takes the wheel from a silent source before it comes,
// whatever the brain's own clock says of the silence.
func TestYieldTellsTheBrain(t *testing.T) {
	heard := new(said)
	w := daemon.NewManualLease(heard.steer, time.Millisecond)
	if err := w.Yield(); err != nil || heard.last().Driver != brain.DriverNone {
		t.Errorf("without a driver: %v, %+v", err, heard.last())
	}
	if err := w.Take(1, "pad"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Millisecond)
	if err := w.Yield(); err != nil || heard.last().Driver != brain.DriverLost || heard.last().Source.String() != "pad" {
		t.Errorf("from a silent source: %v, %+v", err, heard.last())
	}
}
