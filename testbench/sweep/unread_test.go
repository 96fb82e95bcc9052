package sweep_test

import (
	"strings"
	"testing"

	"fieldbrain/testbench/sweep"
)

// TestUnread: a parameter that a pilot does not read is named, with the pairs that show it,
// and no test is made of drives that are the same; one that changes a single drive is not.
func TestUnread(t *testing.T) {
	p := batch(t, `scenarios = ["room"]
families = ["corridor"]
twice = 0.0
pilots = ["brain", "vendor"]
engines = ["auto", "purego"]
[seeds]
first = 1
count = 3
[[parameter]]
key = "brain.cruise"
values = [0.2, 0.3]
[[parameter]]
key = "law.blind"
values = [0.1, 0.2, 0.3]
[[parameter]]
key = "engine.threads"
values = [1, 2]
`)
	tally := sweep.NewTally(p)
	for _, j := range p.Jobs {
		way := j.World
		if j.Pilot == "brain" {
			way += j.Values[0].Value
		}
		if j.Pilot == "brain" && j.Family != "" && j.Seed == 2 && j.Values[1].Value == "0.3" {
			way += " blind"
		}
		tally.Add(result(j, "a", way))
	}
	r := tally.Report()
	got := map[string]int{}
	for _, u := range r.Unread {
		got[u.World+" "+u.Pilot+" "+u.Key] = u.Pairs
	}
	const seeds, engines = 3, 2
	want := map[string]int{
		"room brain law.blind": 2 * 2 * 2 * seeds * engines, "room brain engine.threads": 6 * seeds * engines, "corridor brain engine.threads": 6 * seeds * engines,
		"room vendor brain.cruise": 6 * seeds * engines, "room vendor law.blind": 2 * 2 * 2 * seeds * engines, "room vendor engine.threads": 6 * seeds * engines,
		"corridor vendor brain.cruise": 6 * seeds * engines, "corridor vendor law.blind": 2 * 2 * 2 * seeds * engines, "corridor vendor engine.threads": 6 * seeds * engines,
	}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for name, pairs := range want {
		if got[name] != pairs {
			t.Errorf("%s: %d pairs, want %d", name, got[name], pairs)
		}
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"brain, brain.cruise = 0.2, law.blind = 0.2, engine.threads = 1 against brain, brain.cruise = 0.2, law.blind = 0.1, engine.threads = 1, 3 pairs: the same drives, bit for bit\n",
		"room, vendor: the same drives, bit for bit, with every value of brain.cruise (36 pairs): nothing reads it there, or nothing came of it\n",
		"room, brain: the same drives, bit for bit, with every value of engine.threads (36 pairs): it changed how",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}
