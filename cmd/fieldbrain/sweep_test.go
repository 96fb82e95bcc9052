package main

import (
	"context"
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/sweepworkers"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
	"fieldbrain/testbench/tier"
)

// buildNATS builds the program that keeps the queue of a sweep. Only the heavy tier does:
// its server takes half a minute to compile.
func buildNATS(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "fieldbrain-nats")
	if out, err := exec.Command("go", "build", "-o", program, "../fieldbrain-nats").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// TestSweepThroughDeaths kills workers and server of a sweep again and again: every
// result is there once, and equal to that of a sweep that nobody disturbed.
func TestSweepThroughDeaths(t *testing.T) {
	tier.Heavy(t, "a sweep under fire, and one in peace")
	tier.Native(t, "workers and server are processes of this machine")
	tier.Alone(t, "workers and server are processes of their own")
	tier.Compiled(t, "a field in pure Go drives many times slower")
	drives := tier.Count(t, "drives", 60, 60, 600)
	bench := benchSweepCmd{Pilot: "brain"}
	batch, err := bench.batch(drives, 1, 1, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("fieldbrain")
	if err != nil {
		t.Fatal(err)
	}
	run := func(storm sweepworkers.Storm) (*sweep.Tally, sweepworkers.Damage) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
		defer cancel()
		tally, damage, err := sweepworkers.Drill{
			Program: program, NATS: buildNATS(t), Folder: t.TempDir(), Batch: batch, Workers: 4, Lease: queue.LeastLease, Storm: storm,
		}.Run(ctx)
		if err != nil {
			t.Fatalf("%v: %d of %d", err, tally.Done(), tally.Wanted())
		}
		r := tally.Report()
		if !r.Pass || damage.Stored != tally.Wanted() || r.Twice.Equal != r.Twice.Wanted {
			t.Errorf("%d of %d results, %d stored, twice %+v, %d differences", r.Results, r.Jobs, damage.Stored, r.Twice, len(r.Differences))
		}
		return tally, damage
	}
	calm, _ := run(sweepworkers.Storm{})
	stormy, damage := run(sweepworkers.Storm{Kills: 2, After: drives / 10, Restarts: 2, Away: 500 * time.Millisecond, Seed: 1})
	if damage.Killed == 0 || damage.Restarted != 2 {
		t.Errorf("nothing was disturbed: %+v", damage)
	}
	if !maps.Equal(calm.Digests(), stormy.Digests()) {
		t.Error("the disturbed sweep has other hashes")
	}
	moved := 0.0
	for _, r := range stormy.Results() {
		moved += r.Drive.Distance
	}
	if moved/float64(drives) < 0.02 {
		t.Errorf("the cars drove %.3f m on average: the test compared standing cars", moved/float64(drives))
	}
	t.Logf("%d drives, %+v, %d finished by another worker", drives, damage, stormy.Report().Handed)
}

// TestSweepTakesSettings: what a drive in virtual time depends on travels with its job,
// every section of the configuration is either taken or is none of a drive's, and the
// driving law's numbers can be swept.
func TestSweepTakesSettings(t *testing.T) {
	base := config.Default()
	base.Brain.Cruise, base.Law.Comfort, base.Engine.Planes, base.Engine.GPUPath = 0.21, 0.55, 16, "/bin/true"
	text, err := configure(base, "purego", []sweep.Setting{{Key: "law.keep", Value: "0.125"}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Parse("job", text)
	if err != nil {
		t.Fatal(err)
	}
	_, err = configure(base, "purego", []sweep.Setting{{Key: "law.keep", Value: "9"}})
	if err == nil || !strings.Contains(err.Error(), "law.keep: 9 is out of range") || strings.Contains(err.Error(), "settings") {
		t.Errorf("a value out of range is refused as %v", err)
	}
	want := config.Default()
	want.Brain.Cruise, want.Law.Comfort, want.Law.Keep, want.Engine.Planes, want.Engine.Kind = 0.21, 0.55, 0.125, 16, "purego"
	if !reflect.DeepEqual(c, want) {
		t.Errorf("a job has %+v, want %+v", c, want)
	}
	taken := []string{"Loop", "Engine", "Brain", "Law"}
	others := []string{"Body", "Manual", "Memory", "Telemetry", "Record", "Forensics", "Log", "Control", "Web", "Service"}
	for i := range reflect.TypeFor[config.Config]().NumField() {
		if name := reflect.TypeFor[config.Config]().Field(i).Name; !slices.Contains(append(taken, others...), name) {
			t.Errorf("section %s: does a drive in virtual time depend on it? Then moving must take it", name)
		}
	}
}

// TestSweepRoom: a sweep that its disk has no room for, or no longer, says so with the
// folder and what to do, and does not wait for a server that stores nothing any more.
func TestSweepRoom(t *testing.T) {
	folder := t.TempDir()
	if err := hasRoom(folder, 0); err != nil {
		t.Error(err)
	}
	err := hasRoom(folder, roomBefore(1<<40))
	if err == nil || !fullDisk(err) || !strings.Contains(err.Error(), folder) || !strings.Contains(err.Error(), room) {
		t.Errorf("no room for 2^40 drives: %v", err)
	}
	if roomBefore(1000) <= roomLeft(1000) || roomLeft(1000) <= roomLeft(0) {
		t.Errorf("1000 drives need %d bytes before, %d at the end, none %d", roomBefore(1000), roomLeft(1000), roomLeft(0))
	}
	tick, looks := make(chan time.Time, 3), 0
	for range 3 {
		tick <- time.Time{}
	}
	look := func() error {
		if looks++; looks == 3 {
			return err
		}
		return nil
	}
	if got := watchRoom(t.Context(), tick, look); !errors.Is(got, err) || looks != 3 {
		t.Errorf("after %d looks: %v", looks, got)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := watchRoom(ended, nil, look); err != nil {
		t.Errorf("at the end: %v", err)
	}
}
