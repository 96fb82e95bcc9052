package service

import (
	"context"
	"math"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/recording"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
	"fieldbrain/testbench"
)

// frozen returns a service with a mind that has driven for a while, and a ring of a length.
func frozen(t *testing.T, m *car.Mind, ring time.Duration, record string) *Service {
	t.Helper()
	s := &Service{
		settings: config.Default(), car: &car.Car{Mind: m}, clock: robot.NewMonotonic(),
		taping: taping{asked: make(chan *tape)}, conditions: loop.NewConditions(time.Now, nil),
	}
	s.settings.Telemetry.Length, s.settings.Record.Path = config.Duration(ring), record
	folder := t.TempDir()
	o := telemetry.Options{Page: filepath.Join(folder, "a.page"), Length: ring, Identity: telemetry.Identity{Period: testbench.DefaultPeriod}}
	if ring > 0 {
		o.Ring = filepath.Join(folder, "a.ring")
	}
	w, err := telemetry.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	s.telemetry = &telemetryWriter{w: w, mind: m}
	if err := s.newStills(); err != nil {
		t.Fatal(err)
	}
	return s
}

// recorder returns one that writes nothing.
func recorder(t *testing.T) *recording.Recorder {
	t.Helper()
	shelf, err := recording.NewShelf(t.TempDir(), recording.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return recording.NewRecorder(shelf, recording.Head{})
}

// copies keeps the stills for so long, in a bubble, and returns how often the loop's thread
// copied the brain, and the fewest bytes that the goroutine allocated for one.
func copies(s *Service, length time.Duration) (n int, least uint64) {
	ctx, end := context.WithCancel(context.Background())
	defer synctest.Wait()
	defer end()
	go func() { _ = s.keepStills(ctx) }()
	least = math.MaxUint64
	for until := time.Now().Add(length); time.Now().Before(until); {
		time.Sleep(lookEvery)
		synctest.Wait()
		if s.stills.turn.Load() != turnWanted {
			continue
		}
		n++
		for s.stills.turn.Load() == turnWanted {
			s.stills.between(time.Second, onTime, &s.recording)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		time.Sleep(lookEvery)
		synctest.Wait()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return n, least
}

// TestStillsAreForSomebody: the brain is copied for a ring at the ring's pace, for a
// recording once a minute, and for nobody never, however short the ring is.
func TestStillsAreForSomebody(t *testing.T) {
	m, _ := cartest.NewMind(t, config.Default(), "room", 7, nil)
	const minutes = 12
	for _, c := range []struct {
		name     string
		ring     time.Duration
		records  bool
		from, to int // copies in so many minutes
	}{
		{"nobody", 0, false, 0, 0},
		{"ring of ten minutes", 10 * time.Minute, false, 2, 2},
		{"ring of an hour", time.Hour, false, 2, 2},
		{"recording", 0, true, 11, 12},
		{"both", 10 * time.Minute, true, 12, 14},
		{"ring of four minutes", 4 * time.Minute, false, 5, 6},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := frozen(t, m, c.ring, t.TempDir())
			if c.records {
				s.recording.Store(recorder(t))
			}
			if n, _ := copies(s, minutes*time.Minute); n < c.from || n > c.to {
				t.Errorf("%s: %d copies in %d minutes, want %d to %d", c.name, n, minutes, c.from, c.to)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		if s := frozen(t, m, 0, ""); s.stills != nil {
			t.Error("neither ring nor recordings, and the brain is kept for them")
		}
	})
}

// TestCalendar: a short ring has its pace, a recording beside it another one.
func TestCalendar(t *testing.T) {
	now := time.Unix(1e9, 0)
	c := newCalendar(now, 10*time.Second)
	rings, tapes := 0, 0
	for at := time.Duration(0); at < 5*time.Minute; at += lookEvery {
		ring, tape := c.due(now.Add(at), at < 4*time.Minute)
		c.had(now.Add(at), ring, tape)
		if ring {
			rings++
		}
		if tape {
			tapes++
		}
	}
	if rings != 59 || tapes != 3 {
		t.Errorf("%d brains for the ring, %d for the recording in its four minutes; want 59 and 3", rings, tapes)
	}
}

// TestStillsLeaveNoRubbish: what is frozen again and again beside an armed car, whose
// rubbish nobody collects, goes into memory that is used again.
func TestStillsLeaveNoRubbish(t *testing.T) {
	m, rig := cartest.NewMind(t, config.Default(), "room", 7, nil)
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) { m.Brain.Tick(now) })
	rig.AdvanceTo(3 * time.Second)
	synctest.Test(t, func(t *testing.T) {
		s := frozen(t, m, 4*time.Minute, "")
		s.recording.Store(recorder(t))
		n, least := copies(s, 12*time.Minute)
		size := uint64(len(s.stills.packed))
		t.Logf("%d copies, the least allocated %d bytes, a packed brain has %d", n, least, size)
		if limit := size / 4; n < 12 || least > limit {
			t.Errorf("%d copies, each allocated at least %d bytes, want at most %d", n, least, limit)
		}
	})
}
