package service

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// lines returns conditions that count what the log gets of them.
func lines() (c *loop.Conditions, told *[]string) {
	told = new([]string)
	return loop.NewConditions(time.Now, func(c loop.Condition, active bool) {
		word := "over: "
		if active {
			word = "begins: "
		}
		*told = append(*told, word+c.Name+": "+c.Value)
	}), told
}

// TestOverrunLingers: an overload that comes and goes is said once, at once, and is over
// when there was none for a while.
func TestOverrunLingers(t *testing.T) {
	conditions, told := lines()
	s := &Service{conditions: conditions, witness: loop.NewWitness()}
	defer s.witness.Close()
	for i := range 8 * 60 * 10 { // looks in eight minutes
		strain := loop.Strained
		if i%(quietLooks-1) == 0 {
			strain = loop.Overloaded
		}
		s.strain.Store(uint32(strain))
		s.noteStrain()
		if i == 0 && len(*told) != 1 {
			t.Fatalf("the first overload: %q", *told)
		}
		if i == 5 && !strings.HasPrefix(conditions.List()[0].Cause, passed) {
			t.Errorf("one that is over: %+v", conditions.List())
		}
	}
	s.strain.Store(uint32(loop.Strained))
	for range quietLooks {
		s.noteStrain()
	}
	if len(*told) != 2 || len(conditions.List()) != 0 {
		t.Errorf("the log has %q, and %+v holds; want one line at the beginning, one at the end", *told, conditions.List())
	}
}

// TestBusLingers: troubles of the bus that come and go are said once each, a graver one at
// once, and nothing is said before the first tick and while the bus comes up.
func TestBusLingers(t *testing.T) {
	conditions, told := lines()
	var b busWatch
	look := func(times int, link robot.Link, last error, ticks bool) {
		for range times {
			b.note(conditions, busCondition(link, true, last), link, ticks)
		}
	}
	look(600, robot.LinkDown, nil, false)
	look(bringUpLooks, robot.LinkDown, nil, true)
	if len(*told) != 0 {
		t.Errorf("before the first tick and a moment later: %q", *told)
	}
	look(1, robot.LinkDown, nil, true)
	if list := conditions.List(); len(list) != 1 || list[0].Cause == "" || list[0].Remedy == "" {
		t.Errorf("a bus that does not come up: %+v", list)
	}
	look(quietLooks, robot.LinkUp, nil, true)
	*told = nil
	late, retried := &picarx.SilenceError{Reason: picarx.Late}, errors.New("cured by a retry")
	for i := range 60 {
		look(5, robot.LinkDegraded, retried, true)
		look(20, robot.LinkUp, retried, true)
		look(5, robot.LinkLate, late, true)
		if i == 30 {
			look(1, robot.LinkDown, errors.New("gone"), true)
			if last := (*told)[len(*told)-1]; last != "begins: bus: the link to the car is down" {
				t.Errorf("a graver state of the bus: %q", last)
			}
		}
	}
	if len(*told) != 5 { // down is over after a while, degraded begins once more
		t.Errorf("the log has %q", *told)
	}
	look(quietLooks, robot.LinkUp, nil, true)
	if list := conditions.List(); len(list) != 0 || len(*told) != 7 {
		t.Errorf("in the end %+v, %q", list, *told)
	}
}
