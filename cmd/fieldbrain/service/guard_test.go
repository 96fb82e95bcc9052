package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldbrain/daemon/guard"
)

// Every way in which the guard is less than it should be is a condition of its own,
// with a remedy; one that has all it asked for is none.
func TestGuardConditions(t *testing.T) {
	well := guard.State{Priority: 60, Locked: true}
	for _, c := range []struct {
		name  string
		state guard.State
		err   error
		loop  int
		want  []string
		words string
	}{
		{"well", well, nil, 50, nil, ""},
		{"none", guard.State{Lost: true}, guard.ErrNone, 50, []string{"guard"}, "no guard runs"},
		{"hung", guard.State{Lost: true}, nil, 50, []string{"guard"}, "does not look any more"},
		{"another daemon", guard.State{Lost: true}, fmt.Errorf("%w (process 7)", guard.ErrOther), 50, []string{"guard"}, "another daemon drives this car (process 7)stop the other daemon first"},
		{"out of reach", guard.State{Priority: 60, Locked: true, Hidden: true}, nil, 50, []string{"guard-socket"}, "/x/g.sock"},
		{"another header", guard.State{Lost: true}, errors.New("start it with --header pi-5"), 50, []string{"guard"}, "--header pi-5"},
		{"ordinary class", guard.State{Locked: true}, nil, 50, []string{"guard-realtime"}, "LimitRTPRIO=60"},
		{"below the loop", well, nil, 70, []string{"guard-realtime"}, "LimitRTPRIO=71"},
		{"pages", guard.State{Priority: 60}, nil, 50, []string{"guard-memory"}, "LimitMEMLOCK"},
	} {
		var got []string
		var text strings.Builder
		for _, n := range guardConditions(c.state, c.err, "/x/g.sock", c.loop) {
			if n.holds {
				got = append(got, n.Name)
				text.WriteString(n.Value + n.Cause + n.Remedy)
				if n.Remedy == "" {
					t.Errorf("%s: %s has no remedy", c.name, n.Name)
				}
			}
		}
		if !slices.Equal(got, c.want) || !strings.Contains(text.String(), c.words) {
			t.Errorf("%s: %q, want %q: %s", c.name, got, c.want, &text)
		}
	}
}

// The condition guard-stopped stands from the stop until somebody arms the car after a
// tick has acted on it: an armed car beside a fresh stop is one whose loop stands still.
func TestGuardStopped(t *testing.T) {
	var c care
	for i, step := range []struct {
		what         string
		trips, noted int
		armed, want  bool
	}{
		{"a new daemon", 0, 0, false, false},
		{"armed", 0, 0, true, false},
		{"stopped, the loop stands", 1, 0, true, true},
		{"and still stands", 1, 0, true, true},
		{"a tick has disarmed the car", 1, 1, false, true},
		{"armed again", 1, 1, true, false},
		{"disarmed by a person", 1, 1, false, false},
		{"stopped twice", 3, 1, true, true},
		{"the first of the two is noted", 3, 2, false, true},
		{"both", 3, 3, false, true},
		{"armed once more", 3, 3, true, false},
	} {
		if got := c.stopped(guard.State{Trips: step.trips, Noted: step.noted}, step.armed); got != step.want {
			t.Errorf("step %d, %s: %v", i, step.what, got)
		}
	}
}
