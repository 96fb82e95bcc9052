package ablation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbrain/field"
)

// A Kind says what is taken away. The zero Kind is Neural.
type Kind string

// The kinds; the package comment explains them.
const (
	Neural    Kind = "neural"
	Attractor Kind = "attractor"
	Argmax    Kind = "argmax"
	LowPass   Kind = "lowpass"
	Point     Kind = "point"
	Forget    Kind = "forget"
)

// Kinds returns all of them, Neural first.
func Kinds() []Kind { return []Kind{Neural, Attractor, Argmax, LowPass, Point, Forget} }

// Parse returns the kind of a name; an empty one is Neural.
func Parse(name string) (Kind, error) {
	if name == "" {
		return Neural, nil
	}
	if k := Kind(name); slices.Contains(Kinds(), k) {
		return k, nil
	}
	return "", fmt.Errorf("field %q is not known: choose one of %s", name, Names())
}

// Names lists the kinds for people.
func Names() string {
	names := make([]string, 0, len(Kinds()))
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// forgetting is the time constant of the maps that Forget leaves: beams every 40 to
// 60 ms still make an obstacle, and a second later it is gone.
const forgetting = 300 * time.Millisecond

// Prepare changes the parameters of the field that a kind wants changed. The engine
// inside is built from them.
func (k Kind) Prepare(p *field.Params) {
	if k != Forget {
		return
	}
	for _, c := range [...]int{field.ObstMap, field.HazardMap} {
		p.Table[c].Decay = forgetting
	}
}

// Wrap returns the engine with the kind's part taken away; p are the parameters that
// it was built from. It owns the engine, which Neural returns as it is.
func (k Kind) Wrap(e field.Engine, p *field.Params) field.Engine {
	w := &Engine{Engine: e, kind: k, period: p.Period}
	switch k {
	case Attractor:
		w.decide = &attractor{key: p.Key}
	case Argmax:
		w.decide = argmax{}
	case LowPass:
		w.decide = &lowpass{
			off: float32(field.Alpha(p.Period, p.Table[field.Heading].Tau)),
			on:  float32(field.Alpha(p.Period, p.LineTau)),
		}
	case Point, Forget:
	default:
		return e
	}
	w.follow = float32(field.Alpha(p.Period, p.Table[field.HeadTrace].Tau))
	return w
}
