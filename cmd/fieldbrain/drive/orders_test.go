package drive_test

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// TestOrdersEnd: orders of one instant end the one before them and each other, and one whose
// time does not come was never given.
func TestOrdersEnd(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	d := drive.New(config.Default())
	for _, text := range []string{"1s explore", "2s home", "2s hold", "2s explore", "4s hold", "5s set brain.cruise 0.2"} {
		o, err := drive.ParseTimed(text)
		if err != nil {
			t.Fatal(err)
		}
		d.Orders = append(d.Orders, o)
	}
	r, err := d.Virtual(sc, 7, "brain", testbench.Options{Length: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ order, standing string }{
		{"explore", brain.Cancelled.String()},
		{"home", brain.Cancelled.String()},
		{"hold", brain.Cancelled.String()},
		{"explore", brain.Underway.String()},
		{"hold", "never given"},
		{"set brain.cruise 0.2", "never given"},
	}
	if len(r.Orders) != len(want) {
		t.Fatalf("%d orders of %d: %+v", len(r.Orders), len(want), r.Orders)
	}
	for i, w := range want {
		if got := r.Orders[i]; got.Order != w.order || got.Standing != w.standing {
			t.Errorf("order %d: %s %s, want %s %s", i, got.Order, got.Standing, w.order, w.standing)
		}
	}
	if got := r.Orders[0].Driving; got < 0.9 || got > 1.01 {
		t.Errorf("explore drove for %g s, want the second until the next order", got)
	}
}
