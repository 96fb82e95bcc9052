package drive_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// strange are worlds for which we tuned nothing.
var strange = map[string]string{
	"tiny room":        "[start]\nx = 0.2\ny = 0.25\n[world]\nsize = [0.5, 0.5]\nwalled = true\n",
	"huge and empty":   "[start]\nx = 25\ny = 25\n[world]\nsize = [50, 50]\n",
	"facing a wall":    "[start]\nx = 3.7\ny = 1.5\n[world]\nsize = [4, 3]\nwalled = true\n",
	"touching walls":   "[start]\nx = 2\ny = 1.5\n[world]\nsize = [4, 3]\nwalled = true\n[[world.disc]]\nat = [0, 0]\nradius = 0.3\n[[world.disc]]\nat = [4, 1.5]\nradius = 0.5\n[[world.box]]\nat = [2, 3]\nsize = [1, 0.5]\nangle_deg = 45\n",
	"overlapping":      "[start]\nx = 0.5\ny = 0.5\n[world]\nsize = [4, 3]\nwalled = true\n[[world.disc]]\nat = [2, 1.5]\nradius = 0.3\n[[world.disc]]\nat = [2.1, 1.5]\nradius = 0.3\n[[world.box]]\nat = [2, 1.6]\nsize = [0.5, 0.5]\n",
	"outside obstacle": "[start]\nx = 0.5\ny = 0.5\n[world]\nsize = [4, 3]\n[[world.disc]]\nat = [-20, 40]\nradius = 5\n",
	"run over":         "[start]\nx = 2\ny = 1.5\n[world]\nsize = [4, 3]\nwalled = true\n[[world.mover]]\npath = [[0.3, 1.5], [3.7, 1.5]]\nradius = 0.2\nspeed = 2\n",
	"standing mover":   "[start]\nx = 1\ny = 1\n[world]\nsize = [4, 3]\nwalled = true\n[[world.mover]]\npath = [[2, 1], [3, 1]]\nradius = 0.1\nspeed = 0\n",
	"through walls":    "[start]\nx = 1\ny = 1\n[world]\nsize = [2, 2]\nwalled = true\n[[world.mover]]\npath = [[-1, 1], [3, 1.2], [1, 4]]\nradius = 0.1\nspeed = 1\n",
	"line and edge":    "[start]\non_line = true\n[world]\nsize = [3, 3]\n[world.floor]\ntape = 750\ntable = [[0.2, 0.2], [2.8, 0.2], [2.8, 2.8], [0.2, 2.8]]\n[[world.floor.line]]\npoints = [[0.5, 0.5], [2.5, 0.5], [2.5, 2.5]]\nwidth = 0.025\n[brain]\nfollow_line = true\ncliff = \"on\"\ncruise = 0.05\n",
	"dark floor":       "[start]\nx = 1\ny = 1\n[world]\nsize = [2, 2]\nwalled = true\n[world.floor]\nbackground = 0\ntape = 0\nvoid = 0\n",
	"goal at the car":  "[start]\nx = 1\ny = 1\n[world]\nsize = [2, 2]\nwalled = true\n[world.goal]\nat = [1.36, 1]\nradius = 0.3\n[brain]\ngoal = true\n",
	"walled in":        "[start]\nx = 0.9\ny = 1\n[world]\nsize = [2, 2]\n[[world.box]]\nat = [0.95, 1.3]\nsize = [0.5, 0.1]\n[[world.box]]\nat = [0.95, 0.7]\nsize = [0.5, 0.1]\n[[world.box]]\nat = [0.7, 1]\nsize = [0.1, 0.5]\n[[world.box]]\nat = [1.2, 1]\nsize = [0.1, 0.5]\n",
	"deaf and slow":    "profile = \"P0\"\n[start]\nx = 1\ny = 1\n[world]\nsize = [2, 2]\nwalled = true\n[car]\ndrop_out = 1\nmax_range = 0.1\nlag = 2\nopen_volts = 6\n[hat]\nclock_hz = 10000\n",
}

// TestStrangeWorlds: the car drives in every file that passes the check. It may
// be stuck, but it is somewhere, and the track holds finite numbers only.
func TestStrangeWorlds(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	pilots := []string{"brain", "vendor", "reactive", "noise"}
	pilots = pilots[:tier.Count(t, "pilots", 2, 4, 4)]
	for name, text := range strange {
		t.Run(name, func(t *testing.T) {
			sc, err := scenarios.Check("strange.toml", []byte("duration_s = 2.5\nruns = 2\n"+text))
			if err != nil {
				t.Fatal(err)
			}
			for _, pilot := range pilots {
				r, err := drive.New(config.Default()).Virtual(sc, 1, pilot, testbench.Options{Period: testbench.DefaultPeriod, Rows: true})
				if err != nil {
					t.Fatalf("%s: %v", pilot, err)
				}
				checkTrack(t, pilot, r)
				if pilot != "brain" {
					continue // the picture is the same but for the way
				}
				p := picture.Default()
				p.Width = 300
				if err := picture.PNG(&bytes.Buffer{}, r, p); err != nil {
					t.Errorf("%s: %v", pilot, err)
				}
			}
		})
	}
}

// TestSharpCorners: lines of straight pieces are followed round their corners, to either
// side, and lost no longer than the bar takes to come round (docs/decisions/0073).
func TestSharpCorners(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	const most = 8
	for seed := uint64(1); seed <= uint64(tier.Count(t, "worlds", 1, 3, most)); seed++ {
		sc, err := family.Make("line-corners", family.Train, seed)
		if err != nil {
			t.Fatal(err)
		}
		r, err := drive.New(config.Default()).Virtual(sc, seed, "brain", testbench.Options{Period: testbench.DefaultPeriod})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range r.Verdicts {
			if !v.Pass {
				t.Errorf("%s: %s is %v", sc.Name, v.Metric, v.Value)
			}
		}
	}
}

// TestNoSqueezing: in rooms of boxes at any angle, with gaps that narrow, a car with five
// beams that looks around touches nothing, and neither stands nor goes round. In each of
// these it touched something before it kept its margin there (docs/decisions/0059).
func TestNoSqueezing(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	seeds := []uint64{1, 5, 7, 13, 16, 17, 19, 21}
	for _, seed := range seeds[:tier.Count(t, "worlds", 1, 3, len(seeds))] {
		sc, err := family.Make("jumble", family.Train, seed)
		if err != nil {
			t.Fatal(err)
		}
		r, err := drive.New(config.Default()).Virtual(sc, seed, "brain", testbench.Options{Period: testbench.DefaultPeriod})
		if err != nil {
			t.Fatal(err)
		}
		value := func(metric string) float64 {
			v, ok := r.Metric(metric)
			if !ok {
				t.Fatalf("no metric %s", metric)
			}
			return v
		}
		for _, metric := range []string{"standing_s", "circling_s"} {
			if v := value(metric); v > 12 {
				t.Errorf("%s: %s is %.1f", sc.Name, metric, v)
			}
		}
		if hits, way := value("collisions"), value("distance_m"); hits > 0 || way < 25 {
			t.Errorf("%s: %v collisions on %.1f m", sc.Name, hits, way)
		}
	}
}

// checkTrack reads the CSV as a stranger would.
func checkTrack(t *testing.T, pilot string, r *testbench.Result) {
	t.Helper()
	var b bytes.Buffer
	if err := r.Track.CSV(&b); err != nil {
		t.Fatalf("%s: %v", pilot, err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := int(r.Seconds / 0.05); len(rows)-1 < want || len(rows)-1 > want+2 {
		t.Errorf("%s: %d rows of %.2f s, want %d", pilot, len(rows)-1, r.Seconds, want)
	}
	peaks, last := 0, -1.0
	for _, row := range rows[1:] {
		for i, text := range row {
			if text == "" {
				continue
			}
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(x) || math.Abs(x) > 100 {
				t.Fatalf("%s: %s is %q", pilot, rows[0][i], text)
			}
			switch rows[0][i] {
			case "peak_bearing_rad":
				peaks++
			case "time_s":
				if x <= last {
					t.Fatalf("%s: time goes from %v to %v", pilot, last, x)
				}
				last = x
			}
		}
	}
	if pilot != "brain" && peaks > 0 {
		t.Errorf("%s has no field, but %d peaks", pilot, peaks)
	}
	if pilot == "brain" && time.Duration(r.Seconds*float64(time.Second)) > 2*time.Second && peaks == 0 {
		t.Error("the brain has a field, but no peak")
	}
}
