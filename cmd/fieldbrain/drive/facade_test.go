package drive_test

import (
	"testing"
	"time"

	"fieldbrain"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/tier"
)

// TestFacadesPilot: a program that builds on the facade gets the brain that the
// command drives with, to the last bit.
func TestFacadesPilot(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	length := time.Duration(tier.Count(t, "seconds", 2, 4, 4)) * time.Second
	for _, name := range []string{"room", "cliff", "line", "goal", "explore"} {
		sc := cartest.Scenario(t, name)
		o := testbench.Options{Period: testbench.DefaultPeriod, Length: length}
		want, err := drive.New(config.Default()).Virtual(sc, 7, "brain", o)
		if err != nil {
			t.Fatal(err)
		}
		p := fieldbrain.NewPilot(fieldbrain.Default())
		got, err := testbench.Run(sc, 7, p.Seat, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if got.Trajectory != want.Trajectory || got.Distance == 0 {
			t.Errorf("%s: the facade's pilot drives another way: %s, want %s", name, got.Trajectory, want.Trajectory)
		}
	}
}
