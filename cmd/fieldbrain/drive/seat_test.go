package drive_test

import (
	"testing"
	"time"

	"fieldbrain"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/seat"
	"fieldbrain/testbench/tier"
)

// TestSeatsPilot: a program that puts the facade's brain into the bench gets the brain
// that the command drives with, to the last bit.
func TestSeatsPilot(t *testing.T) {
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
		m := seat.New(fieldbrain.Default())
		got, err := testbench.Run(sc, 7, m.Pilot, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if got.Trajectory != want.Trajectory || got.Distance == 0 {
			t.Errorf("%s: the facade's brain drives another way: %s, want %s", name, got.Trajectory, want.Trajectory)
		}
	}
}
