package strict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Complaint is one thing wrong with a file.
type Complaint struct {
	File   string `json:"file"`          // as given by the user
	Line   int    `json:"line"`          // from 1; 0 when the key stands nowhere in the file
	Key    string `json:"key,omitempty"` // "loop.period"
	Reason string `json:"reason"`        // what is wrong
	Remedy string `json:"remedy"`        // what to write instead
}

// String returns the complaint on one line, in the form editors jump to.
func (c Complaint) String() string {
	var b strings.Builder
	b.WriteString(c.File)
	if c.Line > 0 {
		fmt.Fprintf(&b, ":%d", c.Line)
	}
	for _, part := range []string{c.Key, Short(c.Reason)} {
		if part != "" && b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(part)
	}
	if c.Remedy != "" {
		fmt.Fprintf(&b, " (%s)", Short(c.Remedy))
	}
	return b.String()
}

// maxText is how much of a reason or a remedy a person gets, in bytes: what a wrong
// file holds may stand in it.
const maxText = 1000

// Short returns a text, or its beginning when it is too long for a person.
func Short(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "..."
}

// Complaints is everything wrong with one file, in the file's order.
type Complaints []Complaint

// Error returns one line per complaint.
func (cs Complaints) Error() string {
	lines := make([]string, len(cs))
	for i, c := range cs {
		lines[i] = c.String()
	}
	return strings.Join(lines, "\n")
}

// noLine is the line of a complaint that only says that there are more.
const noLine = math.MaxInt

// Place gives every complaint its file and line, orders them as the file does
// and keeps the first of each key, and MaxComplaints at most. It changes cs.
func (cs Complaints) Place(file string, lines Lines) Complaints {
	for i := range cs {
		cs[i].File = file
		if cs[i].Line == 0 {
			cs[i].Line = lines.Of(cs[i].Key)
		}
	}
	cs = cs.Sorted()
	more := len(cs) > MaxComplaints || len(cs) > 0 && cs[len(cs)-1].Line == noLine
	cs = slices.DeleteFunc(cs[:min(len(cs), MaxComplaints)], func(c Complaint) bool { return c.Line == noLine })
	if more && len(cs) > 0 {
		last := &cs[len(cs)-1]
		last.Remedy = strings.TrimPrefix(last.Remedy+"; "+stops, "; ")
	}
	return cs
}

// Sorted orders by line and key, each complaint once per key. It changes cs.
func (cs Complaints) Sorted() Complaints {
	slices.SortStableFunc(cs, func(a, b Complaint) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	return slices.CompactFunc(cs, func(a, b Complaint) bool {
		return a.Key != "" && a.Line == b.Line && a.Key == b.Key
	})
}
