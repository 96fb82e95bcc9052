package manual

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// A Section is a part of the page that the model does not hold. Paragraphs are
// separated by empty lines; a line that begins with a tab is an entry, whose
// first word is set apart.
type Section struct {
	Title string
	Text  string
}

// Parts are what a page says that the model lacks.
type Parts struct {
	Title    string // short, behind the name: "drives a robot car"
	Version  string // of the program
	Sections []Section
}

// Page returns the man page of section 1 as roff: every command that is not
// hidden, with all its arguments and flags, in the words of the help.
func Page(app *kong.Application, s Parts) string {
	var w strings.Builder
	fmt.Fprintf(&w, ".TH %s 1 \"\" \"%s %s\"\n", strings.ToUpper(app.Name), app.Name, escape(s.Version))
	fmt.Fprintf(&w, ".SH NAME\n%s \\- %s\n", app.Name, escape(s.Title))
	fmt.Fprintf(&w, ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIOPTION\\fR ...]\n", app.Name)
	w.WriteString(".SH DESCRIPTION\n")
	paragraphs(&w, app.Help)
	w.WriteString(".SH OPTIONS\n")
	flags(&w, app.Flags)
	w.WriteString(".SH COMMANDS\n")
	for _, leaf := range app.Leaves(true) {
		command(&w, leaf)
	}
	for _, part := range s.Sections {
		fmt.Fprintf(&w, ".SH %s\n", escape(strings.ToUpper(part.Title)))
		paragraphs(&w, part.Text)
	}
	return w.String()
}

// command writes one command.
func command(w *strings.Builder, n *kong.Node) {
	fmt.Fprintf(w, ".SS %s", escape(n.Path()))
	for _, p := range n.Positional {
		fmt.Fprintf(w, " %s", escape(p.Summary()))
	}
	w.WriteString("\n")
	paragraphs(w, n.Help)
	if n.Detail != "" {
		w.WriteString(".PP\n")
		paragraphs(w, n.Detail)
	}
	for _, p := range n.Positional {
		entry(w, escape(p.Summary()), p.Help)
	}
	flags(w, n.Flags)
}

// flags writes flags that are not hidden.
func flags(w *strings.Builder, list []*kong.Flag) {
	for _, f := range list {
		if f.Hidden {
			continue
		}
		entry(w, escape(f.String()), f.Help+choices(f))
	}
}

// choices lists the values that a flag takes, unless its help names them.
func choices(f *kong.Flag) string {
	var list []string
	told := true
	for _, choice := range f.EnumSlice() {
		if choice != "" {
			list = append(list, choice)
			told = told && strings.Contains(f.Help, choice)
		}
	}
	if told {
		return ""
	}
	return " One of: " + strings.Join(list, ", ") + "."
}

// entry writes a tagged paragraph. The tag is roff already.
func entry(w *strings.Builder, tag, text string) {
	fmt.Fprintf(w, ".TP\n\\fB%s\\fR\n%s\n", tag, line(text))
}

// paragraphs writes a text.
func paragraphs(w *strings.Builder, text string) {
	for i, p := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			w.WriteString(".PP\n")
		}
		for l := range strings.SplitSeq(p, "\n") {
			if tag, rest, is := strings.Cut(strings.TrimPrefix(l, "\t"), "\t"); is && strings.HasPrefix(l, "\t") {
				entry(w, escape(tag), rest)
				continue
			}
			w.WriteString(line(l) + "\n")
		}
	}
}

// line escapes a line of text, which must not look like a request.
func line(text string) string {
	text = escape(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// escape writes text as roff: a backslash and a hyphen stand for themselves.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
}
