package strict_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/strict"
)

// A garden is a document with every kind of value.
type garden struct {
	Name  string     `toml:"name"`
	Size  float64    `toml:"size"`
	Since time.Time  `toml:"since"`
	Open  bool       `toml:"open"`
	At    [2]float64 `toml:"at"`
	Words []string   `toml:"words"`
	Notes []string   `toml:"notes"`
	Gate  gate       `toml:"gate"`
	Bed   struct {
		Rows int `toml:"rows"`
	} `toml:"bed"`
	Trees []struct {
		Kind string `toml:"kind"`
		Age  int    `toml:"age"`
	} `toml:"tree"`
}

// A gate refuses what is neither word.
type gate bool

func (l *gate) UnmarshalText(text []byte) error {
	if s := string(text); s != "open" && s != "shut" {
		return fmt.Errorf("%q is neither open nor shut", s)
	}
	*l = string(text) == "open"
	return nil
}

func (l gate) MarshalText() ([]byte, error) { return []byte("open"), nil }

func form() *strict.Form {
	example := garden{Size: 1, Words: []string{"a"}, Notes: []string{"a note"}}
	example.Trees = append(example.Trees, struct {
		Kind string `toml:"kind"`
		Age  int    `toml:"age"`
	}{"oak", 1})
	f := strict.NewForm(example)
	f.Choices = map[string][]string{"tree.*.kind": {"oak", "elm"}, "words.*": {"a", "b"}}
	f.Renamed = map[string]string{"bed.lines": "rows", "tree.*.years": "age"}
	return f
}

func TestDecode(t *testing.T) {
	text := `name = "Eden"
size = 3
at = [1, 2.5]
words = ["a", "b"]
gate = "shut"
bed.rows = 4
[[tree]]
kind = "elm"
age = 9
`
	var got garden
	if _, cs := form().Decode([]byte(text), &got); len(cs) > 0 {
		t.Fatal(cs)
	}
	if got.Name != "Eden" || got.Size != 3 || got.At != [2]float64{1, 2.5} || got.Bed.Rows != 4 || got.Trees[0].Age != 9 {
		t.Errorf("%+v", got)
	}
}

// Every mistake is named, and what is right beside it is decoded.
func TestComplaints(t *testing.T) {
	text := `name = 3
sise = 2
at = [1]
words = ["a", "c", 1]
gate = "ajar"
open = true

[bed]
lines = 2

[[tree]]
kind = "fir"
age = 1.5
[[tree]]
kind = "oak"
years = 3
[pond]
deep = true
`
	var got garden
	lines, cs := form().Decode([]byte(text), &got)
	want := []string{
		`g.toml:1: name: is a whole number, want a text (write it like name = '')`,
		`g.toml:2: sise: no such key (did you mean size?)`,
		`g.toml:3: at: has 1 numbers, want 2 (write it like at = [0.0, 0.0])`,
		`g.toml:4: words.1: "c" is not known (choose one of a, b)`,
		`g.toml:4: words.2: is a whole number, want a text (choose one of "a", "b", with the quotes)`,
		`g.toml:5: gate: "ajar" is neither open nor shut (write it like gate = 'open')`,
		`g.toml:9: bed.lines: is called rows now (write rows)`,
		`g.toml:12: tree.0.kind: "fir" is not known (choose one of oak, elm)`,
		`g.toml:13: tree.0.age: is a number, want a whole number (write it like age = 1)`,
		`g.toml:16: tree.1.years: is called age now (write age)`,
		`g.toml:17: pond: no such section (known: at, bed, gate, name, notes, open, since, size, tree, words)`,
	}
	if diff := cmp.Diff(want, strings.Split(cs.Place("g.toml", lines).Error(), "\n")); diff != "" {
		t.Errorf("complaints:\n%s", diff)
	}
	lines, cs = form().Decode([]byte("notes = [1, 'two']\nat = ['here', 2]\n"), &got)
	want = []string{
		"g.toml:1: notes: holds a whole number, want a text (write it like notes = ['a note'])",
		"g.toml:2: at: holds a text, want a number (write it like at = [0.0, 0.0])",
	}
	if diff := cmp.Diff(want, strings.Split(cs.Place("g.toml", lines).Error(), "\n")); diff != "" {
		t.Errorf("complaints about what is in a list:\n%s", diff)
	}
	if !got.Open || len(got.Trees) != 2 || got.Trees[1].Kind != "oak" {
		t.Errorf("what is right was lost: %+v", got)
	}
}

// A file that nobody wrote by hand must cost no more than a moment.
func TestHostile(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"deep key":    "[a" + strings.Repeat(".a", n) + "]\n",
		"deep list":   "a = " + strings.Repeat("[", n) + strings.Repeat("]", n),
		"deep tables": "a = " + strings.Repeat("{a=", n) + "1" + strings.Repeat("}", n),
		"many tables": strings.Repeat("[[tree]]\n", n/3),
		"zeros":       strings.Repeat("\x00", n),
		"too large":   strings.Repeat("#\n", strict.MaxSize),
	} {
		var got garden
		if _, cs := form().Decode([]byte(text), &got); len(cs) == 0 && name != "many tables" {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestLines(t *testing.T) {
	lines := strict.Locate([]byte("a.b = 1\n[c]\n\nd = {e = 1,\n f = 2}\n[[g]]\nh = 1\n[[g]]\n[[g.i]]\n[g.i.j]\nk = [\n1,\n]\nl = [{m = 1},\n{m = 2}]\n"))
	for key, want := range map[string]int{
		"a": 1, "a.b": 1, "c": 2, "c.d": 4, "c.d.e": 4, "c.d.f": 5, "c.d.none": 4, "g.0": 6, "g.0.h": 7, "g.1": 8,
		"g.1.i.0.j.k": 11, "g.1.i.0.j.l.0.m": 14, "g.1.i.0.j.l.1.m": 15, "none": 0, "": 0,
	} {
		if got := lines.Of(key); got != want {
			t.Errorf("%q stands in line %d, want %d", key, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := strict.Read(filepath.Join(dir, "none"), "f.toml"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	var cs strict.Complaints
	if _, err := strict.Read(dir, "f.toml"); !errors.As(err, &cs) || cs[0].Reason != "is a directory" {
		t.Errorf("a folder: %v", err)
	}
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, []byte("x = 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := strict.Read(file, "f.toml"); err != nil || string(text) != "x = 1" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestReadNowhere: a name that leads to no file is something to mend, not a disk that failed.
func TestReadNowhere(t *testing.T) {
	dir := t.TempDir()
	file, loop := filepath.Join(dir, "f"), filepath.Join(dir, "loop")
	if err := errors.Join(os.WriteFile(file, nil, 0o644), os.Symlink(loop, loop)); err != nil {
		t.Fatal(err)
	}
	for path, reason := range map[string]string{
		loop:                       "is a symbolic link that leads to itself",
		filepath.Join(file, "f"):   "leads through something that is no folder",
		strings.Repeat("long", 99): "is longer than a file's name may be",
	} {
		var cs strict.Complaints
		if _, err := strict.Read(path, "f.toml"); !errors.As(err, &cs) || cs[0].Reason != reason || cs[0].File != path {
			t.Errorf("%.40s: %v, want %s", path, err, reason)
		}
	}
}

func Example() {
	type settings struct {
		Speed float64 `toml:"speed"`
		Mode  string  `toml:"mode"`
	}
	form := strict.NewForm(settings{Speed: 1, Mode: "slow"})
	form.Choices = map[string][]string{"mode": {"slow", "fast"}}

	var got settings
	lines, complaints := form.Decode([]byte("sped = 2\nmode = \"fats\"\n"), &got)
	fmt.Println(complaints.Place("my.toml", lines).Error())
	// Output:
	// my.toml:1: sped: no such key (did you mean speed?)
	// my.toml:2: mode: "fats" is not known (choose one of slow, fast)
}
