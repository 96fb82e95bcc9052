package memory

import (
	"fmt"
	"hash/fnv"

	"fieldbrain/field"
)

// Shape hashes what gives a saved number its meaning: every channel's name,
// axes, kind and source, and the sizes of predictor and library. Files of
// another shape are foreign.
func Shape(p *field.Params) uint64 {
	h := fnv.New64a()
	for c := range p.Table {
		ch := &p.Table[c]
		fmt.Fprintln(h, c, ch.Name, ch.Mask, ch.Regime.Kind, ch.Egocentric, ch.Source, ch.Trace)
	}
	fmt.Fprintln(h, field.NumSenses, field.Regressors, field.PredictorCells, field.LibraryCells, field.MaxPatterns)
	return h.Sum64()
}

// Constants hashes every other constant of the dynamics, period and key left
// out. Other constants move the same field differently from here on.
func Constants(p *field.Params) uint64 {
	rest := *p
	rest.Period, rest.Key = 0, 0
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", rest)
	return h.Sum64()
}

// Text hashes a text, for Header.Calibration.
func Text(text []byte) uint64 {
	h := fnv.New64a()
	h.Write(text)
	return h.Sum64()
}

// A Fit says how a saved brain suits a running one.
type Fit struct {
	Learned bool     // the predictor suits it too
	Notes   []string // differences that do no harm, for people
}

// Fit compares a file with the brain that is about to go on with it, or returns an
// error that wraps ErrForeign where that is impossible. With another calibration
// the same duty gives other readings, so that the predictor begins anew; bearings,
// ranges and speeds are SI and stay.
func (h *Header) Fit(running *Header) (Fit, error) {
	switch {
	case h.Body != running.Body:
		return Fit{}, fmt.Errorf("memory: %w: it was saved by body %q, this one is %q: a brain changes its body only by hand", ErrForeign, h.Body, running.Body)
	case h.Shape != running.Shape:
		return Fit{}, fmt.Errorf("memory: %w: its channels have the shape %#016x, this program's %#016x (saved by %s): use that program", ErrForeign, h.Shape, running.Shape, h.Program)
	}
	fit := Fit{Learned: h.Calibration == running.Calibration}
	note := func(format string, args ...any) { fit.Notes = append(fit.Notes, fmt.Sprintf(format, args...)) }
	if !fit.Learned {
		note("the calibration changed: what was learned of the senses begins anew")
	}
	if h.Constants != running.Constants {
		note("the field's constants changed")
	}
	if h.Period != running.Period {
		note("the period was %v", h.Period)
	}
	if h.Key != running.Key {
		note("the seed was %d", h.Key)
	}
	if h.Mixed {
		note("taken of the standby while the graphics card stepped: up to a second old, channel by channel")
	}
	return fit, nil
}
