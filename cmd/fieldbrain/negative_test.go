package main

import (
	"strings"
	"testing"
)

func TestNegativeNumbers(t *testing.T) {
	for _, c := range []struct{ why, line, want string }{
		{"an argument", "outcome -0.5", "outcome -- -0.5"},
		{"with a flag behind it", "outcome -.5 --socket x", "outcome --socket x -- -.5"},
		{"as it was told before", "outcome -- -0.5", "outcome -- -0.5"},
		{"a flag's value", "run --seconds -5 --arm", "run --seconds=-5 --arm"},
		{"a value in one word", "run --seconds=-5", "run --seconds=-5"},
		{"a value of both kinds", "x --a -1 -2", "x --a=-1 -- -2"},
		{"a value behind a whole flag", "x --a=1 -2", "x --a=1 -- -2"},
		{"behind both", "x -1 -- -2", "x -- -1 -2"},
		{"two, the first one negative", "go goal -1 2 --socket x", "go goal --socket x -- -1 2"},
		{"two around a flag", "go goal -1 --socket=x 2.5", "go goal --socket=x -- -1 2.5"},
		{"two, the second one negative", "go goal 1 -2", "go goal 1 -- -2"},
		{"a plain flag's value behind a number", "x -1 --a 5", "x --a 5 -- -1"},
		{"nothing else", "-1 2", "-- -1 2"},
		{"no number", "run -v --arm -x", "run -v --arm -x"},
	} {
		if got := strings.Join(negative(strings.Fields(c.line)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

func TestSuggestions(t *testing.T) {
	for line, want := range map[string]string{
		"hepl":          "unknown command hepl, did you mean help?",
		"hel":           "unknown command hel, did you mean help?",
		"halp":          "unknown command halp, did you mean help?",
		"hal":           "unknown command hal, did you mean halt?",
		"start":         "unknown command start, did you mean run?",
		"stop":          "unknown command stop, did you mean estop?",
		"statsu":        "unknown command statsu, did you mean status?",
		"xyzzyxyzzy":    "unknown command xyzzyxyzzy",
		"bench fields":  "unknown command fields, did you mean field?",
		"config halt":   "unknown command halt",
		"arm at-once":   "unexpected argument at-once",
		"run --sekonds": `unknown flag --sekonds, did you mean "--seconds"?`,
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
