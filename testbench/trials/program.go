package trials

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/testbench"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/pilots"
	"fieldbrain/testbench/scenarios"
)

// A Program says what drove; it is a line of a journal.
type Program struct {
	Sum      string `json:"program"`            // of the program's file, the settings and the policies: equal ones drive alike, to the bit
	Revision string `json:"revision,omitempty"` // that it was built from, for people
	Bench    string `json:"bench,omitempty"`    // sum of all that a rival's drive depends on; empty: nobody knows, and only Sum counts
}

// Rival returns a pilot of package pilots, whose drives depend on nothing outside
// this package and those it imports, besides o, of which Map is set for each world;
// ok is false for any other name.
func Rival(name string, o testbench.Options) (p Pilot, ok bool) {
	seat, ok := pilots.Named(name)
	return Pilot{Name: name, Drive: func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) (*testbench.Result, error) {
		o := o
		o.Map = m
		return testbench.Run(sc, seed, seat, o)
	}}, ok
}

// repeats reports whether the program would drive a pilot as an older one did.
func (p Program) repeats(old Program, pilot string) bool {
	if p.Sum == old.Sum {
		return true
	}
	_, rival := pilots.Named(pilot)
	return rival && p.Bench != "" && p.Bench == old.Bench
}

// String names the program for a person.
func (p Program) String() string {
	short := p.Sum[:min(len(p.Sum), 12)]
	if p.Revision == "" {
		return short
	}
	return fmt.Sprintf("%s (%s)", short, p.Revision)
}

// Older is what a report has from another program than the one that made it.
type Older struct {
	Program
	Pilots []string `json:"pilots"`
	Drives int      `json:"drives"`
}

// credit counts a drive for the program that drove it.
func (r *Report) credit(j *Journal, w World, pilot string) {
	p := j.program(w, pilot)
	if p.Sum == j.own.Sum {
		return
	}
	i := slices.IndexFunc(r.Older, func(o Older) bool { return o.Program == p })
	if i < 0 {
		i, r.Older = len(r.Older), append(r.Older, Older{Program: p})
	}
	o := &r.Older[i]
	o.Drives++
	if !slices.Contains(o.Pilots, pilot) {
		o.Pilots = append(o.Pilots, pilot)
	}
}

// older says what other programs drove, a sentence each.
func (r *Report) older(quote string) string {
	var b strings.Builder
	for _, o := range r.Older {
		quoted := quote + strings.Join(o.Pilots, quote+", "+quote) + quote
		fmt.Fprintf(&b, "%d of the drives, of %s, are kept from program %v, not driven by this one, %v: the code that such a drive depends on is compiled to the same bytes in both.\n", o.Drives, quoted, o.Program, r.by)
	}
	return b.String()
}
