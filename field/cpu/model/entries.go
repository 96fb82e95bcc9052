package model

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/field"
)

// An Entry is one function of the report's source: some loops that a channel goes
// through for each of its rows.
type Entry struct {
	Name  string
	Line  string         // of C++, a macro of rows.h
	Loops map[string]int // how many loops of a name it has
	Reach int            // rows beyond the ends of a line that it reads
}

// Bins that the kernels of excitation and inhibition reach beyond a cell.
const (
	exciteReach  = 4
	inhibitReach = 8
)

// side is the number of cells of a row, lines and strips the groups of cells that an
// axis across the rows, and along them, takes a row in.
const (
	side   = field.Side
	lines  = side / 16
	strips = side / 8
)

// PerRow returns how often a loop of the entry runs for one row of 32 cells.
func (e *Entry) PerRow(loop string) float64 {
	switch loop {
	case "line read":
		return float64(lines*(side+2*e.Reach)) / side
	case "line weigh":
		return lines
	case "strip read", "strip weigh":
		return strips
	}
	return 1
}

// flag is a C++ bool.
func flag(b bool) string { return fmt.Sprint(b) }

// axis is the convolution along one loop.
func axis(loop int, first, last, excite, inhibit bool) Entry {
	kernels := map[[2]bool]string{{true, false}: "narrow", {false, true}: "wide", {true, true}: "both"}[[2]bool{excite, inhibit}]
	e := Entry{Reach: exciteReach, Loops: map[string]int{}}
	if inhibit {
		e.Reach = inhibitReach
	}
	e.Name = fmt.Sprintf("axis_%d", loop)
	if first {
		e.Name += "_first"
	}
	if loop < 2 {
		e.Loops["line read"], e.Loops["line weigh"] = 1, 1 // both kernels at once
	} else {
		last = true // it always is
		e.Loops["strip read"], e.Loops["strip ends"], e.Loops["strip weigh"] = 1, 1, 1
		if excite && inhibit {
			e.Loops["strip weigh"] = 2
		}
	}
	if last {
		e.Name += "_last"
	}
	e.Name += "_" + kernels
	e.Line = fmt.Sprintf("AXIS(%s, %d, %s, %s, %s, %s)", e.Name, loop, flag(first), flag(last), flag(excite), flag(inhibit))
	return e
}

// lateral is the interaction of a channel, as lateral.h does it: both kernels together
// along the first axis, one after the other along the rest.
func lateral(local [3]bool, inhibit bool) []Entry {
	var list []Entry
	left := 0
	for _, l := range local {
		if l {
			left++
		}
	}
	first := true
	for n, l := range local {
		if !l {
			continue
		}
		left--
		switch {
		case first:
			list = append(list, axis(n, true, left == 0, true, inhibit))
		default:
			list = append(list, axis(n, false, left == 0, true, false))
			if inhibit {
				list = append(list, axis(n, false, left == 0, false, true))
			}
		}
		first = false
	}
	return list
}

// axes names a mask.
func axes(m field.Mask) string {
	var b strings.Builder
	for _, a := range []struct {
		axis field.Mask
		name string
	}{{field.X, "x"}, {field.Y, "y"}, {field.Z, "z"}} {
		if m&a.axis != 0 {
			b.WriteString(a.name)
		}
	}
	if b.Len() == 0 {
		return "uniform"
	}
	return b.String()
}

// update is the update of a channel's rows, which are localised along some loops.
func update(ch *field.Channel, local [3]bool, k *field.Coef) []Entry {
	e := Entry{Name: "rows_" + axes(ch.Mask), Loops: map[string]int{"row": 1}}
	if local[0] && local[1] { // else their input is that of a plane, or of all planes
		e.Loops["input"] = 1
	}
	if ch.Mask != field.Uniform && !local[0] {
		e.Name += "_plane"
	}
	var parts []string
	add := func(wanted bool, word, part string) {
		if wanted {
			e.Name += "_" + word
			parts = append(parts, part)
		}
	}
	amari := ch.Regime.Kind == field.Amari
	add(amari, "amari", "SIGMOID | ACTIVE")
	add(!amari, "linear", "0")
	add(amari && k.Inhibit != 0, "inhibited", "INHIBITED")
	add(ch.Trace >= 0, "preshaped", "PRESHAPED")
	add(k.Noise != 0, "noisy", "NOISY")
	kind := map[bool]string{true: "AMARI", false: "LINEAR"}[amari]
	if k.Nu == 0 {
		e.Name += "_still"
	}
	e.Line = fmt.Sprintf("ROWS(%s, %s, %d, %s, %s, %s)",
		e.Name, kind, ch.Mask, flag(!local[0]), strings.Join(parts, " | "), flag(k.Nu != 0))
	return []Entry{e}
}

// simple is an entry whose only loop takes a row.
func simple(name, line string) Entry {
	return Entry{Name: name, Line: line, Loops: map[string]int{"row": 1}}
}

// Through returns what channel c goes through in a dense tick.
func Through(p *field.Params, k *field.Constants, c int) []Entry {
	ch, coef := &p.Table[c], &k.Coef[0][c]
	l := field.NewPlanesLayout(&p.Table, field.Dense)
	local := l.Storage[c].Local
	switch ch.Regime.Kind {
	case field.Memory:
		return []Entry{simple("trace_gated", "TRACE(trace_gated, true)")}
	case field.Leaky:
		return []Entry{simple("trace_average", "TRACE(trace_average, false)")}
	case field.Mapping:
		return []Entry{simple("map", "MAP(map)")}
	case field.Amari:
		return append(lateral(local, coef.Inhibit != 0), update(ch, local, coef)...)
	}
	return update(ch, local, coef)
}

// dense returns the constants of the default field in the dense step.
func dense() (*field.Params, *field.Constants) {
	p := field.Default()
	l := field.NewPlanesLayout(&p.Table, field.Dense)
	return &p, field.NewConstants(&p, &l)
}

// Entries returns every entry that a channel of the default table goes through, each
// once, by name.
func Entries() []Entry {
	p, k := dense()
	var list []Entry
	for c := range p.Table {
		for _, e := range Through(p, k, c) {
			if !slices.ContainsFunc(list, func(o Entry) bool { return o.Name == e.Name }) {
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Source returns the C++ text that the report compiles.
func Source() string {
	var b strings.Builder
	b.WriteString("#include \"rows.h\"\n")
	for _, e := range Entries() {
		b.WriteString(e.Line + "\n")
	}
	return b.String()
}
