package testbench_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/oracle"
)

// TestNotes: what a drive left undone is told beside its verdicts, to a person and in JSON;
// a drive that did what it was for has no note.
func TestNotes(t *testing.T) {
	const room = "duration_s = 3\n[start]\nx = 0.5\ny = 1\n[world]\nsize = [4, 2]\nwalled = true\n"
	const goal = "[world.goal]\nat = [3, 1]\nradius = 0.3\n[brain]\ngoal = true\n"
	const line = "[[world.floor.line]]\nwidth = 0.025\npoints = "
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing to do", room, nil},
		{"a goal too far", room + goal, []string{"the goal was not reached (no limit on goal_s"}},
		{"a goal that is judged", room + goal + "[[limit]]\nmetric = \"goal_s\"\nmax = 3\n", nil},
		{"a goal behind a wall", room + "[[world.wall]]\nfrom = [2, 0]\nto = [2, 2]\n" + goal, []string{"nobody could arrive: the true map has no way from", "the goal was not reached"}},
		{"no line", room + "[brain]\nfollow_line = true\n", []string{"the line was never met: this world has none"}},
		{"a line elsewhere", room + line + "[[1, 0.2], [3, 0.2]]\n[brain]\nfollow_line = true\n", []string{"the line was never met: no floor sensor was over it"}},
		{"a line across", room + line + "[[1, 0.2], [1, 1.8]]\n[brain]\nfollow_line = true\n", nil},
		{"a line across, long ago", "duration_s = 12\n" + strings.TrimPrefix(room, "duration_s = 3\n") + line + "[[1, 0.2], [1, 1.8]]\n[brain]\nfollow_line = true\n", []string{"the line was lost: for "}},
		{"a line met late", "duration_s = 12\n" + strings.TrimPrefix(room, "duration_s = 3\n") + line + "[[3, 0.2], [3, 1.8]]\n[brain]\nfollow_line = true\n", nil},
		{"no walls", "duration_s = 3\n[start]\nx = 0.6\ny = 0.5\n[world]\nsize = [1, 1]\n", []string{"the car was outside of its world, [1 1] m, for "}},
		{"out of a region", "duration_s = 3\n[start]\nx = 0.6\ny = 0.5\n[world]\nsize = [1, 1]\n[measure.region]\nmin = [0, 0]\nmax = [1, 1]\n", nil},
		{"chance", room + "[[fault]]\nkind = \"nack\"\nprobability = 1e-9\n", []string{"fault.0 (nack from 0 s) never struck"}},
		{"a moment", room + "[[fault]]\nkind = \"frozen\"\nfrom_s = 1\nuntil_s = 1.0000001\n", []string{"fault.0 (frozen from 1 s) never struck"}},
		{"too late", room + "[[fault]]\nkind = \"nack\"\nfrom_s = 9\n", []string{"fault.0 never began"}},
		{"faults that strike", room + "[[fault]]\nkind = \"nack\"\nfrom_s = 2\nuntil_s = 2.1\n[[fault]]\nkind = \"zero\"\nfrom_s = 2.5\nuntil_s = 2.6\n[[fault]]\nkind = \"battery\"\nfrom_s = 2.7\nvalue = 7\n", nil},
	} {
		sc := parse(t, c.text)
		m, err := oracle.Survey(sc, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := testbench.Run(sc, 1, rolling, testbench.Options{Map: m})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(r.Notes, c.want, strings.HasPrefix) {
			t.Errorf("%s: notes %q, want %q", c.name, r.Notes, c.want)
		}
		text, err := json.Marshal(r)
		if err != nil || len(c.want) > 0 != strings.Contains(string(text), `"notes":["`) {
			t.Errorf("%s: %v in %s", c.name, err, text)
		}
		for _, note := range c.want {
			if !strings.Contains(r.Summary(), "  note "+note) {
				t.Errorf("%s: a person is not told %q:\n%s", c.name, note, r.Summary())
			}
		}
	}
}

// resting drives for two seconds, stands, and says whether it was told to; moving says that
// it was told to stand, and drives round and round.
func resting(told, moving bool) testbench.Pilot {
	return func(s testbench.Vehicle) (func(time.Duration), error) {
		return func(now time.Duration) {
			c := robot.Command{At: now, Enable: true, Speed: 0.3}
			if now > 2*time.Second {
				s.Rest(told)
				c.Speed = 0
			}
			if moving {
				c.Speed, c.Steering = 0.3, 0.52
			}
			_ = s.Body.Act(c)
		}, nil
	}
}

// TestRest: a car that stands because it was told to wastes no time and is not stuck; one
// that only says so and circles does.
func TestRest(t *testing.T) {
	sc := parse(t, hall)
	for _, c := range []struct {
		name         string
		told, moving bool
		metric       string
	}{
		{"told to stand", true, false, ""},
		{"standing", false, false, "standing_s"},
		{"circling", true, true, "circling_s"},
	} {
		r := run(t, sc, 1, resting(c.told, c.moving), 0)
		if r.Pass != (c.metric == "") || c.metric != "" && !failed(r, c.metric) {
			t.Errorf("%s: want %q to fail:\n%s", c.name, c.metric, r.Summary())
		}
		if c.metric == "" && (r.Standing != 0 || r.Stuck != 0 || r.IdleStops != 0) {
			t.Errorf("%s: stood %v s, stuck %d times, %d idle stops", c.name, r.Standing, r.Stuck, r.IdleStops)
		}
	}
}
