package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/config"
	"fieldbrain/testbench/trials"
)

// TestRivalsKnowNoBrain: what benchSum stands for has all that acts on a rival's
// drive, and nothing of the brain, which changes daily; make build sets it.
func TestRivalsKnowNoBrain(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go on this machine")
	}
	const bench = "testbench/trials"
	out, err := exec.Command(tool, "list", "-deps", root+"/"+bench).Output()
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Fields(string(out)) // the package itself is the last
	module, is := strings.CutSuffix(list[len(list)-1], bench)
	if !is {
		t.Fatalf("the last of %q is not %s", list, bench)
	}
	for _, name := range []string{
		"robot", "robot/picarx", "robot/safety", "field/exact", "testbench", "testbench/family", "testbench/gauge", "testbench/hat", "testbench/noise",
		"testbench/oracle", "testbench/pilots", "testbench/plant", "testbench/scenarios", "testbench/world",
	} {
		if !slices.Contains(list, module+name) {
			t.Errorf("%s is not among what a rival's drive depends on", name)
		}
	}
	for _, name := range list {
		part, own := strings.CutPrefix(name, module)
		if own && part != "field/exact" && slices.Contains([]string{"brain", "field", "cmd", "daemon", "gpu"}, strings.Split(part, "/")[0]) {
			t.Errorf("%s imports %s, directly or not", bench, name)
		}
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"-X main.benchSum=", "-export -deps", "./testbench/trials |"} {
		if !bytes.Contains(makefile, []byte(words)) {
			t.Errorf("the Makefile has no %q", words)
		}
	}
}

// TestDriver: a rival's drive depends on the bench and the loop's period, the brain's
// on the program and all settings.
func TestDriver(t *testing.T) {
	defer func(before string) { benchSum = before }(benchSum)
	benchSum = ""
	plain, err := driver(config.Default(), nil)
	if err != nil || plain.Bench != "" || len(plain.Sum) != 32 {
		t.Fatalf("without a sum of the bench: %+v, %v", plain, err)
	}
	benchSum = "a"
	slower, faster := config.Default(), config.Default()
	slower.Loop.Period *= 2
	faster.Brain.Cruise += 0.01
	base, err := driver(config.Default(), nil)
	if err != nil || base.Bench == "" || base.Sum != plain.Sum {
		t.Fatalf("%+v, %v", base, err)
	}
	if p, err := driver(slower, nil); err != nil || p.Bench == base.Bench || p.Sum == base.Sum {
		t.Errorf("period %v: %+v like %+v, %v", time.Duration(slower.Loop.Period), p, base, err)
	}
	if p, err := driver(faster, nil); err != nil || p.Bench != base.Bench || p.Sum == base.Sum {
		t.Errorf("another speed of the brain: %+v beside %+v, %v", p, base, err)
	}
	benchSum = "b"
	if p, err := driver(config.Default(), nil); err != nil || p.Bench == base.Bench {
		t.Errorf("another bench: %+v like %+v, %v", p, base, err)
	}
}

// TestResultsAlone: two programs never write the same file of results, and the second is
// told which and what to do; when the first is done, the file is whole and another may.
func TestResultsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	own := trials.Program{Sum: "toy"}
	_, end, err := openResults(path, own, trials.Resume)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = openResults(path, own, trials.Resume)
	if !errors.Is(err, errShared) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second program opens the file: %v; want %v, and the file's name", err, errShared)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) || len(after) == 0 {
		t.Errorf("the file was %q and is %q, %v", before, after, err)
	}
	end()
	_, end, err = openResults(path, own, trials.Resume)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	end()
}

// TestResultsWithoutSums: a file of a program that wrote no sums is read, which is said
// once; the same with sums says nothing.
func TestResultsWithoutSums(t *testing.T) {
	own, err := driver(config.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	drive := trials.Record{World: trials.World{Family: "room", Profile: "P0", Set: "test", Seed: 1}, Pilot: "vendor", Task: trials.TaskExplore, Length: 60}
	head, err := json.Marshal(own)
	line, err2 := json.Marshal(drive)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	c := benchDriveCmd{Results: filepath.Join(t.TempDir(), "results")}
	if err := os.WriteFile(c.Results, slices.Concat(head, []byte("\n"), line, []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, says := range []int{1, 0} {
		var said bytes.Buffer
		j, end, err := c.journal(&env{out: io.Discard, err: &said}, config.Default())
		if err != nil || j.Len() != 1 {
			t.Fatalf("%v", err)
		}
		if n := strings.Count(said.String(), "wrote no sums"); n != says {
			t.Errorf("says %d times that sums are missing, want %d: %s", n, says, said.String())
		}
		if err := whole(c.Results, j.Write); err != nil { // as the bench does at its end
			t.Error(err)
		}
		end()
	}
}

// TestResultsOwn: a file that is none of results stays, whatever it begins with, for
// --results and for the exam of tune; one that an interruption cut is gone on with.
func TestResultsOwn(t *testing.T) {
	own := trials.Program{Sum: "toy", Revision: "1"}
	for content, sound := range map[string]bool{
		"":                                     true,
		`{"prog`:                               true,
		`{"program":"toy","revision":"1"}`:     true,
		`{"program":"toy"}` + "\n":             true,
		`{"program":"toy"}` + "\n" + `{"set"`:  true,
		`{"program":"mine"}`:                   false,
		`{"program":"mine","colour":1}`:        false,
		`{"program":"mine","colour":1}` + "\n": false,
		`{"program":{"name":"mine"}}` + "\n":   false,
		"notes":                                false,
		"\n":                                   false,
	} {
		path := filepath.Join(t.TempDir(), "results.exam")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, open := range []func([]byte, trials.Program, io.Writer) (*trials.Journal, error){trials.Resume, renew} {
			_, end, err := openResults(path, own, open)
			if err == nil {
				end()
			}
			if (err == nil) != sound || !sound && !errors.Is(err, trials.ErrOther) {
				t.Errorf("%q: %v", content, err)
			}
		}
		if after, err := os.ReadFile(path); !sound && string(after) != content {
			t.Errorf("%q became %q, %v", content, after, err)
		}
		if _, end, err := (tuneCmd{Resume: strings.TrimSuffix(path, ".exam")}).anew("toy"); !sound && err == nil {
			end()
			t.Errorf("%q: the exam takes its place", content)
		}
	}
}

// TestResultsOfAProgram: a program that runs is named as what it is, no file of results, and
// not as one that is busy.
func TestResultsOfAProgram(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, end, err := openResults(path, trials.Program{Sum: "toy"}, trials.Resume); !errors.Is(err, trials.ErrForeign) {
		t.Errorf("%v, want %v", err, trials.ErrForeign)
		if err == nil {
			end()
		}
	}
}

// renew is trials.Renew as openResults wants it.
func renew(old []byte, own trials.Program, out io.Writer) (*trials.Journal, error) {
	j, _, err := trials.Renew(old, own, out)
	return j, err
}
