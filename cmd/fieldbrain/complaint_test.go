package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"fieldbrain/daemon/config"
)

// TestComplaints: what the parser says in words of its source we say in a reader's.
func TestComplaints(t *testing.T) {
	for line, want := range map[string]string{
		"go goal 1":                        "go goal: Y is missing\n  Y  Metres to the left; negative to the right.\nSuch as: fieldbrain go goal 1.2 -0.4",
		"outcome":                          "outcome: VALUE is missing\n  VALUE  good, bad, or a number from -1 (bad) to 1 (good).\nSuch as: fieldbrain outcome good",
		"tune --seed=-1":                   `--seed: wants a whole number that is not negative, not "-1"`,
		"sim --seed x":                     `--seed: wants a whole number, not "x"`,
		"sim --seed 9223372036854775808":   `--seed: wants a smaller whole number than "9223372036854775808"`,
		"tune --seed 99999999999999999999": `--seed: wants a smaller whole number than "99999999999999999999"`,
		"sim --seed":                       "--seed: its value is missing",
		"sim --seed 0x10":                  `--seed: wants a whole number, not "0x10"`,
		"sim --seconds long":               `--seconds: wants a number, not "long"`,
		"replay x --from 5":                `--from: wants a length of time such as 90s or 10m30s, not "5"`,
		"run --arm=perhaps":                `--arm: is set by its name alone; leave out "perhaps"`,
		"run --engine quantum":             `--engine must be one of "auto","cuda","avx512","avx2","sse","neon","purego" but got "quantum"`,
		"sim --seconds 5 extra":            "unexpected argument extra",
	} {
		_, err := newParser(&env{}).Parse(strings.Fields(line))
		if err == nil {
			t.Errorf("%s: parsed", line)
			continue
		}
		if got := complaint(err); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestDecimal: zeros before a number change nothing, whatever its kind.
func TestDecimal(t *testing.T) {
	for _, line := range []string{"run --seed 010", "sim --seed 010", "tune --seed 010", "sim --seed=08 --seed=010"} {
		context, err := newParser(&env{}).Parse(strings.Fields(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		for _, flag := range context.Flags() {
			if got := fmt.Sprint(reflect.Indirect(flag.Target)); flag.Name == "seed" && got != "10" {
				t.Errorf("%s: the seed is %s", line, got)
			}
		}
	}
}

// TestReport: what is wrong with values is told with the file that they are of.
func TestReport(t *testing.T) {
	inside := config.Complaints{{Key: "law.comfort", Reason: "0.1 is out of range", Remedy: "choose more"}}
	placed := config.Complaints{{File: "f.toml", Line: 3, Key: "law.comfort", Reason: "0.1 is out of range", Remedy: "choose more"}}
	for want, err := range map[string]error{
		"fieldbrain: a.mcap: setup: law.comfort: 0.1 is out of range (choose more)\n": fmt.Errorf("a.mcap: setup: %w", inside),
		"f.toml:3: law.comfort: 0.1 is out of range (choose more)\n":                  fmt.Errorf("anything: %w", placed),
	} {
		var b strings.Builder
		if code := report(&env{err: &b}, err); code != exitUsage || b.String() != want {
			t.Errorf("code %d and %q, want %q", code, b.String(), want)
		}
	}
}

// TestExamples: every argument that a command wants has an example, and the examples
// together are a command line that is accepted.
func TestExamples(t *testing.T) {
	parser := newParser(&env{})
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, child := range n.Children {
			walk(child)
		}
		if n.Hidden || len(n.Positional) == 0 || !n.Positional[0].Required {
			return
		}
		line := n.Path()
		for _, v := range n.Positional {
			if v.Required && v.Tag.Get("example") == "" {
				t.Errorf("%s: no example of its argument %s", n.Path(), v.Name)
			}
			line += " " + v.Tag.Get("example")
		}
		if _, err := newParser(&env{}).Parse(negative(strings.Fields(line))); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	walk(parser.Model.Node)
}
