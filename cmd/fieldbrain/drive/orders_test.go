package drive_test

import (
	"strings"
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

// TestOrderedRest: a car that holds by order, or has reached what it was told, wastes no
// time; an order that was not reached, or given up, is noted.
func TestOrderedRest(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	const room = "duration_s = 14\n[start]\nx = 1\ny = 1.5\n[world]\nsize = [4, 3]\nwalled = true\n"
	for _, c := range []struct {
		order, note string
	}{
		{"2s hold", ""},
		{"2s goal 0.5 0", ""},
		{"2s goal 9 9", "order goal 9 9 at 2 s was not reached: under way"},
	} {
		sc, err := scenarios.Parse("own.toml", []byte(room))
		if err != nil {
			t.Fatal(err)
		}
		o, err := drive.ParseTimed(c.order)
		if err != nil {
			t.Fatal(err)
		}
		d := drive.New(config.Default())
		d.Orders = []drive.Timed{o}
		r, err := d.Virtual(sc, 7, "brain", testbench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Pass || strings.Join(r.Notes, "; ") != c.note {
			t.Errorf("%s: passed %v, notes %q, want %q\n%s%+v", c.order, r.Pass, r.Notes, c.note, r.Summary(), r.Orders)
		}
	}
}

// TestHeldFromTheStart: a car need not move where an order makes it stand before it could,
// and only there.
func TestHeldFromTheStart(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sc, err := scenarios.Load("line")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"0s hold": 0, "0s manual": 0, "0s drive 0 0 5s": 1} {
		d := drive.New(config.Default())
		o, err := drive.ParseTimed(text)
		if err != nil {
			t.Fatal(err)
		}
		d.Orders = append(d.Orders, o)
		r, err := d.Virtual(sc, 1, "brain", testbench.Options{Length: 4 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range r.Verdicts {
			if v.Metric == "standing_s" && (r.Distance > 0 || v.Rooted != want || v.Pass != (want == 0)) {
				t.Errorf("%s: drove %.2f m, %v", text, r.Distance, v)
			}
		}
	}
}
