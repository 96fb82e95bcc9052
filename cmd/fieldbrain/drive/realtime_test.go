package drive

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// TestBusyComputerIsSaid: the result names a busy computer when that stopped the
// run, and only then.
func TestBusyComputerIsSaid(t *testing.T) {
	for _, lates := range []uint64{0, 3} {
		d := New(config.Default())
		d.lates = lates
		var out strings.Builder
		d.Describe(&out, &testbench.Result{})
		if said := strings.Contains(out.String(), "this computer was too busy: it ran the car's driver too late 3 times"); said != (lates > 0) {
			t.Errorf("%d times late: %q", lates, out.String())
		}
	}
}

// TestRealtimePageIsTrue: the page of a drive in real time says how late its ticks began
// and which periods were skipped, as the loop counts them. It said that none was late.
func TestRealtimePageIsTrue(t *testing.T) {
	tier.Alone(t, "a loop and the driver's threads keep the clock")
	settings := config.Default()
	path := filepath.Join(t.TempDir(), "drive.page")
	w, err := telemetry.New(telemetry.Options{
		Page: path, Identity: telemetry.Identity{Program: "test", Body: "sim", World: "room", Period: testbench.DefaultPeriod},
	})
	if err != nil {
		t.Fatal(err)
	}
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	d := New(settings)
	d.Page = NewPage(w)
	_, err = d.Realtime(sc, 7, "brain", testbench.Options{Length: time.Second, Period: testbench.DefaultPeriod})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	p, err := telemetry.OpenPage(path)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	all, err := p.Histograms()
	if err != nil {
		t.Fatal(err)
	}
	if wake := &all[telemetry.Wake]; wake.TotalCount() == 0 || wake.Longest <= 0 {
		t.Errorf("%d wake-ups, the latest %v late; no kernel is that punctual", wake.TotalCount(), wake.Longest)
	}
	newest, err := p.Newest()
	if err != nil {
		t.Fatal(err)
	}
	if newest.Ticks != d.counts.Ticks || newest.Overruns != d.counts.Overruns || newest.Dropped != d.counts.Skipped {
		t.Errorf("the page has %d ticks, %d overruns, %d skipped periods; the loop counted %+v", newest.Ticks, newest.Overruns, newest.Dropped, d.counts)
	}
}
