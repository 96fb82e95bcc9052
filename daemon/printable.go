package daemon

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text as it may go to a terminal: a control character, an
// invalid byte or an invisible mark stands there as \u001b. Line ends and tabs
// stay. Inside the texts of a JSON document it changes the writing only.
func Printable(text string) string {
	clean := func(r rune) bool {
		return r == '\n' || r == '\t' || r != unicode.ReplacementChar && unicode.IsPrint(r)
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return !clean(r) }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case clean(r):
			b.WriteRune(r)
		case r > 0xffff:
			b.WriteRune(unicode.ReplacementChar)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Line is Printable for a text that stands in one line: its line ends and tabs are blanks.
func Line(text string) string {
	return Printable(strings.Join(strings.Fields(text), " "))
}

// A Plain passes on what a terminal may have of what is written to it; see Printable.
// Names of files, worlds and keys stand in what a command prints, and whoever made
// them chose them.
type Plain struct {
	w    io.Writer
	rest []byte // the beginning of a letter whose end is not written yet
}

// NewPlain returns a writer of printable text to w.
func NewPlain(w io.Writer) *Plain { return &Plain{w: w} }

// Write writes.
func (p *Plain) Write(text []byte) (int, error) {
	whole := append(p.rest, text...)
	end := len(whole)
	for back := 1; back < utf8.UTFMax && back <= len(whole); back++ {
		if tail := whole[len(whole)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				end = len(whole) - back
			}
			break
		}
	}
	_, err := io.WriteString(p.w, Printable(string(whole[:end])))
	p.rest = append(p.rest[:0], whole[end:]...)
	return len(text), err
}
