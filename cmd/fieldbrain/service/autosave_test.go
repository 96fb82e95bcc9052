package service

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/fake"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench"
)

// onTime is a tick that left most of its period, late one that did not.
var (
	onTime = loop.Sample{End: time.Millisecond, Next: 5 * time.Millisecond}
	late   = loop.Sample{End: 4 * time.Millisecond, Next: 5 * time.Millisecond}
)

// kept returns a simulated brain after a second of driving, and its autosave.
func kept(t *testing.T, period time.Duration) *autosave {
	t.Helper()
	settings := config.Default()
	settings.Engine.Kind = "purego"
	m, rig := cartest.NewMind(t, settings, "room", 7, nil)
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) { m.Brain.Tick(now) })
	rig.AdvanceTo(time.Second)
	return autosaveOf(t, m, period)
}

// autosaveOf returns a brain's autosave on a folder of its own.
func autosaveOf(t *testing.T, m *car.Mind, period time.Duration) *autosave {
	t.Helper()
	folder, err := store.Open(filepath.Join(t.TempDir(), "sim"), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	settings := config.Default()
	settings.Memory.Period = config.Duration(period)
	header, err := runningHeader(settings, m.Seed, m.Calibration, "test")
	if err != nil {
		t.Fatal(err)
	}
	return newAutosave(folder, settings, m, header)
}

// decoded reads a saved brain.
func decoded(t *testing.T, name string) *memory.Snapshot {
	t.Helper()
	data, err := store.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	table := field.PiCarX()
	shot, err := memory.Decode(data, &table)
	if err != nil {
		t.Fatal(err)
	}
	return shot
}

// hash returns the hash of a saved field in an engine of its own.
func hash(t *testing.T, shot *memory.Snapshot) uint64 {
	t.Helper()
	settings := config.Default()
	e, err := car.NewEngine(settings.Engine, car.FieldParams(testbench.DefaultPeriod, 7, false), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	shot.Whole = false // the field alone
	table := field.PiCarX()
	if err := shot.Restore(e, nil, &table, 0, true); err != nil {
		t.Fatal(err)
	}
	return field.Hash(e)
}

// TestCopyNeedsTime: the loop takes a copy only when the autosave wants one and
// time is left, and the copy takes no memory.
func TestCopyNeedsTime(t *testing.T) {
	k := kept(t, time.Second)
	k.between(onTime)
	if k.turn.Load() != turnIdle || k.shot.Whole {
		t.Error("the loop took a copy although the autosave wanted none")
	}
	k.turn.Store(turnWanted)
	for _, s := range []loop.Sample{late, {End: time.Millisecond, Next: 10 * time.Millisecond, Skipped: 1}} {
		if k.between(s); k.turn.Load() != turnWanted {
			t.Errorf("a copy was taken after %+v", s)
		}
	}
	if k.between(onTime); k.turn.Load() != turnTaken || k.shot.Tick == 0 {
		t.Errorf("no copy was taken in time: turn %d, tick %d", k.turn.Load(), k.shot.Tick)
	}
	if n := testing.AllocsPerRun(20, func() {
		k.turn.Store(turnWanted)
		k.between(onTime)
	}); n != 0 {
		t.Errorf("%v allocations per copy, want 0", n)
	}
}

// TestSavesOncePerPeriod: the goroutine wants a copy once a period, writes it,
// and counts the periods in which no tick had the time.
func TestSavesOncePerPeriod(t *testing.T) {
	k := kept(t, 10*time.Second)
	synctest.Test(t, func(t *testing.T) {
		var outcomes []error
		noted := make(chan error, 9)
		ctx, end := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- k.run(ctx, func(err error) { noted <- err }) }()
		loop := func(seconds int, s loop.Sample) {
			for range seconds * 200 {
				time.Sleep(5 * time.Millisecond)
				k.between(s)
			}
			synctest.Wait()
			for len(noted) > 0 {
				outcomes = append(outcomes, <-noted)
			}
		}
		loop(35, onTime)
		if got := k.told.Get(); got.Saves != 3 || len(outcomes) != 3 || got.PutOff != 0 || got.Failed != 0 {
			t.Errorf("after 35 s %+v, %d outcomes; want 3 saves", got, len(outcomes))
		}
		loop(20, late) // wanted at 40 s, put off at 50 s
		if got := k.told.Get(); got.Saves != 3 || got.PutOff != 1 || len(outcomes) != 4 || outcomes[3] != errPutOff {
			t.Errorf("without time left %+v, outcomes %v; want one put off", got, outcomes)
		}
		loop(1, onTime)
		if got := k.told.Get(); got.Saves != 4 || outcomes[4] != nil {
			t.Errorf("with time again %+v, outcomes %v; want a save at once", got, outcomes)
		}
		end()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	names, err := store.List(k.folder.Path())
	if err != nil || len(names) != 2 || names[0] != k.told.Get().Last {
		t.Fatalf("files %v, %v; want the newest two", names, err)
	}
	shot := decoded(t, names[0])
	if want := field.Hash(k.mind.Engine); hash(t, shot) != want || shot.Mixed || shot.Stop {
		t.Errorf("%+v: the saved field is not the one that was driven with", shot.Header)
	}
}

// TestSaveThatFails: the status shows the disk's words, older files stay, and the
// next save works.
func TestSaveThatFails(t *testing.T) {
	k := kept(t, time.Second)
	if err := k.write(k.last()); err != nil {
		t.Fatal(err)
	}
	path := k.folder.Path()
	if err := os.Rename(path, path+"-away"); err != nil {
		t.Fatal(err)
	}
	err := k.write(k.last())
	if got := k.told.Get(); !errors.Is(err, os.ErrNotExist) || got.Failed != 1 || got.Saves != 1 || got.Error == "" {
		t.Errorf("%v, %+v; want one failure", err, got)
	}
	if err := os.Rename(path+"-away", path); err != nil {
		t.Fatal(err)
	}
	err = k.write(k.last())
	if got := k.told.Get(); err != nil || got.Saves != 2 || got.Error != "" {
		t.Errorf("%v, %+v; want another save and no complaint", err, got)
	}
	shot := k.last()
	shot.Field[field.Heading][3] = float32(math.NaN())
	if err := k.write(shot); err == nil || !strings.Contains(err.Error(), "channel 48: value 3 is NaN") {
		t.Errorf("a field that is none: %v", err)
	}
}

// TestHangingDisk: a condition shows a write that does not end, and goes when it
// has ended.
func TestHangingDisk(t *testing.T) {
	k := kept(t, time.Second)
	s := &Service{autosave: k, conditions: loop.NewConditions(time.Now, nil)}
	began := time.Now()
	k.writing.Store(&began)
	if s.noteDisk(); len(s.conditions.List()) != 0 {
		t.Errorf("%+v for a write that has just begun", s.conditions.List())
	}
	began = began.Add(-2 * slowDisk)
	if s.noteDisk(); len(s.conditions.List()) != 1 {
		t.Errorf("%+v for a write that hangs, want one", s.conditions.List())
	}
	if err := k.write(k.last()); err != nil {
		t.Fatal(err)
	}
	if s.noteDisk(); len(s.conditions.List()) != 0 {
		t.Errorf("%+v although the write has ended", s.conditions.List())
	}
}

// TestCardSaves: while the card steps a save is of the standby, and says so; at
// the stop it is of the card, exactly, unless the card gives no answer.
func TestCardSaves(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, rig := cartest.NewHunt(t, self, func(o *gpu.Options) { o.Env = []string{fake.Env + "="} })
	h.Attack, h.Quiet = nil, math.MaxInt // nobody attacks
	rig.AdvanceTo(rig.Clock().Now() + 3*time.Second)
	if f := h.Mind.GPU.Failover.State(); !f.Primary {
		t.Fatalf("%+v, want the card to step", f)
	}
	recording := &Service{car: &car.Car{Mind: h.Mind}, stills: &stills{}}
	recording.settings.Record.Path = t.TempDir()
	if _, err := recording.tapeStart(t.Context()); !errors.Is(err, errCard) {
		t.Errorf("a recording that cannot begin: %v", err)
	}
	k := autosaveOf(t, h.Mind, time.Second)
	k.turn.Store(turnWanted)
	k.between(onTime)
	if err := k.write(k.shot); err != nil {
		t.Fatal(err)
	}
	if shot := decoded(t, k.told.Get().Last); !shot.Mixed || shot.Stop || !strings.HasPrefix(shot.Engine, "cuda") {
		t.Errorf("while the card steps: %+v", shot.Header)
	}
	want := field.Hash(h.Mind.Engine)
	if want == field.Hash(h.Mind.Processor) {
		t.Fatal("the standby has the card's very field: this proves nothing")
	}
	if last := k.last(); last.Mixed || !last.Stop || hash(t, last) != want {
		t.Errorf("at the stop: %+v; want the card's field, exactly", last.Header)
	}
	if err := h.Mind.GPU.Newest().Close(); err != nil {
		t.Log(err)
	}
	if last := k.last(); !last.Mixed || last.Check() != nil {
		t.Errorf("a card without an answer: %+v, %v; want the standby's copy", last.Header, last.Check())
	}
}

func TestFolder(t *testing.T) {
	for _, c := range []struct{ path, body, state, want string }{
		{"", "sim", "/run/x", ""},
		{"off", "picarx", "/run/x", ""},
		{"", "picarx", "", "/var/lib/fieldbrain/picarx"},
		{"", "picarx", "/var/lib/a:/var/lib/b", "/var/lib/a/picarx"},
		{"/m", "sim", "/run/x", "/m/sim"},
		{"/m", "picarx", "/run/x", "/m/picarx"},
	} {
		settings := config.Default()
		settings.Memory.Path, settings.Body.Kind = c.path, c.body
		if got := Folder(settings, func(string) string { return c.state }); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestFolderRemedy: every way in which a folder fails has a remedy of its own.
func TestFolderRemedy(t *testing.T) {
	seen := map[string]error{}
	for _, err := range []error{errPutOff, store.ErrBusy, syscall.ENOSPC, syscall.EROFS, syscall.EFBIG, os.ErrPermission, syscall.ENOTDIR, os.ErrNotExist, errors.New("else")} {
		text := FolderRemedy(errors.Join(err))
		if other, is := seen[text]; is || text == "" {
			t.Errorf("%v has the remedy %q of %v", err, text, other)
		}
		seen[text] = err
	}
}

// TestCalibrationCounts: the header differs with another calibration.
func TestCalibrationCounts(t *testing.T) {
	a, b := picarx.DefaultCalibration(), picarx.DefaultCalibration()
	b.Steering.Offset++
	x, err := runningHeader(config.Default(), 1, &a, "")
	if err != nil {
		t.Fatal(err)
	}
	y, err := runningHeader(config.Default(), 1, &b, "")
	if err != nil {
		t.Fatal(err)
	}
	if fit, err := x.Fit(&y); err != nil || fit.Learned || len(fit.Notes) != 1 {
		t.Errorf("%+v, %v; want the learned part left out", fit, err)
	}
}
