package daemon

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Complaint is one thing wrong with a configuration.
type Complaint struct {
	File   string `json:"file"`          // as given by the user, "flags" or "defaults"
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
	if c.Key != "" {
		fmt.Fprintf(&b, ": %s", c.Key)
	}
	fmt.Fprintf(&b, ": %s", c.Reason)
	if c.Remedy != "" {
		fmt.Fprintf(&b, " (%s)", c.Remedy)
	}
	return b.String()
}

// Complaints is everything wrong with one configuration, in the file's order.
type Complaints []Complaint

// Error returns one line per complaint.
func (cs Complaints) Error() string {
	lines := make([]string, len(cs))
	for i, c := range cs {
		lines[i] = c.String()
	}
	return strings.Join(lines, "\n")
}

// sorted orders by line and key, each complaint once per key.
func (cs Complaints) sorted() Complaints {
	slices.SortStableFunc(cs, func(a, b Complaint) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	return slices.CompactFunc(cs, func(a, b Complaint) bool {
		return a.Key != "" && a.Line == b.Line && a.Key == b.Key
	})
}

// nearest returns the candidate most like word, or "" when none is alike.
func nearest(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is Levenshtein's: how many bytes must be changed, added or removed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
