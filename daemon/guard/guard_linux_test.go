package guard_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon"
	"fieldbrain/daemon/guard"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/tier"
)

// TestMain gives the compiled guards a folder.
func TestMain(m *testing.M) {
	code := m.Run()
	if folder, err := built(); err == nil {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// built is the folder of the compiled guards.
var built = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "guards") })

// program compiles the guard once, with every warning an error; faked gives it GPIO
// chips of a test's own.
func program(t *testing.T, faked ...string) string {
	t.Helper()
	tier.Native(t, "the guard is compiled for this machine")
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler on this machine: there is no guard here")
	}
	folder, err := built()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "guard"+strings.Join(faked, "-"))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	args := []string{"-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", path, "../../cmd/fieldbrain-guard/guard.c"}
	for _, name := range faked {
		args = append(args, "-include", "testdata/"+name+".h")
	}
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// beats lets a loop tick until the test or the returned function stops it. What the
// ticks learn comes through the channel.
func beats(t *testing.T, w *guard.Ward, clock robot.Clock) (stop func(), trips chan guard.Trip) {
	done, ended := make(chan struct{}), make(chan struct{})
	trips = make(chan guard.Trip, 1000)
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
			trip := w.Beat(clock.Now())
			if trip.Stopped || trip.EStop || trip.Lost {
				select {
				case trips <- trip:
				default:
				}
			}
			w.Noted(trip)
		}
	}()
	var once bool
	stop = func() {
		if !once {
			once = true
			close(done)
			<-ended
		}
	}
	t.Cleanup(stop)
	return stop, trips
}

// ward connects to the rig's guard.
func (r *rig) ward(clock robot.Clock) *guard.Ward {
	r.t.Helper()
	w := guard.New(r.socket, guard.Bench, clock)
	if err := w.Set(true); err == nil {
		r.t.Error("the line rises without a guard")
	}
	if err := w.Renew(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { w.Close() })
	return w
}

// driving connects to the rig's guard, ticks and raises the line.
func (r *rig) driving(clock robot.Clock) (w *guard.Ward, stop func(), trips chan guard.Trip) {
	r.t.Helper()
	w = r.ward(clock)
	stop, trips = beats(r.t, w, clock)
	if err := w.Set(true); err != nil {
		r.t.Fatal(err)
	}
	r.level('1')
	return w, stop, trips
}

func (r *rig) status() string {
	r.t.Helper()
	text, err := guard.Ask(r.socket, "status")
	if err != nil {
		r.t.Fatal(err)
	}
	return text
}

// A silent loop is stopped, and the line rises only after a tick that knows it.
func TestSilence(t *testing.T) {
	r, clock := newRig(t), robot.NewMonotonic()
	w, stop, _ := r.driving(clock)
	stop()
	r.level('0')
	r.until("the trip is counted", func() bool { return strings.Contains(r.status(), "cause=silent") })
	if err := w.Set(true); err == nil {
		t.Error("the line rises although no tick has taken note")
	}
	_, trips := beats(t, w, clock)
	if trip := <-trips; !trip.Stopped || trip.EStop {
		t.Errorf("the first tick learns %+v", trip)
	}
	r.rise(w)
}

// Whoever connects to the guard's stop socket stops the car, and the next tick
// learns it; a client of the daemon's asks just so.
func TestStop(t *testing.T) {
	r := newRig(t)
	w, _, trips := r.driving(robot.NewMonotonic())
	answer, err := daemon.StopAt(context.Background(), daemon.StopSocket(r.socket))
	if err != nil || !answer.OK {
		t.Fatalf("%+v, %v", answer, err)
	}
	r.level('0')
	if trip := <-trips; !trip.Stopped || !trip.EStop {
		t.Errorf("the tick learns %+v", trip)
	}
	if s := w.State(); s.Cause != guard.Stop || s.Lost {
		t.Errorf("state %+v", s)
	}
}

// A page that says that the line is low makes it so: nobody looks at one that is.
func TestWildWrite(t *testing.T) {
	r := newRig(t)
	w, _, _ := r.driving(robot.NewMonotonic())
	seen := w.Looks()
	r.until("the guard has looked", func() bool { return w.Looks() > seen+1 })
	w.Lie()
	r.level('0')
}

// aside is the variable of a test's second process: the guard's socket.
const aside = "FIELDBRAIN_TEST_GUARD"

// refuses makes sure that the guard at a socket, which attends process who, does not take
// this one in its place.
func refuses(t *testing.T, socket string, who int) {
	second := guard.New(socket, guard.Bench, robot.NewMonotonic())
	for _, err := range []error{second.Renew(), second.Set(true)} {
		if !errors.Is(err, guard.ErrOther) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", who)) || strings.Contains(err.Error(), "does not run") {
			t.Errorf("a second daemon: %v, want process %d", err, who)
		}
	}
	if err := second.Set(true); !errors.Is(err, robot.ErrHeld) {
		t.Errorf("its line: %v", err)
	}
}

// Nobody takes a daemon's place, or its line, while it lives.
func TestOneDaemon(t *testing.T) {
	if socket := os.Getenv(aside); socket != "" {
		refuses(t, socket, os.Getppid())
		return
	}
	r, clock := newRig(t), robot.NewMonotonic()
	if _, err := guard.Ask(r.socket, "halt"); err != nil {
		t.Errorf("halt without a daemon: %v", err)
	}
	w := r.ward(clock)
	cmd := exec.Command(os.Args[0], "-test.run=^TestOneDaemon$")
	cmd.Env = append(os.Environ(), aside+"="+r.socket)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if err := guard.New(r.socket, guard.Bench, clock).Renew(); err == nil || errors.Is(err, guard.ErrOther) || !strings.Contains(err.Error(), "this process already") {
		t.Errorf("the daemon itself, once more: %v", err)
	}
	if _, err := guard.Ask(r.socket, "halt"); err == nil || !strings.Contains(err.Error(), "drives the car") {
		t.Errorf("halt beside a daemon: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r.until("the place is free", func() bool { return strings.Contains(r.status(), "daemon=0") })
	if err := guard.New(r.socket, "orin-nano", clock).Renew(); err == nil || !strings.Contains(err.Error(), "--header orin-nano") {
		t.Errorf("another header: %v", err)
	}
	if _, err := guard.Ask(r.socket, "dance"); err == nil {
		t.Error("an unknown request succeeds")
	}
}

// A daemon whose guard dies learns it, and goes on with the next one.
func TestGuardDies(t *testing.T) {
	r := newRig(t)
	w, _, trips := r.driving(robot.NewMonotonic())
	r.cmd.Process.Kill()
	if trip := <-trips; !trip.Lost {
		t.Errorf("the tick learns %+v", trip)
	}
	if err := w.Set(true); err == nil {
		t.Error("the line rises without a guard")
	}
	if err := w.Set(false); err != nil { // the line is still ours
		t.Error(err)
	}
	r.level('0')
	r.start()
	r.until("there is a guard again", func() bool { return w.Renew() == nil && !w.Lost() })
	r.rise(w)
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.level('0') // one that is told to end leaves nobody driving
}

// A daemon is told of its own stops alone: not of what the guard did to the one before
// it, and of all that guards have done to this one, also to the last by a guard that
// runs no more.
func TestWhoseStop(t *testing.T) {
	r, clock := newRig(t), robot.NewMonotonic()
	first := r.ward(clock)
	stop, _ := beats(t, first, clock)
	r.rise(first)
	stop()
	r.until("its silence is a stop that no tick has acted on", func() bool {
		_ = first.Set(true) // a beat may have come late before, and the line be low
		s := first.State()
		return s.Trips > s.Noted && s.Cause == guard.Silent
	})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	r.until("the place is free", func() bool { return strings.Contains(r.status(), "daemon=0") })

	w := r.ward(clock)
	if s := w.State(); s.Trips != 0 || s.Noted != 0 || s.Cause != guard.None {
		t.Errorf("the next daemon has inherited %+v", s)
	}
	if text := r.status(); strings.Contains(text, "trips=0") {
		t.Errorf("the guard has forgotten its own stops: %s", text)
	}
	beats(t, w, clock)
	answer, err := daemon.StopAt(context.Background(), daemon.StopSocket(r.socket))
	if err != nil || !answer.OK {
		t.Fatalf("%+v, %v", answer, err)
	}
	r.until("its own stop is noted", func() bool { s := w.State(); return s.Trips > 0 && s.Noted == s.Trips })
	before := w.State()
	if before.Cause != guard.Stop {
		t.Errorf("its own stop: %+v", before)
	}

	r.cmd.Process.Kill()
	r.until("the guard is gone", w.Lost)
	r.start()
	r.until("there is a guard again", func() bool { return w.Renew() == nil && !w.Lost() })
	if s := w.State(); s.Trips < before.Trips || s.Noted < before.Noted || s.Cause == guard.None {
		t.Errorf("with a new guard %+v, before %+v", s, before)
	}
}

// Clients that connect and say nothing, or nonsense, keep nobody waiting.
func TestRudeClients(t *testing.T) {
	r := newRig(t)
	for i := range 50 {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
		if err := unix.Connect(fd, &unix.SockaddrUnix{Name: r.socket}); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			_ = unix.Send(fd, []byte(strings.Repeat("x", 4000)), unix.MSG_NOSIGNAL)
		}
	}
	r.until("it still answers", func() bool { _, err := guard.Ask(r.socket, "status"); return err == nil })
}

// A beat allocates nothing.
func TestBeatAllocatesNothing(t *testing.T) {
	r, clock := newRig(t), robot.NewMonotonic()
	w := r.ward(clock)
	if n := testing.AllocsPerRun(1000, func() { w.Noted(w.Beat(clock.Now())) }); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

// The guard's table of lines is the driver's.
func TestLines(t *testing.T) {
	out, err := exec.Command(program(t), "--lines").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		var name, board, chip, reset, other, free string
		var offset, place int
		if _, err := fmt.Sscan(line, &name, &board, &chip, &reset, &offset, &other, &free, &place); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		h, err := picarx.DetectHeader([]byte(board + "x\x00"))
		if err != nil || h.Name != name {
			t.Errorf("board %s is header %s, the guard says %s (%v)", board, h.Name, name, err)
			continue
		}
		seen[name] = true
		for _, c := range []struct {
			bcm, offset int
			chip, line  string
		}{{5, offset, chip, reset}, {20, place, other, free}} {
			if p, err := h.Pin(c.bcm); err != nil || p.Chip != c.chip || p.Name != c.line || p.Offset != c.offset {
				t.Errorf("%s, BCM %d: the guard has %+v, the driver %+v (%v)", name, c.bcm, c, p, err)
			}
		}
	}
	for _, h := range picarx.Headers() {
		if !seen[h.Name] {
			t.Errorf("the guard does not know header %s", h.Name)
		}
	}
}
