package scenarios_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/strict"
	"fieldbrain/testbench/scenarios"
)

const good = `duration_s = 10
[world]
size = [4, 3]
`

// Each complaint must name the file, the line and the key, and say why.
func TestComplaints(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"unknown key", good + "siz = 3\n", "x.toml:4: world.siz: no such key of [world] (did you mean size?)"},
		{"key behind a section", good + "stop = \"exit\"\n", "x.toml:4: world.stop: no such key of [world] (write it above the first section; known: box,"},
		{"unknown table", good + "[wheels]\nn = 4\n", "x.toml:4: wheels: no such section (known: brain, car, duration_s,"},
		{"old name", good + "[brain]\nline = true\n", "x.toml:5: brain.line: is called follow_line now (write follow_line)"},
		{"other old name", good + "[brain]\ncruise_mps = 0.2\n", "x.toml:5: brain.cruise_mps: is called cruise now (write cruise)"},
		{"old value", good + "[brain]\ncliff = true\n", `x.toml:5: brain.cliff: is true or false, want a text (choose one of "on", "off", with the quotes)`},
		{"wrong type", "duration_s = \"long\"\n[world]\nsize = [4, 3]\n", "x.toml:1: duration_s: is a text, want a number (write it like duration_s = 60.0)"},
		{"out of range", "duration_s = -1\n[world]\nsize = [4, 3]\n", "x.toml:1: duration_s: -1 is out of range (choose 0.1 .. 3600)"},
		{"missing", "title = \"x\"\n", "x.toml: duration_s: is missing (choose 0.1 .. 3600)"},
		{"clock", good + "[start]\nx = 1\n[car]\n[brain]\n" + "[hat]\nclock_hz = 1\n", "x.toml:9: hat.clock_hz: 1 is out of range"},
		{"slow system calls", good + "[hat]\noverhead_us = 4000\n", "x.toml:5: hat.overhead_us: a stop takes up to 21.9 ms on this bus, and the driver waits 20 ms for one (choose less overhead_us or more clock_hz)"},
		{"slow bus", good + "[hat]\nclock_hz = 10_000\noverhead_us = 500\n", "x.toml:6: hat.overhead_us: a stop takes up to 21.5 ms on this bus"},
		{"second of an array", good + "[[fault]]\nkind = \"nack\"\n[[fault]]\nkind = \"nack\"\nprobability = 2\n", "x.toml:8: fault.1.probability: 2 is out of range (choose 0 .. 1)"},
		{"fault kind", good + "[[fault]]\nkind = \"gremlin\"\n", `x.toml:5: fault.0.kind: "gremlin" is not known (choose one of nack, hang`},
		{"sonar that is none", good + "[[fault]]\nkind = \"echo-lost\"\nwhich = 3\n", "x.toml:6: fault.0.which: 3: the HAT has 1 of profile P1's 5 range sensors (choose 1, or 0 for all, or write beams = true in [hat] to have all of them on it)"},
		{"beam that is none", "profile = \"P0\"\n" + good + "[hat]\nbeams = true\n[[fault]]\nkind = \"edge-swap\"\nwhich = 3\n", "x.toml:9: fault.0.which: 3: the HAT has 1 of profile P0's 1 range sensors (choose 1, or 0 for all)"},
		{"sixth sonar", good + "[hat]\nbeams = true\n[[fault]]\nkind = \"echo-hold\"\nwhich = 6\n", "x.toml:8: fault.0.which: 6: the HAT has 5 of profile P1's 5 range sensors (choose 1 .. 5, or 0 for all)"},
		{"channel that nobody reads", good + "[[fault]]\nkind = \"frozen\"\nwhich = 4\n", "x.toml:6: fault.0.which: 4: nobody reads ADC channel A3 (choose 1, 2 or 3 (the floor sensors A0 to A2) or 5 (the battery, A4))"},
		{"chance of a condition", good + "[[fault]]\nkind = \"off\"\nprobability = 0.1\n", "x.toml:6: fault.0.probability: 0.1: off holds from from_s on"},
		{"condition that counts", good + "[[fault]]\nkind = \"echo-hold\"\ncount = 1\n", "x.toml:6: fault.0.count: 1: echo-hold holds from from_s on"},
		{"value of none", good + "[[fault]]\nkind = \"nack\"\nvalue = 2\n", "x.toml:6: fault.0.value: 2: nack takes no value"},
		{"half a bit", good + "[[fault]]\nkind = \"bit-shift\"\nvalue = 1.5\n", "x.toml:6: fault.0.value: 1.5 is no whole number"},
		{"half a button", good + "[[fault]]\nkind = \"zero\"\nvalue = 0.5\n", "x.toml:6: fault.0.value: 0.5 is neither"},
		{"whole board", good + "[[fault]]\nkind = \"nack\"\nwhich = 1\n", "x.toml:6: fault.0.which: 1: nack strikes the whole HAT"},
		{"which", good + "[[fault]]\nkind = \"nack\"\nwhich = 9\n", "x.toml:6: fault.0.which: 9 is out of range (choose 0 .. 8)"},
		{"window", good + "[[fault]]\nkind = \"nack\"\nfrom_s = 5\nuntil_s = 4\n", "x.toml:7: fault.0.until_s: 4 is not after from_s = 5"},
		{"metric", good + "[[limit]]\nmetric = \"beauty\"\nmax = 1\n", `x.toml:5: limit.0.metric: "beauty" is not known`},
		{"no bound", good + "[[limit]]\nmetric = \"stops\"\n", "x.toml:4: limit.0: a limit needs a bound (add min = or max =)"},
		{"mean share", good + "[[limit]]\nmetric = \"stops\"\nmax = 1\nover = \"mean\"\nshare = 0.5\n", "x.toml:8: limit.0.share: a mean is one value"},
		{"goal", good + "[brain]\ngoal = true\n", "x.toml:5: brain.goal: there is no [world.goal]"},
		{"stop", "stop = \"goal\"\n" + good, "x.toml:1: stop: a run cannot end at a goal"},
		{"car", good + "[car]\nlag = 0\n", "x.toml:5: car.lag: 0 is out of range (choose 0.002 .. 2)"},
		{"lateral nan", good + "[measure.lateral]\ny = nan\nto = 1\n", "x.toml:5: measure.lateral.y: NaN is out of range (choose -100 .. 100)"},
		{"lateral infinite", good + "[measure.lateral]\ny = 1\nfrom = -inf\nto = 1\n", "x.toml:6: measure.lateral.from: -Inf is out of range"},
		{"lateral far", good + "[measure.lateral]\nto = 1e300\n", "x.toml:5: measure.lateral.to: 1e+300 is out of range"},
		{"region nan", good + "[measure.region]\nmin = [0, nan]\nmax = [1, 1]\n", "x.toml:5: measure.region.min: NaN is out of range (choose -100 .. 100)"},
		{"region infinite", good + "[measure.region]\nmin = [0, 0]\nmax = [inf, 1]\n", "x.toml:6: measure.region.max: +Inf is out of range"},
		{"no room in a limit", good + "[[limit]]\nmetric = \"stops\"\nmin = 5\nmax = 0\n", "x.toml:7: limit.0.max: 0 is below min = 5: no drive passes (choose min or more)"},
		{"same limit twice", good + "[[limit]]\nmetric = \"stops\"\nmax = 0\n[[limit]]\nmetric = \"stops\"\nover = \"each\"\nmax = 99\n", "x.toml:7: limit.1: bounds stops as limit.0 does (remove one of them)"},
		{"wall without a beginning", good + "[[world.wall]]\nto = [1, 1]\n", "x.toml:4: world.wall.0.from: is missing (write it like from = [1.0, 2.0])"},
		{"wall without an end", good + "[[world.wall]]\nfrom = [0, 0]\n", "x.toml:4: world.wall.0.to: is missing (write it like to = [1.0, 2.0])"},
		{"disc nowhere", good + "[[world.disc]]\nradius = 0.1\n", "x.toml:4: world.disc.0.at: is missing (write it like at = [1.0, 2.0])"},
		{"box nowhere", good + "[[world.box]]\nsize = [1, 1]\n", "x.toml:4: world.box.0.at: is missing"},
		{"goal nowhere", good + "[world.goal]\nradius = 0.3\n", "x.toml:4: world.goal.at: is missing"},
		{"goal outside", good + "[world.goal]\nat = [30, 1]\nradius = 0.3\n", "x.toml:5: world.goal.at: [30 1] is outside of the world, which ends at [4 3] (move it, or choose more radius)"},
		{"goal at a wall", good + "[[world.wall]]\nfrom = [2, 0]\nto = [2, 3]\n[world.goal]\nat = [2, 1]\nradius = 0.05\n", "x.toml:8: world.goal.at: [2 1] is at world.wall.0: a body of "},
		{"goal in the room's wall", good + "walled = true\n[world.goal]\nat = [0, 1]\nradius = 0.05\n", "x.toml:6: world.goal.at: [0 1] is at a wall of the room"},
		{"goal in a box", good + "[[world.box]]\nat = [2, 1]\nsize = [1, 1]\n[world.goal]\nat = [2, 1]\nradius = 0.4\n", "x.toml:8: world.goal.at: [2 1] is at world.box.0"},
		{"goal deep in a box", good + "[[world.box]]\nat = [2, 1]\nsize = [1, 1]\n[world.goal]\nat = [2, 1]\nradius = 0.9\n", "x.toml:8: world.goal.at: [2 1] is at world.box.0, in it: the car has not arrived where a wall is between"},
		{"goal behind the room", good + "walled = true\n[world.goal]\nat = [4.2, 1]\nradius = 0.5\n", "x.toml:6: world.goal.at: [4.2 1] is behind the room's walls, which end at [4 3]"},
		{"goal in a disc", good + "[[world.disc]]\nat = [2, 1]\nradius = 0.5\n[world.goal]\nat = [2, 1]\nradius = 0.4\n", "x.toml:8: world.goal.at: [2 1] is at world.disc.0"},
		{"goal beside the table", good + "[world.goal]\nat = [3, 1]\nradius = 0.3\n[world.floor]\ntable = [[0, 0], [1, 0], [1, 1]]\n", "x.toml:5: world.goal.at: [3 1] is beyond the table's edge"},
		{"crossed table", good + "[world.floor]\ntable = [[0, 0], [4, 3], [4, 0], [0, 3]]\n", "x.toml:5: world.floor.table: the side from corner 1 crosses the side from corner 3 (write the corners in their order along the edge)"},
		{"line without length", good + "[[world.floor.line]]\npoints = [[1, 1], [1, 1]]\nwidth = 0.02\n", "x.toml:5: world.floor.line.0.points: two points in a row are equal (remove one of them)"},
		{"fast car", good + "[car]\ntop_speed = 3\n", "x.toml:5: car.top_speed: 3 is out of range (choose 0.35 .. 2)"},
		{"dead band", good + "[car]\ndead_band = 0.95\n", "x.toml:5: car.dead_band: 0.95 is out of range (choose 0 .. 0.9)"},
		{"sonar behind", good + "[car]\nsonar_ahead = -0.2\n", "x.toml:5: car.sonar_ahead: -0.2 is out of range (choose 0.05 .. 0.3)"},
		{"short car", good + "[car]\nlag = 0.1\nwheelbase = 0.05\n", "x.toml:6: car.wheelbase: half the track, 0.058325 m, is not below the wheelbase, 0.05 m"},
		{"wide car", good + "[car]\ntrack = 0.3\n", "x.toml:5: car.track: half the track, 0.15 m, is not below the wheelbase, 0.095 m"},
		{"no noise at an edge", good + "[brain]\ncliff = \"on\"\n[car]\nfloor_noise = 0\n", "x.toml:7: car.floor_noise: 0: floor sensors without noise that see the same are taken for ones that hang (choose 0.3 or more, or cliff = \"off\")"},
		{"no battery", good + "[car]\nopen_volts = 0\n", "x.toml:5: car.open_volts: 0 is out of range (choose 5.5 .. 9)"},
		{"a full pack", good + "[car]\nopen_volts = 9\n", "x.toml:5: car.open_volts: the standing car's pack says 8.955 V: above 8.7 V the driver takes that for a glitch, and the car is not armed while its battery's voltage is not known (choose open_volts so that open_volts - resistance * idle_amps is 8.67 V or less)"},
		{"sonar before the body", good + "[car]\nsonar_ahead = 0.3\n", "x.toml:5: car.sonar_ahead: the sonar's face, 0.3 m ahead of the rear axle, is before the body, which ends at 0.14 m"},
		{"body behind the sonar", good + "[car]\nbody_radius = 0.02\n", "x.toml:5: car.body_radius: the sonar's face, 0.11 m ahead of the rear axle, is before the body, which ends at 0.07 m"},
		{"sonar behind the body", good + "[car]\nbody_ahead = 0.2\nbody_radius = 0.05\n", "x.toml:6: car.body_radius: the sonar's face, 0.11 m ahead of the rear axle, is behind the body, which begins at 0.15 m"},
		{"floor like a line", good + "[world.floor]\nbackground = 800\ntape = 200\n[[world.floor.line]]\npoints = [[0, 0], [1, 1]]\nwidth = 0.02\n[brain]\nfollow_line = true\n", "x.toml:5: world.floor.background: the brain reads a line by what is darker than 1200 counts, and the floor has 800: it would be a line everywhere (choose 900 counts or more, or follow_line = false)"},
		{"bright tape", good + "[world.floor]\ntape = 1100\n[[world.floor.line]]\npoints = [[0, 0], [1, 1]]\nwidth = 0.02\n[brain]\nfollow_line = true\n", "x.toml:5: world.floor.tape: the brain follows a line of dark tape, of which it sees all at 400 counts, and this one has 1100: it would not be seen (choose a tape of 1000 counts or less (250 is well below), or follow_line = false)"},
		{"line like an edge", good + "[world.floor]\ntape = 400\n[[world.floor.line]]\npoints = [[0, 0], [1, 1]]\nwidth = 0.02\n[brain]\nfollow_line = true\ncliff = \"on\"\n", "x.toml:5: world.floor.tape: with cliff = \"on\" what is darker than 750 counts may be an edge (500 is one, and the sensors' spread and noise count), and the line's tape has 400 (choose a tape of 750 counts or more, or cliff = \"off\")"},
		{"line that a dark sensor takes for an edge", good + "[world.floor]\ntape = 749\n[[world.floor.line]]\npoints = [[0, 0], [1, 1]]\nwidth = 0.02\n[brain]\nfollow_line = true\ncliff = \"on\"\n", "x.toml:5: world.floor.tape: with cliff = \"on\" what is darker than 750 counts may be an edge (500 is one, and the sensors' spread and noise count), and the line's tape has 749 (choose a tape of 750 counts or more, or cliff = \"off\")"},
		{"line and a noisy car", good + "[world.floor]\ntape = 750\n[[world.floor.line]]\npoints = [[0, 0], [1, 1]]\nwidth = 0.02\n[brain]\nfollow_line = true\ncliff = \"on\"\n[car]\nfloor_noise = 74\n", "x.toml:5: world.floor.tape: with cliff = \"on\" what is darker than 850 counts may be an edge (500 is one, and the sensors' spread and noise count), and the line's tape has 750 (choose a tape of 850 counts or more, or cliff = \"off\")"},
		{"a walk of nothing", good + "[[world.mover]]\npath = [[3, 2], [3.0001, 2]]\nradius = 0.1\nspeed = 2\n", "x.toml:5: world.mover.0.path: is 0.0002 m long all the way round, less than 0.02 m: nothing walks there"},
		{"thin wires", good + "[car]\nresistance = 2\nidle_amps = 3\n", "x.toml:5: car.resistance: the standing car's electronics have 1.7 V, and its HAT does not run below 5.5 V"},
		{"nan", good + "[start]\nx = nan\n", "x.toml:5: start.x: NaN is out of range (choose -50 .. 50)"},
		{"infinite", good + "[start]\ny = -inf\n", "x.toml:5: start.y: -Inf is out of range"},
		{"negative", good + "[[world.disc]]\nat = [1, 1]\nradius = -0.1\n", "x.toml:6: world.disc.0.radius: -0.1 is out of range (choose 0.005 .. 5)"},
		{"infinite size", "duration_s = 1\n[world]\nsize = [inf, 3]\n", "x.toml:3: world.size: +Inf is out of range (choose 0.5 .. 50)"},
		{"one number", "duration_s = 1\n[world]\nsize = [4]\n", "x.toml:3: world.size: has 1 numbers, want 2 (write it like size = [4.0, 3.0])"},
		{"three numbers", good + "[[world.wall]]\nfrom = [1, 2, 3]\nto = [1, 1]\n", "x.toml:5: world.wall.0.from: has 3 numbers, want 2"},
		{"a wall that is none", good + "wall = 3\n", "x.toml:4: world.wall: is a whole number, want a list (write [[world.wall]] on a line of its own"},
		{"a section that is none", "duration_s = 1\nworld = 5\n", "x.toml:2: world: is a whole number, want a section (write [world] on a line of its own"},
		{"half a run", "runs = 1.5\n" + good, "x.toml:1: runs: is a number, want a whole number"},
		{"syntax", good + "= 3\n", "x.toml:4"},
		{"twice", good + "size = [1, 1]\n", "x.toml:4: size: key size is already defined"},
		{"nested array", good + "[[world.mover]]\npath = [[1, 1]]\nradius = 0.1\n", "x.toml:5: world.mover.0.path: has 1 points, a path needs 2"},
		{"inline tables", good + "wall = [{from = [0, 0], to = [1, 1]},\n{from = [0, 0], to = [0, 0]}]\n", "x.toml:5: world.wall.1.to: the wall has no length"},
		{"CRLF", strings.ReplaceAll(good+"siz = 3\n", "\n", "\r\n"), "x.toml:4: world.siz: no such key"},
		{"BOM", "\xEF\xBB\xBF" + good + "siz = 3\n", "x.toml:4: world.siz: no such key"},
		{"UTF-16", "\xFF\xFEd\x00u\x00", "x.toml: is in UTF-16 (save it as UTF-8)"},
		{"empty", " \n", "x.toml: the file is empty (fieldbrain scenario new FILE writes one to start with)"},
		{"binary", "\x7FELF\x02\x01\x00\x00", "x.toml: is not a text file"},
		{"not UTF-8", "title = \"\xC3\x28\"\n" + good, "x.toml:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sc, err := scenarios.Parse("x.toml", []byte(tt.text))
			if err == nil {
				t.Fatal("accepted")
			}
			if sc != nil {
				t.Error("a scenario beside an error")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q\nwant it to contain %q", err, tt.want)
			}
			var cs strict.Complaints
			if !errors.As(err, &cs) || cs[0].File != "x.toml" || cs[0].Remedy == "" {
				t.Errorf("no complaints with file and remedy in %v", err)
			}
		})
	}
}

// What is unusual is no mistake: a goal just past an edge that the car reaches from
// this side, two limits of one metric that both say something.
func TestUnusualIsAccepted(t *testing.T) {
	for _, text := range []string{
		"[world.goal]\nat = [4.2, 1]\nradius = 0.5\n",
		"[[world.wall]]\nfrom = [2, 0]\nto = [2, 3]\n[world.goal]\nat = [2, 1]\nradius = 0.3\n",
		"[[world.disc]]\nat = [2, 1]\nradius = 0.5\nspread = 1\n[world.goal]\nat = [2, 1]\nradius = 0.2\n",
		"[[limit]]\nmetric = \"stops\"\nmin = 1\n[[limit]]\nmetric = \"stops\"\nmax = 3\n",
		"[[limit]]\nmetric = \"stops\"\nmax = 1\nover = \"mean\"\n[[limit]]\nmetric = \"stops\"\nmax = 3\n",
		"[[limit]]\nmetric = \"stops\"\nmax = 1\nshare = 0.9\n[[limit]]\nmetric = \"stops\"\nmax = 3\n",
		"[world.floor]\ntable = [[0, 0], [4, 0], [4, 3], [2, 1], [0, 3]]\n",
	} {
		if _, err := scenarios.Parse("x.toml", []byte(good+text)); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
	}
}

// One mistake must not hide another, whatever kind they are of.
func TestAllComplaintsAtOnce(t *testing.T) {
	_, err := scenarios.Check("x.toml", []byte(`duration_s = 0
runs = "many"
profile = "P9"
[start]
x = 0.02
y = 1.5
[world]
size = [4, 3]
walled = true
colour = "red"
[brain]
line = true
`))
	if err == nil {
		t.Fatal("accepted")
	}
	want := []string{
		"x.toml:1: duration_s: 0 is out of range (choose 0.1 .. 3600)",
		"x.toml:2: runs: is a text, want a whole number (write it like runs = 10)",
		`x.toml:3: profile: "P9" is not known (choose one of P0, P1)`,
		"x.toml:10: world.colour: no such key of [world] (known: box, disc, floor, goal, mover, scatter, size, wall, walled)",
		"x.toml:12: brain.line: is called follow_line now (write follow_line)",
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("complaints, want them all and in the file's order:\n%s", diff)
	}
}

// Of a fault of no kind nothing is said that would be about another kind.
func TestFaultOfNoKind(t *testing.T) {
	_, err := scenarios.Parse("x.toml", []byte(good+"[[fault]]\nkind = \"gremlin\"\nwhich = 2\nvalue = 3\n[[fault]]\nkind = \"nack\"\nwhich = 2\n"))
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), "fault.0.kind: \"gremlin\" is not known") || !strings.Contains(err.Error(), "fault.1.which: 2: nack strikes") {
		t.Errorf("complaints %v, want one about each fault", err)
	}
}

// What is no TOML has one mistake: of a world that was not read nothing is said.
func TestNoFalseStart(t *testing.T) {
	for _, text := range []string{good + "size = [1, 1]\n", good + "= 3\n", "\x7FELF\x02\x01", ""} {
		_, err := scenarios.Check("x.toml", []byte(text))
		if err == nil || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), ": start: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A goal round the start is refused where the car is to drive there, and only there.
func TestStartInTheGoal(t *testing.T) {
	const text = "duration_s = 10\n[start]\nx = 1\ny = 1\n[world]\nsize = [4, 3]\n[world.goal]\nat = [1.1, 1]\nradius = 0.2\n"
	if _, err := scenarios.Check("x.toml", []byte(text)); err != nil {
		t.Error(err)
	}
	_, err := scenarios.Check("x.toml", []byte(text+"[brain]\ngoal = true\n"))
	if err == nil || !strings.Contains(err.Error(), "begins within the goal") {
		t.Errorf("a car that is to drive to where it stands: %v", err)
	}
}

// A car must stand free where it begins, with every seed.
func TestStart(t *testing.T) {
	const room = "duration_s = 10\n[world]\nsize = [4, 3]\nwalled = true\n"
	tests := []struct {
		name, text, want string
	}{
		{"free", "[start]\nx = 1\ny = 1\n", ""},
		{"corner", "", "x.toml: start: with seed 1 the body (0.09 m around 0.05, 0.00) begins inside a wall of the room"},
		{"outside", "[start]\nx = 5\ny = 1\n", "x.toml:5: start: with seed 1 the body (0.09 m around 5.05, 1.00) begins outside of the world, which ends at 4, 3"},
		{"within the goal", "[start]\nx = 1\ny = 1\n[world.goal]\nat = [1.1, 1]\nradius = 0.2\n", "x.toml:6: start: with seed 1 the body (0.09 m around 1.05, 1.00) begins within the goal, 0.2 m around [1.1 1]: it would have nothing to do"},
		{"outside of the region", "[start]\nx = 1\ny = 1\n[measure.region]\nmin = [2, 0]\nmax = [4, 3]\n", "x.toml:6: start: with seed 1 the body (0.09 m around 1.05, 1.00) begins outside of [measure.region], [2 0] to [4 3]"},
		{"in a disc", "[start]\nx = 1\ny = 1\n[[world.disc]]\nat = [3, 2]\nradius = 0.1\n[[world.disc]]\nat = [1, 1.1]\nradius = 0.1\n", "begins inside world.disc.1 (move [start] or the obstacle"},
		{"in a box", "[start]\nx = 1\ny = 1\n[[world.box]]\nat = [1, 1]\nsize = [1, 1]\nangle_deg = 30\n", "begins inside world.box.0"},
		{"on a wall", "[start]\nx = 1\ny = 1\n[[world.wall]]\nfrom = [0, 1]\nto = [2, 1]\n", "begins inside world.wall.0"},
		{"in a mover", "[start]\nx = 1\ny = 1\n[[world.mover]]\npath = [[1, 1], [2, 2]]\nradius = 0.1\n", "begins inside world.mover.0"},
		{"off the table", "[start]\nx = 1\ny = 1\n[world.floor]\ntable = [[2, 0], [4, 0], [4, 3], [2, 3]]\n", "begins beyond the table's edge"},
		{"a wheel off the table", "[start]\nx = 2.02\ny = 1\n[world.floor]\ntable = [[2.05, 0], [4, 0], [4, 3], [2.05, 3]]\n", "x.toml:5: start: with seed 1 a wheel at 2.020, 1.058 begins beyond the table's edge"},
		{"an axle on the table", "[start]\nx = 2.06\ny = 0.02\n[measure]\nfall = \"axle\"\n[world.floor]\ntable = [[2.05, 0.01], [4, 0.01], [4, 3], [2.05, 3]]\n", "inside a wall of the room"},
		{"a sensor off the table", "[brain]\ncliff = \"on\"\n[start]\nx = 2\ny = 1\n[world.floor]\ntable = [[1, 0], [2.11, 0], [2.11, 3], [1, 3]]\n", "x.toml:7: start: with seed 1 a floor sensor at 2.120, 1.020 begins over 60 counts"},
		{"a sensor off the table, nobody looks", "[start]\nx = 2\ny = 1\n[world.floor]\ntable = [[1, 0], [2.11, 0], [2.11, 3], [1, 3]]\n", ""},
		{"some seed", "[start]\nx = 0.3\ny = 1.5\nspread_x = 0.4\n", "move [start]"},
		{"too many discs", "[start]\nx = 1\ny = 1\n[world.scatter]\ncount = 50\nradius_min = 0.5\nradius_max = 0.5\n", "x.toml:8: world.scatter: with seed 1 "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := room + tt.text
			for stop, key := range map[string]string{"goal": "world.goal", "exit": "measure.region"} {
				if strings.Contains(text, key) {
					text = "stop = \"" + stop + "\"\n" + text
				}
			}
			_, err := scenarios.Check("x.toml", []byte(text))
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v\nwant it to contain %q", err, tt.want)
			}
		})
	}
	for _, name := range scenarios.Names() {
		text, err := scenarios.Source(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenarios.Check(name+".toml", text); err != nil {
			t.Error(err)
		}
	}
}

func TestUnknownNameListsTheKnown(t *testing.T) {
	_, err := scenarios.Load("mars")
	if err == nil || !strings.Contains(err.Error(), "corridor") {
		t.Errorf("Load(mars): %v", err)
	}
}

// A name with .toml or a folder is a file; all that is wrong with it is said.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "own.toml")
	write := func(path string, text []byte, mode fs.FileMode) string {
		t.Helper()
		if err := os.WriteFile(path, text, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if sc, err := scenarios.Open("room"); err != nil || sc.Name != "room" {
		t.Errorf("Open(room): %v", err)
	}
	sc, err := scenarios.Open(write(file, scenarios.Template(), 0o644))
	if err != nil || sc.Name != "own" {
		t.Fatalf("the template: %v", err)
	}
	if _, err := scenarios.Check(file, scenarios.Template()); err != nil {
		t.Errorf("the template: %v", err)
	}
	tests := []struct{ name, file, want string }{
		{"missing", filepath.Join(dir, "none.toml"), "none.toml: no such file (fieldbrain scenario new "},
		{"no suffix", dir + "/none", "none: no such file (a scenario's file ends in .toml, a built-in scenario has no / in its name, "},
		{"a member of a family", "clutter/7", "clutter/7: no such file (a scenario's file ends in .toml, a built-in scenario has no / in its name, and FAMILY/SEED is a member of a family (from Go: family.Open)"},
		{"directory", dir, ": is a directory (name the file in it, such as "},
		{"device", "/dev/null", "/dev/null: is not a regular file"},
		{"too large", write(filepath.Join(dir, "large.toml"), make([]byte, strict.MaxSize+1), 0o644), "larger than 1 MiB"},
	}
	if os.Getuid() != 0 { // root may read everything
		tests = append(tests, struct{ name, file, want string }{
			"unreadable", write(filepath.Join(dir, "secret.toml"), []byte(good), 0o000), "may not be read by this user",
		})
	}
	for _, tt := range tests {
		_, err := scenarios.Open(tt.file)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v\nwant it to contain %q", tt.name, err, tt.want)
		}
	}
}

// Any file gives complaints or a world; whatever Parse accepts is bounded, can
// be printed and read again, and can be built or says why not.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add(scenarios.Template())
	for _, name := range scenarios.Names() {
		text, err := scenarios.Source(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	doc, err := scenarios.Doc()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(doc)
	f.Add([]byte("[[world.wall]]\nfrom=[0,0]\nto=[1,1]\n[[limit]]\nmetric='stops'\nmax=1\n"))
	f.Add([]byte("world = { size = [1, 1], walled = true }\nduration_s = 1"))
	f.Add([]byte("a.b.c.d.e = 1\n[[x.y]]\n[x.y.z]\nq = [{a = 1}, {b = [[{}]]}]\n"))
	f.Add([]byte("\xEF\xBB\xBFduration_s = nan\r\nworld.size = [-inf, 1979-05-27]\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sc, err := scenarios.Parse("fuzz.toml", data)
		if err != nil {
			var cs strict.Complaints
			if sc != nil || !errors.As(err, &cs) || len(cs) == 0 {
				t.Fatalf("%v beside %v", sc, err)
			}
			for _, c := range cs {
				if c.Reason == "" || c.Line < 0 || c.Line > 1+bytes.Count(data, []byte("\n")) {
					t.Fatalf("%+v", c)
				}
			}
			return
		}
		if !(sc.Duration >= 0.1 && sc.Duration <= 3600) || sc.Profile.Sectors() == nil {
			t.Fatalf("accepted %+v", sc)
		}
		text, err := sc.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenarios.Parse("again.toml", text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if sc.World.Scatter.Count > 10 {
			return // crowded worlds take long to refuse
		}
		w, start, err := sc.Build(1)
		if err == nil && (math.IsNaN(w.Distance(start.At)) || math.IsNaN(start.Heading)) {
			t.Fatalf("NaN in the world of %+v", sc)
		}
	})
}

// TestNameWithoutItsEnd: beside a file kitchen.toml the error about kitchen names it.
func TestNameWithoutItsEnd(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("worlds", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"kitchen.toml", "worlds/cellar.toml"} {
		if err := os.WriteFile(path, scenarios.Template(), 0o600); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(path, ".toml")
		if _, err := scenarios.Open(name); err == nil || !strings.Contains(err.Error(), "did you mean "+path+"?") {
			t.Errorf("%s beside %s: %v", name, path, err)
		}
	}
	if _, err := scenarios.Open("attic"); err == nil || strings.Contains(err.Error(), "attic.toml") {
		t.Errorf("attic, without a file: %v", err)
	}
}
