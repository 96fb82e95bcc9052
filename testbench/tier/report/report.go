package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"fieldbrain/testbench/tier"
)

// An event is one line of go test -json (go doc test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Elapsed float64 // s
	Output  string
}

// An id names a test, or a package where name is empty.
type id struct{ pkg, name string }

// A test holds what the report knows of one so far.
type test struct {
	output  []string
	left    []omission
	ended   string // pass, fail or skip
	elapsed float64
}

// An omission is something that a run left out.
type omission struct {
	id
	why  string
	tier bool // another tier runs it
}

// A report gathers events.
type report struct {
	out    io.Writer
	tests  map[id]*test
	left   []omission
	passed int // packages
	failed int
}

// line takes one line, and prints one that is no event as it is.
func (r *report) line(text []byte) {
	var e event
	if err := json.Unmarshal(text, &e); err != nil || e.Action == "" {
		fmt.Fprintf(r.out, "%s\n", text)
		return
	}
	if e.Action == "build-output" {
		fmt.Fprint(r.out, e.Output)
		return
	}
	key := id{e.Package, e.Test}
	t := r.tests[key]
	if t == nil {
		t = new(test)
		r.tests[key] = t
	}
	switch e.Action {
	case "output":
		r.output(key, t, e.Output)
	case "pass", "fail", "skip":
		t.ended, t.elapsed = e.Action, e.Elapsed
		r.end(key, t)
	}
}

// where begins a line that a test logs: its file and line.
var where = regexp.MustCompile(`^\s*\w+_test\.go:\d+: `)

// output keeps a line, prints a package's result, and notes what a tier leaves
// out of a test that runs.
func (r *report) output(key id, t *test, line string) {
	if key.name == "" {
		if strings.HasPrefix(line, "ok  \t") {
			fmt.Fprint(r.out, line)
		}
	} else if why, is := strings.CutPrefix(where.ReplaceAllString(line, ""), tier.Mark); is {
		t.left = append(t.left, omission{key, strings.TrimSpace(why), true})
	}
	t.output = append(t.output, line)
}

// end prints a test that failed, notes one that skipped itself, and drops the
// output.
func (r *report) end(key id, t *test) {
	switch {
	case t.ended == "fail":
		if key.name == "" {
			r.failed++
			r.printUnended(key.pkg)
		}
		r.print(t)
	case t.ended == "pass" && key.name == "":
		r.passed++
	case t.ended == "skip" && key.name != "" && len(t.left) == 0: // no tier's matter
		t.left = []omission{{key, reason(t.output), false}}
	}
	r.left = append(r.left, t.left...)
	t.output, t.left = nil, nil
}

// printUnended prints the tests that a crash or a time limit cut off.
func (r *report) printUnended(pkg string) {
	for _, key := range slices.SortedFunc(maps.Keys(r.tests), byName) {
		if t := r.tests[key]; key.pkg == pkg && key.name != "" && t.ended == "" {
			r.print(t)
		}
	}
}

// noise matches what go test -v says of a test's course.
var noise = regexp.MustCompile(`^=== (RUN|PAUSE|CONT|NAME) `)

func (r *report) print(t *test) {
	for _, line := range t.output {
		if !noise.MatchString(line) {
			fmt.Fprint(r.out, line)
		}
	}
}

// reason returns why a test skipped itself: the words that it logged.
func reason(output []string) string {
	var words []string
	for _, line := range output {
		if !noise.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "--- SKIP") {
			words = append(words, strings.TrimSpace(where.ReplaceAllString(line, "")))
		}
	}
	return strings.Join(words, " ")
}

func byName(a, b id) int { return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name)) }

// short is a package's name without the module's.
func short(pkg string) string { return strings.TrimPrefix(pkg, module()+"/") }

// module is this module's path, which make rename changes.
func module() string {
	info, _ := debug.ReadBuildInfo()
	return info.Main.Path
}

// printDearest lists the top-level tests that took longest.
func (r *report) printDearest(n int) {
	if n == 0 {
		return
	}
	var keys []id
	for key := range r.tests {
		if key.name != "" && !strings.Contains(key.name, "/") {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b id) int {
		return cmp.Or(cmp.Compare(r.tests[b].elapsed, r.tests[a].elapsed), byName(a, b))
	})
	fmt.Fprintf(r.out, "\nthe dearest tests:\n")
	for _, key := range keys[:min(n, len(keys))] {
		fmt.Fprintf(r.out, "%8.1f s  %s %s\n", r.tests[key].elapsed, short(key.pkg), key.name)
	}
}

// without adds whole packages to what did not run.
func (r *report) without(pkgs, why string) {
	for _, pkg := range strings.Fields(pkgs) {
		r.left = append(r.left, omission{id: id{pkg: strings.TrimPrefix(pkg, "./")}, why: why})
	}
}

// printLeftOut lists what did not run, with the reason.
func (r *report) printLeftOut() {
	if len(r.left) == 0 {
		return
	}
	slices.SortFunc(r.left, func(a, b omission) int { return cmp.Or(byName(a.id, b.id), cmp.Compare(a.why, b.why)) })
	fmt.Fprintf(r.out, "\n%d omissions; with a C compiler, make test-all leaves out none that this machine can run:\n", len(r.left))
	for _, o := range r.left {
		fmt.Fprintf(r.out, "  %s: %s\n", strings.TrimSpace(short(o.pkg)+" "+o.name), o.why)
	}
}

// again returns the arguments of go test that run what a tier left out: the
// packages and the top-level tests.
func (r *report) again() string {
	pkgs, names := map[string]bool{}, map[string]bool{}
	for _, o := range r.left {
		if o.tier {
			name, _, _ := strings.Cut(o.name, "/")
			pkgs[o.pkg], names[name] = true, true
		}
	}
	if len(names) == 0 {
		return "-run ^$ ./..."
	}
	return fmt.Sprintf("-run ^(%s)$ %s", strings.Join(slices.Sorted(maps.Keys(names)), "|"), strings.Join(slices.Sorted(maps.Keys(pkgs)), " "))
}

func (r *report) printResult() {
	fmt.Fprintf(r.out, "\n%d packages passed, %d failed\n", r.passed, r.failed)
}

// good says whether something was tested and nothing failed.
func (r *report) good() bool { return r.failed == 0 && r.passed > 0 }
