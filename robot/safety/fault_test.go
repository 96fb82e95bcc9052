package safety_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/robot/safety"
)

var update = flag.Bool("update", false, "rewrite the entries of docs/faults.md from the fault table")

const docsPath = "../../docs/faults.md"

func TestFaultTable(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	names := map[string]bool{}
	faults := safety.Faults()
	if len(faults) != safety.NumCauses {
		t.Fatalf("%d faults, want %d", len(faults), safety.NumCauses)
	}
	for i, f := range faults {
		if f.Cause != 1<<i {
			t.Errorf("row %d (%s) is for cause %#x, want bit %d", i, f.Name, uint32(f.Cause), i)
		}
		if !kebab.MatchString(f.Name) || names[f.Name] {
			t.Errorf("row %d: name %q is taken or not lower case words joined by -", i, f.Name)
		}
		names[f.Name] = true
		if f.Level < safety.Limited || f.Level > safety.Latched {
			t.Errorf("%s: level %v forbids nothing", f.Name, f.Level)
		}
		if f.Rearm && !f.Blocks {
			t.Errorf("%s disarms, so it must block arming while it holds", f.Name)
		}
		if f.Level == safety.Latched && !f.Rearm {
			t.Errorf("%s latches, so it must disarm", f.Name)
		}
		for _, text := range []string{f.Trigger, f.Action, f.Ends, f.Remedy} {
			if text == "" {
				t.Errorf("%s: a column is empty", f.Name)
			}
		}
		if got := f.Cause.String(); got != f.Name {
			t.Errorf("String() = %q, want %q", got, f.Name)
		}
	}
}

// TestWorstCauseWins goes through every set of causes.
func TestWorstCauseWins(t *testing.T) {
	faults := safety.Faults()
	const all = 1<<safety.NumCauses - 1
	worst := make([]safety.Level, all+1)
	for c := 1; c <= all; c++ {
		top := 0
		for c>>(top+1) != 0 {
			top++
		}
		worst[c] = max(worst[c&^(1<<top)], faults[top].Level)
		if got := safety.Causes(c).Level(); got != worst[c] {
			t.Fatalf("level of %v is %v, want %v", safety.Causes(c), got, worst[c])
		}
	}
	for _, none := range []safety.Causes{0, 1 << safety.NumCauses, 1 << 31} {
		if got := none.Level(); got != safety.Normal {
			t.Errorf("level of no cause (%#x) is %v", uint32(none), got)
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		name string
		got  fmt.Stringer
		want string
	}{
		{"no cause", safety.Causes(0), "none"},
		{"two causes in table order", safety.Obstacle | safety.EStop, "e-stop,obstacle"},
		{"level", safety.Hold, "HOLD"},
		{"impossible level", safety.Level(99), "unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.got.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// An entry is what docs/faults.md says about one fault, by line label.
type entry map[string]string

// fromTable renders the table as the entries that docs/faults.md must have.
func fromTable(t *testing.T) (names []string, entries map[string]entry) {
	yes := map[bool]string{true: "yes", false: "no"}
	entries = map[string]entry{}
	for _, f := range safety.Faults() {
		var settings []string
		for _, key := range strings.Fields(f.Settings) {
			v := reflect.ValueOf(safety.Default())
			for part := range strings.SplitSeq(key, ".") {
				if v = v.FieldByName(part); !v.IsValid() {
					t.Fatalf("%s names the setting %s, which Params has not", f.Name, key)
				}
			}
			settings = append(settings, fmt.Sprintf("`%s` = %v", key, v.Interface()))
		}
		if settings == nil {
			settings = []string{"none"}
		}
		names = append(names, f.Name)
		entries[f.Name] = entry{
			"Means": f.Means, "Level": f.Level.String(), "Disarms": yes[f.Rearm], "Blocks arming": yes[f.Blocks],
			"Trigger": f.Trigger, "Setting": strings.Join(settings, ", "),
			"Action": f.Action, "Ends": f.Ends, "Remedy": f.Remedy,
		}
	}
	return names, entries
}

// TestDocs parses docs/faults.md and compares it with the table.
func TestDocs(t *testing.T) {
	names, want := fromTable(t)
	text, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "\n## ")
	if *update {
		var b strings.Builder
		b.WriteString(head)
		for _, name := range names {
			fmt.Fprintf(&b, "\n## %s\n\n", name)
			for _, label := range []string{"Means", "Level", "Disarms", "Blocks arming", "Trigger", "Setting", "Action", "Ends", "Remedy"} {
				fmt.Fprintf(&b, "- %s: %s\n", label, want[name][label])
			}
		}
		if err := os.WriteFile(docsPath, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		text = []byte(b.String())
	}
	var order []string
	got := map[string]entry{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			order = append(order, name)
			got[name] = entry{}
		} else if item, ok := strings.CutPrefix(line, "- "); ok && len(order) > 0 {
			label, value, _ := strings.Cut(item, ": ")
			got[order[len(order)-1]][label] = value
		}
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("docs/faults.md differs from the fault table (got - want +), run with -update:\n%s", diff)
	}
	if diff := cmp.Diff(order, names); diff != "" {
		t.Errorf("docs/faults.md has another order (got - want +):\n%s", diff)
	}
}

// TestPackageComment compares the table in doc.go with the constant one.
func TestPackageComment(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	flat := strings.Join(strings.Fields(strings.ReplaceAll(string(source), "//", " ")), " ")
	for _, f := range safety.Faults() {
		want := fmt.Sprintf("%s %v noticed: %s does: %s until: %s", f.Name, f.Level, f.Trigger, f.Action, f.Ends)
		if !strings.Contains(flat, want) {
			t.Errorf("doc.go lacks the entry: %s", want)
		}
	}
}

// TestEachFault: it goes through the same table, and makes no copy.
func TestEachFault(t *testing.T) {
	if !slices.Equal(slices.Collect(safety.EachFault()), safety.Faults()) {
		t.Error("another table")
	}
	var all safety.Causes
	if n := testing.AllocsPerRun(10, func() {
		for f := range safety.EachFault() {
			all |= f.Cause
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
