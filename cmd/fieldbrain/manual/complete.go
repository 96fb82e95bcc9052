package manual

import (
	"strings"

	"github.com/alecthomas/kong"
)

// A Candidate is a word that may stand next.
type Candidate struct {
	Word string
	Help string // one line, may be empty
}

// An Answer is everything that may stand next.
type Answer struct {
	Candidates []Candidate
	Files      bool // names of files, too
}

// Lines returns the answer as the shells' scripts read it: a candidate per line,
// its help behind a tab, and ":files" where files may stand.
func (a Answer) Lines() []string {
	lines := make([]string, 0, len(a.Candidates)+1)
	for _, c := range a.Candidates {
		lines = append(lines, c.Word+"\t"+c.Help)
	}
	if a.Files {
		lines = append(lines, ":files")
	}
	return lines
}

// Complete says what may stand in the place of the last word, which may be
// empty, behind the words before it; the program's own name is not among them.
// names returns the words of a kind. A flag or an argument names its kinds in its
// tag complete:"KIND,KIND", where the kind "file" stands for names of files; a
// placeholder FILE or PATH says the same.
func Complete(app *kong.Application, words []string, names func(kind string) []string) Answer {
	words = joined(words)
	if len(words) == 0 {
		words = []string{""}
	}
	c := completion{node: app.Node, names: names}
	for _, w := range words[:len(words)-1] {
		c.pass(w)
	}
	return c.answer(words[len(words)-1])
}

// joined puts words together that bash takes apart at an equals sign.
func joined(words []string) []string {
	var list []string
	for i := 0; i < len(words); i++ {
		last := len(list) - 1
		switch {
		case words[i] != "=" || last < 0 || !strings.HasPrefix(list[last], "--"):
			list = append(list, words[i])
		case i+1 < len(words):
			list[last] += "=" + words[i+1]
			i++
		default:
			list[last] += "="
		}
	}
	return list
}

// A completion is how far the words have led.
type completion struct {
	node       *kong.Node
	names      func(kind string) []string
	want       *kong.Flag // whose value comes next
	positional int        // arguments passed
	ended      bool       // by --
}

// pass takes a whole word.
func (c *completion) pass(word string) {
	switch {
	case c.want != nil:
		c.want = nil
	case c.ended:
		c.positional++
	case word == "--":
		c.ended = true
	case strings.HasPrefix(word, "-"):
		if f := c.flag(word); f != nil && !f.IsBool() && !strings.Contains(word, "=") {
			c.want = f
		}
	default:
		c.enter(word)
	}
}

// enter takes a command or an argument.
func (c *completion) enter(word string) {
	for _, child := range c.node.Children {
		if child.Type == kong.CommandNode && child.Name == word {
			c.node, c.positional = child, 0
			return
		}
	}
	c.positional++
}

// open returns the command whose arguments and flags may stand here: the one that a
// group means when no other is named.
func (c *completion) open() *kong.Node {
	if c.node.DefaultCmd != nil {
		return c.node.DefaultCmd
	}
	return c.node
}

// flag returns the flag of a word, with or without a value, or nil.
func (c *completion) flag(word string) *kong.Flag {
	name, _, _ := strings.Cut(word, "=")
	for _, group := range c.open().AllFlags(true) {
		for _, f := range group {
			if name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short) {
				return f
			}
		}
	}
	return nil
}

// answer lists what may stand in the place of the last word.
func (c *completion) answer(word string) Answer {
	if c.want != nil {
		return c.values(c.want.Value, "", word)
	}
	if name, value, is := strings.Cut(word, "="); is && strings.HasPrefix(word, "--") && !c.ended {
		if f := c.flag(name); f != nil {
			return c.values(f.Value, name+"=", value)
		}
		return Answer{}
	}
	if strings.HasPrefix(word, "-") && !c.ended {
		return c.flags(word)
	}
	var a Answer
	for _, child := range c.node.Children {
		if !child.Hidden {
			a.add(child.Name, child.Help, word)
		}
	}
	if open := c.open(); c.positional < len(open.Positional) {
		more := c.values(open.Positional[c.positional], "", word)
		a.Candidates, a.Files = append(a.Candidates, more.Candidates...), more.Files
	}
	return a
}

// flags lists the flags that begin like a word.
func (c *completion) flags(word string) (a Answer) {
	for _, group := range c.open().AllFlags(true) {
		for _, f := range group {
			a.add("--"+f.Name, f.Help, word)
		}
	}
	return a
}

// values lists the values of a flag or an argument that begin like a word.
func (c *completion) values(v *kong.Value, prefix, word string) (a Answer) {
	for _, choice := range v.EnumSlice() {
		if choice != "" {
			a.add(prefix+choice, "", prefix+word)
		}
	}
	for kind := range strings.SplitSeq(v.Tag.Get("complete"), ",") {
		if kind == "file" {
			a.Files = true
			continue
		}
		for _, name := range c.names(kind) {
			a.add(prefix+name, "", prefix+word)
		}
	}
	a.Files = a.Files || isFile(v)
	return a
}

// isFile reports whether the placeholder says that a value is the name of a file.
func isFile(v *kong.Value) bool {
	holder := v.Tag.PlaceHolder
	return holder == "FILE" || holder == "PATH"
}

// add enters a word that begins like another one.
func (a *Answer) add(word, help, like string) {
	if strings.HasPrefix(word, like) {
		a.Candidates = append(a.Candidates, Candidate{Word: word, Help: help})
	}
}
