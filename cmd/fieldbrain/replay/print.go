package replay

import (
	"fmt"
	"io"
	"strings"

	"fieldbrain/daemon/config"
)

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "recorded by %s with engine %s", r.Program, r.Engine)
	if r.World != "" {
		fmt.Fprintf(&b, " in %s", r.World)
	}
	fmt.Fprintf(&b, "; replayed with engine %s\n", r.Again)
	fmt.Fprintf(&b, "%d ticks, %.1f s, in %.1f s (%.1f s of processor): %.1f times as fast as they were\n",
		r.Ticks, r.Length.Seconds(), r.Took.Seconds(), r.Busy.Seconds(), r.Factor())
	if r.Begun > 0 {
		fmt.Fprintf(&b, "begun with the brain as it was before tick %d\n", r.Begun)
	}
	if r.Joints > 0 {
		fmt.Fprintf(&b, "in %d parts: each ended as the frozen brain was with which the next one began, to the last byte\n", r.Joints+1)
	}
	for _, d := range r.Differ {
		fmt.Fprintf(&b, "file and program differ: %s\n", d)
	}
	if r.First == nil && r.Ticks > 0 {
		what := ", rung and answer of the field"
		if r.Answers == 0 {
			what = " and rung"
		}
		fmt.Fprintf(&b, "every command, cause%s is the same, bit for bit, and %d whole fields; at the end the field is %s\n", what, r.Fields, r.Hash)
	}
	if d := r.First; d != nil {
		fmt.Fprintf(&b, "tick %d at %.3f s is the first that differs:\n", d.Tick, d.At.Seconds())
		for _, what := range d.What {
			fmt.Fprintf(&b, "  %s\n", what)
		}
		fmt.Fprintf(&b, "because: %s\n", d.Because)
		for _, line := range d.Before {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	if r.Others > 1 {
		fmt.Fprintf(&b, "%d of %d ticks differ, %d in their command: by up to %.3f m/s and %.3f rad. The readings are as recorded and do not follow the other commands.\n",
			r.Others, r.Ticks, r.Told, r.Speed, r.Turn)
	}
	if r.Stopped != "" {
		fmt.Fprintf(&b, "not all of it was replayed: %s\n", r.Stopped)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Become takes another configuration over. What a scenario asked of the task stays where
// the configuration says the same as the recorded one.
func (s *Setup) Become(c config.Config) {
	was, is, t := s.Config.Brain, c.Brain, &s.Task
	for _, wish := range []struct {
		was, is bool
		task    *bool
	}{
		{was.Goal, is.Goal, &t.Goal},
		{was.FollowLine, is.FollowLine, &t.FollowLine},
		{was.Explore, is.Explore, &t.Explore},
		{was.Recall, is.Recall, &t.Recall},
		{was.Cliff != "off", is.Cliff != "off", &t.Cliff},
	} {
		if wish.was != wish.is {
			*wish.task = wish.is
		}
	}
	if was.Cruise != is.Cruise {
		t.Cruise = is.Cruise
	}
	if was.Arrival != is.Arrival {
		t.Arrival = is.Arrival
	}
	if s.Config.Manual != c.Manual {
		t.Manual = c.Manual.Params()
	}
	if s.Config.Law != c.Law {
		t.Law = c.Law.Params()
	}
	s.Config = c
}
