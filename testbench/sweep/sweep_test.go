package sweep_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/strict"
	"fieldbrain/testbench"
	"fieldbrain/testbench/sweep"
)

func known(pilot string) bool { return pilot == "brain" || pilot == "vendor" }

// plain makes settings of any that a file asks for, and refuses one.
func plain(engine string, settings []sweep.Setting) ([]byte, error) {
	text := "engine = " + engine
	for _, s := range settings {
		if s.Value == "9.9" {
			return nil, fmt.Errorf("%s: is 9.9", s.Key)
		}
		text += "\n" + s.String()
	}
	return []byte(text), nil
}

func batch(t testing.TB, text string) *sweep.Batch {
	t.Helper()
	f, err := sweep.Parse("s.toml", []byte(text), known)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Batch(plain)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const everything = `title = "all of it"
scenarios = ["room", "tmaze"]
families = ["corridor-p0"]
set = "test"
pilots = ["brain", "vendor"]
engines = ["purego", "auto"]
seconds = 2
twice = 0.1
[seeds]
first = 3
count = 4
[[parameter]]
key = "brain.cruise"
values = [0.2, 0.3, 0.25]
[[parameter]]
key = "scenario.car.drop_out"
values = [0.0, 0.5]
`

// TestPlan: every world with every seed, pilot, engine and choice of values, once; and the
// same file always makes the same jobs.
func TestPlan(t *testing.T) {
	p := batch(t, everything)
	if want := 3 * 4 * 2 * 2 * 3 * 2; len(p.Jobs) != want {
		t.Fatalf("%d jobs, want %d", len(p.Jobs), want)
	}
	ids, twice, members := map[string]bool{}, 0, map[string]bool{}
	for _, j := range p.Jobs {
		ids[j.ID] = true
		if j.Twice {
			twice++
		}
		if j.Family != "" {
			members[j.World] = true
		}
		if p.Inputs[j.Settings] == nil {
			t.Fatalf("no settings for %+v", j)
		}
	}
	if len(ids) != len(p.Jobs) || twice != 29 || len(members) != 4 || !members["corridor-p0/test/6"] {
		t.Errorf("%d names, %d twice, members %v", len(ids), twice, members)
	}
	if again := batch(t, everything); again.ID != p.ID || again.Jobs[17].ID != p.Jobs[17].ID {
		t.Error("the same file made other jobs")
	}
	for _, change := range [][2]string{{"seconds = 2", "seconds = 3"}, {"first = 3", "first = 4"}, {"0.25]", "0.26]"}, {"0.5]", "0.4]"}, {`"test"`, `"train"`}} {
		if other := batch(t, strings.Replace(everything, change[0], change[1], 1)); other.ID == p.ID {
			t.Errorf("%v makes the same sweep", change)
		}
	}
	if other := batch(t, strings.Replace(everything, "all of it", "else", 1)); other.ID != p.ID {
		t.Error("the title is part of the jobs' names")
	}
}

// TestWorlds: a job's world has the values put into it, and a file's comes with the job
// and not from the worker's disk.
func TestWorlds(t *testing.T) {
	p := batch(t, everything)
	seen := map[float64]bool{}
	for i := 0; i < len(p.Jobs); i += 11 {
		j := p.Jobs[i]
		sc, err := j.Scenario(nil)
		if err != nil {
			t.Fatal(err)
		}
		seen[float64(sc.Car.DropOut)] = true
		if sc.Name != "room" && sc.Name != "tmaze" && !strings.HasPrefix(sc.Name, "corridor-p0/test/") {
			t.Errorf("the world is called %q", sc.Name)
		}
	}
	if !seen[0] || !seen[0.5] || len(seen) != 2 {
		t.Errorf("drop-outs %v", seen)
	}
	dir := t.TempDir()
	own := filepath.Join(dir, "own.toml")
	if err := os.WriteFile(own, []byte("duration_s = 5\n[world]\nsize = [4.0, 3.0]\n[start]\nx = 1.0\ny = 1.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p = batch(t, fmt.Sprintf("scenarios = [%q]\n[seeds]\ncount = 1", own))
	j := p.Jobs[0]
	if _, err := j.Scenario(nil); err == nil || !strings.Contains(err.Error(), "no text") {
		t.Errorf("a file without its text: %v", err)
	}
	if sc, err := j.Scenario(p.Inputs[j.File]); err != nil || sc.Duration != 5 {
		t.Errorf("%+v, %v", sc, err)
	}
}

// TestRefusedValue: a value that the world refuses is told with what it was chosen with,
// and with no line of the text that was made of them.
func TestRefusedValue(t *testing.T) {
	const text = "scenarios = ['room']\n[[parameter]]\nkey = 'brain.cruise'\nvalues = [0.2]\n" +
		"[[parameter]]\nkey = 'scenario.car.drop_out'\nvalues = [3.1]\n"
	const want = "s.toml:7: parameter.1.values: room: car.drop_out: 3.1 is out of range, " +
		"with brain.cruise = 0.2 and scenario.car.drop_out = 3.1 (choose 0 .. 1)"
	f, err := sweep.Parse("s.toml", []byte(text), known)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Batch(plain); err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestComplaints: every mistake has a line, a key and a remedy.
func TestComplaints(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "names no world",
		`scenarios = ["rom"]`:          `s.toml:1: scenarios.0: "rom"`,
		`scenarios = ["./no.toml"]`:    "no such file",
		`families = ["cluter"]`:        "did you mean clutter?",
		`scenario = ["room"]`:          "is called scenarios now",
		`scenarios = ["room", "room"]`: "names \"room\" twice",
		`scenarios = ["room"]` + "\n" + `pilots = ["horse"]`:                                    "s.toml:2: pilots.0: \"horse\" drives nothing",
		`scenarios = ["room"]` + "\n" + `pilots = []`:                                           "names nobody",
		`scenarios = ["room"]` + "\n" + `engines = ["steam"]`:                                   `"steam" is not known (choose one of auto, avx512`,
		`scenarios = ["room"]` + "\nseconds = -1":                                               "s.toml:2: seconds: is -1 (choose 0 to 604800)",
		`scenarios = ["room"]` + "\nseconds = nan":                                              "s.toml:2: seconds: is NaN",
		`scenarios = ["room"]` + "\ntwice = 2":                                                  "twice: is 2 (choose 0 to 1)",
		`scenarios = ["room"]` + "\nset = \"all\"":                                              `"all" is not known (choose one of train, test)`,
		`scenarios = ["room"]` + "\n[seeds]\ncount = 0":                                         "seeds.count: is 0",
		`scenarios = ["room"]` + "\n[seeds]\nfirst = -1":                                        "seeds.first: is -1",
		`scenarios = ["room"]` + "\n[seeds]\nfirst = 9223372036854775807":                       "seeds.first: is 9223372036854775807 (choose 0 to 9007199254740992)",
		`scenarios = ["room", "tmaze"]` + "\n[seeds]\ncount = 1000000":                          "makes 2000000 drives, more than 1000000",
		`scenarios = ["room"]` + "\ncolour = 3":                                                 "s.toml:2: colour: no such key",
		`scenarios = ["room"]` + "\n[[parameter]]\nkey = \"engine.kind\"\nvalues = [\"sse\"]":   "s.toml:3: parameter.0.key: \"engine.kind\" cannot be swept",
		`scenarios = ["room"]` + "\n[[parameter]]\nkey = \"brain.cruise\"":                      "has none",
		`scenarios = ["room"]` + "\n[[parameter]]\nkey = \"brain.cruise\"\nvalues = [[1]]":      "holds a list",
		`scenarios = ["room"]` + "\n[[parameter]]\nkey = \"brain.cruise\"\nvalues = [0.2, 0.2]": "holds 0.2 twice",
		"scenarios = [": "mend the line",
	} {
		_, err := sweep.Parse("s.toml", []byte(text), known)
		var cs strict.Complaints
		if !errors.As(err, &cs) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n%v\nwant %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"values = [0.2, 9.9]": "s.toml:4: parameter.0.values: brain.cruise: is 9.9, with brain.cruise = 9.9",
	} {
		f, err := sweep.Parse("s.toml", []byte("scenarios = [\"room\"]\n[[parameter]]\nkey = \"brain.cruise\"\n"+text), known)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = f.Batch(plain); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	_, wrong := sweep.Parse("s.toml", []byte("scenarios = [\"nope\", \"room\", \"no.toml\", \"clutter/-1\"]\nfamilies = [\"cluter\", \"none\"]\npilots = [\"zz\", \"brain/zz\"]\nengines = [\"steam\", \"auto\", \"zz\"]"), known)
	for _, want := range []string{
		`1: scenarios.0: "nope"`, `1: scenarios.2: "no.toml"`, `1: scenarios.3: "clutter/-1"`, `2: families.0: "cluter"`, `2: families.1: "none"`,
		`3: pilots.0: "zz"`, `3: pilots.1: "brain/zz"`, `4: engines.0: "steam"`, `4: engines.2: "zz"`,
	} {
		if wrong == nil || !strings.Contains(wrong.Error(), want) {
			t.Errorf("many mistakes:\n%v\nlack %q", wrong, want)
		}
	}
	f, err := sweep.Parse("s.toml", []byte("scenarios = ['room']\nconfig = 'no.toml'\n"), known)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Refuse("config", "name another", fs.ErrNotExist).Error(), "s.toml:2: config: file does not exist (name another)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, err := sweep.Read(filepath.Join(t.TempDir(), "none.toml"), known); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestOverride(t *testing.T) {
	text := []byte("a = 1\n[b]\nc = 2.5\n[[d]]\ne = 'x'\n[[d]]\ne = 'y'\n")
	got, err := sweep.Override(text, []sweep.Setting{{"a", "7"}, {"b.c", "0.5"}, {"b.new", "true"}, {"d.1.e", "'z'"}, {"f.g", "1.0"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a = 7\n", "c = 0.5", "new = true", "e = 'z'", "e = 'x'", "[f]\ng = 1.0"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, bad := range []sweep.Setting{{"a.b", "1"}, {"d.2.e", "1"}, {"d.x.e", "1"}, {"a", "1\nq = 2"}, {"a", "[["}} {
		if got, err := sweep.Override(text, []sweep.Setting{bad}); err == nil {
			t.Errorf("%v made\n%s", bad, got)
		}
	}
}

// result is a made-up drive of a job.
func result(j sweep.Job, worker, way string) *sweep.Result {
	return &sweep.Result{
		Job: j, Machine: "m-" + worker, Platform: "linux/test", Worker: worker, Version: "v1", Deliveries: 1, Ended: time.Unix(1, 0), Took: 0.5,
		Drive: &testbench.Result{Pass: j.Seed%2 == 0, Distance: float64(j.Seed), Coverage: 0.1, Seconds: 2, Engine: j.Engine, FieldHash: "f", Trajectory: way},
	}
}

const few = "scenarios = [\"room\"]\ntwice = 0.5\npilots = [\"brain\", \"vendor\"]\n[seeds]\nfirst = 1\ncount = 4\n"

// TestTally: each result counts once, whatever comes twice, and a sweep passes only
// when nothing is missing.
func TestTally(t *testing.T) {
	p := batch(t, few)
	tally := sweep.NewTally(p)
	for _, j := range p.Jobs {
		if !tally.Add(result(j, "a", "w")) || !tally.Add(result(j, "b", "w")) {
			t.Fatal("a job of the batch is refused")
		}
	}
	if tally.Done() != 8 || tally.Wanted() != 12 || len(tally.Missing()) != 0 || len(tally.Unchecked()) != 4 {
		t.Errorf("done %d of %d, missing %d, unchecked %d", tally.Done(), tally.Wanted(), len(tally.Missing()), len(tally.Unchecked()))
	}
	if tally.Report().Pass {
		t.Error("a sweep without its second opinions passes")
	}
	for i, r := range tally.Unchecked() {
		worker := "b"
		if i == 0 {
			worker = "a"
		}
		tally.Again(result(r.Job, worker, "w"))
	}
	r := tally.Report()
	if c := r.Twice; !r.Pass || c.Wanted != 4 || c.Compared != 3 || c.Alone != 1 || c.Equal != 4 || r.Results != 8 {
		t.Errorf("%+v", r)
	}
	if tally.Add(result(sweep.Job{ID: "other"}, "a", "w")) {
		t.Error("a job of another batch counts")
	}
}

// TestRestore: what Lines wrote fills a tally that lacks it, and nothing else: no other
// batch's job, no broken line, no result in the place of one that is there.
func TestRestore(t *testing.T) {
	p := batch(t, few)
	old, tally := sweep.NewTally(p), sweep.NewTally(p)
	for i, j := range p.Jobs {
		if i < 6 {
			old.Add(result(j, "old", "w"))
		}
		if i < 2 || i == 7 {
			tally.Add(result(j, "new", "w"))
		}
	}
	var lines bytes.Buffer
	if err := old.Lines(&lines); err != nil {
		t.Fatal(err)
	}
	text := bytes.SplitAfter(lines.Bytes(), []byte("\n"))
	text[3][40] = 0 // of the third job that is missing
	text = append(text, []byte(`{"id":"other"}`+"\n"), []byte(`{"id":"`))
	n, err := tally.Restore(bytes.NewReader(bytes.Join(text, nil)))
	if n != 3 || err != nil || tally.Done() != 6 || len(tally.Missing()) != 2 || tally.Missing()[0].ID != p.Jobs[3].ID {
		t.Errorf("%d restored, %v, %d there, missing %v", n, err, tally.Done(), tally.Missing())
	}
	for i, r := range tally.Results()[:3] {
		if want := []string{"new", "new", "old"}[i]; r.Worker != want {
			t.Errorf("result %d is %s's, want %s's", i, r.Worker, want)
		}
	}
}

// TestDifference: whatever differs fails the sweep and names machine, engine and
// program of both.
func TestDifference(t *testing.T) {
	for name, odd := range map[string]func(tally *sweep.Tally, j sweep.Job){
		"a second worker": func(tally *sweep.Tally, j sweep.Job) { tally.Again(result(j, "b", "other")) },
		"a refused one":   func(tally *sweep.Tally, j sweep.Job) { tally.Odd(result(j, "b", "other")) },
		"one more":        func(tally *sweep.Tally, j sweep.Job) { tally.Add(result(j, "b", "other")) },
	} {
		p := batch(t, few)
		tally := sweep.NewTally(p)
		for _, j := range p.Jobs {
			tally.Add(result(j, "a", "w"))
		}
		odd(tally, tally.Unchecked()[0].Job)
		for _, r := range tally.Unchecked() {
			tally.Again(result(r.Job, "b", "w"))
		}
		r := tally.Report()
		if r.Pass || len(r.Differences) != 1 {
			t.Fatalf("%s: pass %v, %d differences", name, r.Pass, len(r.Differences))
		}
		var text strings.Builder
		if err := r.Print(&text); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"DIFFERENT, two runs", "m-a (linux/test), engine auto, program v1", "m-b (linux/test)", "way other"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, text.String())
			}
		}
	}
	p := batch(t, "scenarios = [\"room\"]\ntwice = 0.0\nengines = [\"auto\", \"purego\"]\n[seeds]\nfirst = 1\ncount = 2\n")
	tally := sweep.NewTally(p)
	for _, j := range p.Jobs {
		way := "w"
		if j.Engine == "purego" && j.Seed == 2 {
			way = "other"
		}
		tally.Add(result(j, "a", way))
	}
	if r := tally.Report(); r.Pass || r.Engines != 2 || len(r.Differences) != 1 || r.Differences[0].Why != "two engines" {
		t.Errorf("two engines: %+v", r)
	}
}

// TestReport: failures are named, shares and means have intervals, groups are
// compared in pairs.
func TestReport(t *testing.T) {
	p := batch(t, strings.Replace(few, "0.5", "0.0", 1))
	tally := sweep.NewTally(p)
	for _, j := range p.Jobs {
		r := result(j, "a", "w")
		if j.Pilot == "vendor" {
			r.Drive.Distance += 2
		}
		if j.Pilot == "vendor" && j.Seed == 4 {
			r.Drive, r.Error = nil, "no fuel"
		}
		tally.Add(r)
	}
	r := tally.Report()
	if r.Pass || r.Failed != 1 || !strings.Contains(r.First, "room seed 4, vendor: no fuel") {
		t.Errorf("%+v", r)
	}
	g := r.Groups[0]
	if g.Drives != 4 || g.Pass.Held != 2 || g.Pass.Low > 0.07 || g.Pass.High < 0.93 || g.Distance.Mean != 2.5 || g.Distance.Low >= 2.5 || g.Distance.High <= 2.5 {
		t.Errorf("%+v", g)
	}
	if c := r.Contrasts[0]; c.Group != "vendor" || c.Against != "brain" || c.Distance.Mean != 2 || c.Distance.Pairs != 3 {
		t.Errorf("%+v", c)
	}
	var lines, table bytes.Buffer
	if err := errors.Join(tally.Lines(&lines), tally.CSV(&table)); err != nil {
		t.Fatal(err)
	}
	var back sweep.Result
	if err := json.Unmarshal(lines.Bytes()[:bytes.IndexByte(lines.Bytes(), '\n')], &back); err != nil || back.Digest() != "field f, way w" {
		t.Errorf("%v, %q", err, back.Digest())
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(rows) != 9 || rows[8][len(rows[8])-1] != "" || rows[0][0] != "job" || rows[1][0] != p.Jobs[0].ID {
		t.Errorf("%v, %d rows: %v", err, len(rows), rows)
	}
}
