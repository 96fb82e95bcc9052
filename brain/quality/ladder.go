package quality

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/field"
)

// A Rung is one row of the quality ladder: it says which parts of field and planner
// a tick runs, and how often. Reflexes, decisions, the displacement by the car's own
// motion and learning are in no rung: nothing may degrade them (B.11).
type Rung struct {
	Name  string
	Field field.Quality // update periods of the field's parts, ticks
	Plan  int           // share of the planner's rays, per tick and per pose, 1/Plan; 0: no plan is made
}

// NumRungs is how many rungs the ladder has; 0 is the best.
const NumRungs = 4

// The rungs that something besides a long tick leads to.
const (
	bestRung     = 0
	balancedRung = 1
	lastRung     = NumRungs - 1
)

// Ladder returns the rungs, best first. Each costs less than the one above it;
// `fieldbrain bench ladder` measures what each saves and loses. A part that a tick
// can leave out joins as a field of Rung and a value in each row; a row that saves
// nothing measurable has no place here.
func Ladder() [NumRungs]Rung {
	return [NumRungs]Rung{
		{"full", field.Full(), 1},
		{"balanced", slower(2, 8, 4), 4},
		{"sparse", slower(4, 8, 8), 0},
		{"survival", slower(8, 8, 8), 0},
	}
}

// slower returns full quality with the field's own parts updated every so many
// ticks, contexts half as often, and the best pattern alone recalled.
func slower(perception, traces, associative int) field.Quality {
	q := field.Full()
	q.Match, q.Recall = 2, 1
	q.Perception, q.Traces, q.Associative = perception, traces, associative
	return q
}

// Auto is the quality that lets the governor choose the rung.
const Auto = "auto"

// Names returns the qualities that people may choose: Auto, then every rung by its
// name, to stay on it.
func Names() []string {
	names := []string{Auto}
	for _, r := range Ladder() {
		names = append(names, r.Name)
	}
	return names
}

// Check returns why a quality is none of Names, or nil; an empty one is Auto.
func Check(quality string) error {
	_, _, err := rungsOf(quality)
	return err
}

// rungsOf returns the best and the worst rung that a quality allows.
func rungsOf(quality string) (best, worst int, err error) {
	names := Names()
	i := slices.Index(names, quality)
	switch {
	case quality == "":
		i = 0
	case i < 0:
		err = fmt.Errorf("quality %q is not known: choose one of %s", quality, strings.Join(names, ", "))
		return 0, 0, err
	}
	best, worst = span(i)
	return best, worst, nil
}

// span returns the best and the worst rung of a quality by its index in Names.
func span(quality int) (best, worst int) {
	if quality < 1 || quality > NumRungs {
		return bestRung, lastRung
	}
	return quality - 1, quality - 1
}
