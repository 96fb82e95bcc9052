package fake

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/field"
	"fieldbrain/gpu"
)

// TestParse: orders come out as they are written, and one that nobody can carry out is
// refused: a test that mistypes its fault would else test nothing.
func TestParse(t *testing.T) {
	got, err := parse("crash served 7, hang proof 3 ,copies,")
	want := []fault{{"crash", true, 7}, {"hang", false, 3}, {"copies", false, 0}}
	if err != nil || !cmp.Equal(want, got, cmp.AllowUnexported(fault{})) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for _, orders := range []string{"crash served", "crash later 7", "copies,hang always 2"} {
		if list, err := parse(orders); err == nil {
			t.Errorf("%q is taken for %+v", orders, list)
		}
	}
}

// TestDue: a fault strikes in its own step and phase, and in no other.
func TestDue(t *testing.T) {
	faults, err := parse("crash served 2")
	if err != nil {
		t.Fatal(err)
	}
	c := child{faults: faults}
	for _, served := range []bool{false, true} {
		for step := range 4 {
			c.served, c.steps = served, step
			if due := c.due("crash"); due != (served && step == 2) || c.due("hang") || !c.has("crash") {
				t.Errorf("served %v, step %d: due %v", served, step, due)
			}
		}
	}
}

// TestAfter: a fault that lasts begins behind its step, in its phase.
func TestAfter(t *testing.T) {
	faults, err := parse("instant served 2")
	if err != nil {
		t.Fatal(err)
	}
	c := child{faults: faults}
	for _, served := range []bool{false, true} {
		for step := range 5 {
			c.served, c.steps = served, step
			if after := c.after("instant"); after != (served && step > 2) || c.after("hang") {
				t.Errorf("served %v, step %d: after %v", served, step, after)
			}
		}
	}
}

// TestLies: every lie changes the answer of the one step that it is ordered for.
func TestLies(t *testing.T) {
	for _, name := range append(Lies(), "wrong", "turned") {
		honest, told := new(gpu.Answer), new(gpu.Answer)
		for _, a := range []*gpu.Answer{honest, told} {
			a.Marginals[field.Heading].X[3] = 1 // a peak, for what turns it
		}
		c := child{faults: []fault{{name, true, 5}}, served: true, steps: 4}
		if c.lie(told); *told != *honest {
			t.Errorf("%s: told a step too early", name)
		}
		if c.steps = 5; true {
			c.lie(told)
		}
		if *told == *honest { // a number that is none differs from itself, too
			t.Errorf("%s: the answer is still true", name)
		}
	}
}

// TestMain lets the probe run as a child's does, and nothing where nobody asks for a
// child.
func TestMain(m *testing.M) {
	if code, is := Main(); is {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
