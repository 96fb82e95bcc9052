package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"fieldbrain/strict"
)

// complaint returns what is wrong with a command line: the parser's words where a reader
// understands them, else ours.
func complaint(err error) string {
	var wrong *kong.ParseError
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	if text := missing(wrong.Context); text != "" && strings.HasPrefix(err.Error(), `expected "<`) {
		return text
	}
	return plainer(suggest(wrong.Context, err))
}

// missing names the arguments that a command wants and did not get, explains each and
// shows the command with all of them; it returns nothing where none is missing.
func missing(at *kong.Context) string {
	command := at.Selected()
	if command == nil {
		return ""
	}
	given := map[*kong.Value]bool{}
	for _, step := range at.Path {
		given[step.Positional] = true
	}
	var names, lines []string
	shown := "fieldbrain " + command.Path()
	for _, v := range command.Positional {
		shown += " " + v.Tag.Get("example")
		if v.Required && !given[v] {
			name := strings.ToUpper(v.Name)
			names, lines = append(names, name), append(lines, fmt.Sprintf("\n  %s  %s", name, v.Help))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		names[0] += " is"
	default:
		names[len(names)-1] += " are"
	}
	return fmt.Sprintf("%s: %s missing%s\nSuch as: %s", command.Path(), strings.Join(names, " and "), strings.Join(lines, ""), shown)
}

// jargon is how the parser complains about a value, and what a reader can do with.
var jargon = []struct {
	theirs *regexp.Regexp
	ours   string
}{
	{regexp.MustCompile(`expected \w+ value but got "EOL" \(<EOL>\)`), "its value is missing"},
	{regexp.MustCompile(`expected a (?:float|valid \d+ bit float) but got ("[^"]*")(?: \(\w+\))?`), "wants a number, not $1"},
	{regexp.MustCompile(`expected a valid \d+ bit uint but got ("-\d+")(?: \(\w+\))?`), "wants a whole number that is not negative, not $1"},
	{regexp.MustCompile(`expected (?:an int|a valid \d+ bit u?int) but got ("\+?\d{19,}")(?: \(\w+\))?`), "wants a smaller whole number than $1"},
	{regexp.MustCompile(`expected (?:an int|a valid \d+ bit u?int) but got ("[^"]*")(?: \(\w+\))?`), "wants a whole number, not $1"},
	{regexp.MustCompile(`expected duration but got ("[^"]*").*`), "wants a length of time such as 90s or 10m30s, not $1"},
	{regexp.MustCompile(`bool value must be true, 1, yes, false, 0 or no but got`), "is set by its name alone; leave out"},
}

// plainer says in a reader's words what the parser says in those of its source.
func plainer(text string) string {
	for _, j := range jargon {
		text = j.theirs.ReplaceAllString(text, j.ours)
	}
	return text
}

// habits are words that people try first, and our words for them.
var habits = map[string]string{"start": "run", "drive": "run", "simulate": "sim", "stop": "estop", "man-page": "man"}

// suggest replaces the parser's suggestions for an unknown command: the nearest
// one only, and never a command that resets hardware for a word that merely
// looks like it.
func suggest(at *kong.Context, err error) string {
	const unknown = "unexpected argument "
	text, is := strings.CutPrefix(err.Error(), unknown)
	if !is { // a flag that was left out is no choice
		return strings.Replace(err.Error(), `must be one of "",`, "must be one of ", 1)
	}
	word, _, _ := strings.Cut(text, ", did you mean")
	node := at.Selected()
	if node == nil {
		node = at.Model.Node
	}
	var known []string
	for _, child := range node.Children {
		if !child.Hidden && (child.Name != "halt" || strings.HasPrefix("halt", word)) {
			known = append(known, child.Name)
		}
	}
	like := strict.Nearest(word, known)
	if other, is := habits[word]; is && node.Parent == nil {
		like = other
	}
	switch {
	case len(known) == 0:
		return unknown + word
	case like == "":
		return "unknown command " + word
	}
	return "unknown command " + word + ", did you mean " + like + "?"
}
