package trials_test

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/testbench"
	"fieldbrain/testbench/pilots"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/trials"
)

// driven returns the file of the toy's drives by a program.
func driven(t *testing.T, p trials.Program) []byte {
	t.Helper()
	var file bytes.Buffer
	j, err := trials.Resume(nil, p, &file)
	if err == nil {
		_, err = trials.Run(context.Background(), toy(2), j)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestRenew: another program drives again what it need not repeat, keeps the rest
// where the bench is the same, and says so; what it did is its own from then on.
func TestRenew(t *testing.T) {
	old := trials.Program{Sum: "old", Revision: "r1", Bench: "bench"}
	own := trials.Program{Sum: "new", Revision: "r2", Bench: "bench"}
	before := driven(t, old)
	if _, err := trials.Resume(before, own, nil); !errors.Is(err, trials.ErrOther) || !strings.Contains(err.Error(), "20 drives, besides 32 that") {
		t.Errorf("resumed with the judged pilot's 20 drives by another program: %v", err)
	}
	file := bytes.NewBuffer(slices.Clone(before))
	j, left, err := trials.Renew(before, own, file)
	if err != nil || left != 20 || j.Len() != 32 {
		t.Fatalf("%d left, %d kept: %v", left, j.Len(), err)
	}
	p, total := toy(3), 0
	p.Progress = func(_, all int) { total = all }
	r, err := trials.Run(context.Background(), p, j)
	if err != nil || total != left {
		t.Fatalf("%d driven, want %d: %v", total, left, err)
	}
	want := []trials.Older{{Program: old, Pilots: []string{"vendor", "oracle"}, Drives: 32}}
	if diff := cmp.Diff(want, r.Older); diff != "" {
		t.Errorf("whose drives (-want +got):\n%s", diff)
	}
	var page, table, sorted bytes.Buffer
	if err := errors.Join(r.Markdown(&page, trials.Heading{}), r.Print(&table), j.Write(&sorted)); err != nil {
		t.Fatal(err)
	}
	if says := "32 of the drives, of `vendor`, `oracle`, are kept from program old (r1), not driven by this one, new (r2)"; !strings.Contains(page.String(), says) {
		t.Errorf("the page does not say %q:\n%s", says, page.String())
	}
	if says := "32 of the drives, of vendor, oracle, are kept"; !strings.Contains(table.String(), says) {
		t.Errorf("the table does not say %q:\n%s", says, table.String())
	}
	for name, lines := range map[string][]byte{"as driven": file.Bytes(), "sorted": sorted.Bytes()} {
		again, err := trials.Resume(lines, own, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := trials.NewReport(toy(1), again); again.Len() != 52 || text(t, r) != text(t, got) {
			t.Errorf("%s: %d drives, another report", name, again.Len())
		}
	}
}

// TestRenewKeepsNothing where the bench is another, or nobody knows.
func TestRenewKeepsNothing(t *testing.T) {
	lines := []byte(`{"family":"room","profile":"P0","set":"test","seed":1,"pilot":"vendor"}` + "\n" + `{"family":"room","profile":"P0","set":"test","seed":1,"pilot":"brain"}` + "\n")
	for why, sums := range map[string][2]string{"another bench": {"a", "b"}, "unknown now": {"a", ""}, "unknown then": {"", "b"}, "unknown": {"", ""}} {
		before := append([]byte(`{"program":"old","bench":"`+sums[0]+`"}`+"\n"), lines...)
		j, left, err := trials.Renew(before, trials.Program{Sum: "new", Bench: sums[1]}, nil)
		if err != nil || left != 2 || j.Len() != 0 {
			t.Errorf("%s: %d kept, %d left: %v", why, j.Len(), left, err)
		}
	}
	if _, _, err := trials.Renew([]byte("a shopping list\n"), trials.Program{Sum: "new"}, nil); !errors.Is(err, trials.ErrForeign) || !errors.Is(err, trials.ErrOther) {
		t.Errorf("somebody's file: %v", err)
	}
}

// unsealed returns lines as programs wrote them before there were sums.
func unsealed(lines []byte) []byte {
	return regexp.MustCompile(`,"sum":"[0-9a-f]{8}"\}`).ReplaceAll(lines, []byte("}"))
}

// TestSums: a digit, or anything else, that has changed in a drive's line is found; a file
// from before there were sums is read as before, and known for one.
func TestSums(t *testing.T) {
	own := trials.Program{Sum: "own"}
	good := driven(t, own)
	if j, err := trials.Resume(good, own, nil); err != nil || j.Len() != 52 || j.Bare() != 0 {
		t.Fatalf("%d drives, %d without a sum: %v", j.Len(), j.Bare(), err)
	}
	j, err := trials.Resume(unsealed(good), own, nil)
	if err != nil || j.Len() != 52 || j.Bare() != 52 {
		t.Fatalf("without sums: %d drives, %d without a sum: %v", j.Len(), j.Bare(), err)
	}
	var sorted bytes.Buffer
	if err := j.Write(&sorted); err != nil {
		t.Fatal(err)
	}
	if j, err := trials.Resume(sorted.Bytes(), own, nil); err != nil || j.Bare() != 0 {
		t.Errorf("written again: %v", err)
	}
	lines := bytes.SplitAfter(good, []byte("\n"))
	for at, c := range lines[1] { // the second line of the file
		if c < '0' || c > '9' {
			continue
		}
		for _, flipped := range []byte{c ^ 1, c ^ 2} {
			damaged := slices.Clone(good)
			damaged[len(lines[0])+at] = flipped
			if _, err := trials.Resume(damaged, own, nil); !errors.Is(err, trials.ErrDamaged) || !strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), "remove that line") {
				t.Errorf("byte %d of %s, %c for %c: %v", at, lines[1], flipped, c, err)
			}
		}
	}
}

// TestDamaged: no line that is not a drive's is taken for one, and whoever reads is
// told which line and what to do.
func TestDamaged(t *testing.T) {
	own := trials.Program{Sum: "own"}
	good := driven(t, own)
	first, _, _ := bytes.Cut(good[bytes.IndexByte(good, '\n')+1:], []byte("\n"))
	first = unsealed(first) // what is wrong besides the sum is found in files without sums, too
	if j, err := trials.Resume(good, own, nil); err != nil || j.Len() != 52 {
		t.Fatalf("good drives: %v", err)
	}
	edited := func(old, instead string) string {
		line := regexp.MustCompile(old).ReplaceAllString(string(first), instead)
		if line == string(first) {
			t.Fatalf("no %s in %s", old, first)
		}
		return line
	}
	for line, says := range map[string]string{
		"rubbish":               "line 54: invalid character",
		"{}":                    "is missing",
		string(first) + "{":     "invalid character",
		`{"program":""}`:        "which program",
		`{"program":"a`:         "which program",
		string(first[:60]):      "invalid character",
		edited(`\{`, `{"x":1,`): `unknown field "x"`,
		`{"family":"room","profile":"P1","set":"test","seed":1,"pilot":"brain"}`: "is missing",
		edited(`"contacts":\d+`, `"contacts":-7`):                                "contacts -7 is below 0",
		edited(`"contacts":\d+,`, ""):                                            "contacts is missing",
		edited(`"seconds":\d+`, `"seconds":-5`):                                  "seconds -5 is below 0",
		edited(`"seconds":\d+`, `"seconds":1e9`):                                 "seconds 1e+09 is above",
		edited(`"coverage":[^,]*`, `"coverage":3`):                               "coverage 3 is above 1",
		edited(`"length_s":\d+`, `"length_s":0`):                                 "length_s",
		edited(`"profile":"P."`, `"profile":"P7"`):                               `profile "P7" is no drive's`,
		edited(`"set":"test"`, `"set":""`):                                       `set "" is no drive's`,
		edited(`"seed":\d+`, `"seed":0`):                                         `seed "0" is no drive's`,
		edited(`"task":"[a-z]*"`, `"task":"line","arrived_s":1`):                 "arrived_s",
		edited(`"task":"[a-z]*"`, `"task":""`):                                   `task "" is`,
	} {
		for how, read := range map[string]func() error{
			"resumed": func() error { _, err := trials.Resume(slices.Concat(good, []byte(line+"\n")), own, nil); return err },
			"renewed": func() error { _, _, err := trials.Renew(slices.Concat(good, []byte(line+"\n")), own, nil); return err },
		} {
			err := read()
			if !errors.Is(err, trials.ErrDamaged) || !strings.Contains(err.Error(), "line 54") || !strings.Contains(err.Error(), "remove ") || !strings.Contains(err.Error(), says) {
				t.Errorf("%s with %s: %v; want a word on %q", how, line, err, says)
			}
		}
	}
}

// TestRivals are all pilots but the brain and what is trained.
func TestRivals(t *testing.T) {
	for _, name := range append(pilots.Names(), "reactive", "vendor", "noise") {
		if _, ok := trials.Rival(name, testbench.Options{}); !ok {
			t.Errorf("%s is no rival", name)
		}
	}
	for _, name := range []string{"brain", "brain/argmax", "before", "mine.policy", ""} {
		if _, ok := trials.Rival(name, testbench.Options{}); ok {
			t.Errorf("%q is a rival", name)
		}
	}
	w := trials.World{Family: "room", Profile: plant.P0, Set: "train", Seed: 1}
	sc, m, err := w.Make()
	if err != nil {
		t.Fatal(err)
	}
	rival, _ := trials.Rival("vendor", testbench.Options{})
	got, err := rival.Drive(sc, 1, m)
	if err != nil {
		t.Fatal(err)
	}
	want, err := testbench.Run(sc, 1, testbench.Vendor, testbench.Options{Map: m})
	if err != nil || got.Trajectory != want.Trajectory || got.Oracle == nil {
		t.Errorf("the vendor's rule drives otherwise as a rival: %v", err)
	}
}
