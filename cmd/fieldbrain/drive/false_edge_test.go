package drive_test

import (
	"fmt"
	"testing"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// faulty is one of three tables in rooms, whose floor sensors have a fault.
func faulty(t *testing.T, profile string, table int, fault string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Parse("faulty", fmt.Appendf(nil, `title = "a table and a fault of its floor sensors"
duration_s = 60
profile = %q
[start]
%s
[brain]
cliff = "on"
[[fault]]
%s
`, profile, [...]string{`x = 1
y = 1
heading_deg = 218.996
[world]
size = [4, 3]
walled = true
[world.floor]
table = [[0.5, 0.4], [2.6, 0.4], [2.6, 2.2], [0.5, 2.2]]`, `x = 1.7
y = 1.5
heading_deg = 40
[world]
size = [3.2, 2.8]
walled = true
[world.floor]
table = [[0.6, 0.5], [2.4, 0.5], [2.4, 2.1], [0.6, 2.1]]`, `x = 1.2
y = 1.6
heading_deg = 300
[world]
size = [3.6, 3]
walled = true
[world.floor]
table = [[0.7, 0.6], [2.9, 0.6], [2.9, 2.3], [0.7, 2.3]]`}[table], fault))
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// TestFalseEdges: of edges that floor sensors only say a car makes no sides of its table. It
// neither meets a real one aslant by them, nor does it stand once the sensors are good again.
func TestFalseEdges(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	const (
		driving = "kind = \"spike\"\nfrom_s = 5\nuntil_s = 7\nprobability = 0.3"
		left    = "kind = \"spike\"\nfrom_s = 4\nuntil_s = 8\nprobability = 0.3\nwhich = 1"
		boot    = "kind = \"frozen\"\nfrom_s = 0\nuntil_s = 0.5"
		one     = boot + "\nwhich = 2"
		start   = "kind = \"spike\"\nfrom_s = 0\nuntil_s = 3\nprobability = 0.3\nwhich = 1"
	)
	members := [...]struct {
		profile string
		table   int
		fault   string
		seed    uint64
	}{
		{"P0", 0, driving, 5},
		{"P0", 0, one, 5},
		{"P0", 0, driving, 4},
		{"P1", 1, left, 5},
		{"P0", 2, boot, 4},
		{"P0", 0, left, 4},
		{"P0", 0, left, 5},
		{"P0", 0, boot, 4},
		{"P0", 0, start, 5},
		{"P0", 1, one, 4},
		{"P0", 2, left, 4},
	}
	for _, m := range members[:tier.Count(t, "members", 2, 5, len(members))] {
		r, err := drive.New(config.Default()).Virtual(faulty(t, m.profile, m.table, m.fault), m.seed, "brain", testbench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Falls > 0 || r.Standing > 15 || r.Circling > 0 || r.Distance < 4 {
			t.Errorf("%+v: fell %d, stood for %.1f s, circled for %.1f s, drove %.1f m", m, r.Falls, r.Standing, r.Circling, r.Distance)
		}
	}
}
