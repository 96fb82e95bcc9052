package trials

import (
	"fmt"
	"slices"

	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// A World names one generated world: everything else follows from it.
type World struct {
	Family  string        `json:"family"`
	Profile plant.Profile `json:"profile"`
	Set     string        `json:"set"`
	Seed    uint64        `json:"seed"`
}

// A Pilot is one contestant. Drive drives a scenario with a seed to its end, held
// against the true map, and may be called by several goroutines at once.
type Pilot struct {
	Name  string
	Drive func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) (*testbench.Result, error)
}

// A Roster lists what is driven: every pilot drives every world of a family's turn.
// The worlds beyond it, which some goals ask for, are the judged pilot's alone, and
// count in their family only.
type Roster struct {
	Families []string        // of package family
	Profiles []plant.Profile // each with the same worlds
	Worlds   int             // of each profile, dealt to the families in turn
	Clutter  int             // of the family clutter, at least
	Tables   int             // of the family table, at least
	Scenes   bool            // and the built-in scenarios that a goal names
	Set      family.Set
	Pilots   []Pilot               // the first is judged
	Workers  int                   // drives at once, at least 1
	Progress func(done, total int) // counts the drives of this call, one call at a time; may be nil
}

// Families that have goals of their own.
const (
	clutter = "clutter"
	table   = "table"
)

// List returns the worlds of a roster, a profile's together, in a fixed order.
func (p *Roster) List() []World {
	var all []World
	for _, profile := range p.Profiles {
		for i, name := range p.Families {
			n := p.dealt(i)
			switch name {
			case clutter:
				n = max(n, p.Clutter)
			case table:
				n = max(n, p.Tables)
			}
			for seed := range n {
				all = append(all, World{name, profile, p.Set.String(), uint64(seed + 1)})
			}
		}
		for _, s := range scenes() {
			for seed := range s.seeds {
				if p.Scenes && s.profile == profile {
					all = append(all, World{s.name, profile, builtIn, uint64(seed + 1)})
				}
			}
		}
	}
	return all
}

// builtIn is the set of the built-in scenarios.
const builtIn = "built-in"

// drivers returns who drives a world.
func (p *Roster) drivers(w World) []Pilot {
	if p.extra(w) {
		return p.Pilots[:1]
	}
	return p.Pilots
}

// dealt returns how many worlds of a profile the i-th family gets.
func (p *Roster) dealt(i int) int {
	n := p.Worlds / len(p.Families)
	if i < p.Worlds%len(p.Families) {
		n++
	}
	return n
}

// extra reports whether a world is driven beyond its family's turn.
func (p *Roster) extra(w World) bool {
	return w.Set == builtIn || w.Seed > uint64(p.dealt(slices.Index(p.Families, w.Family)))
}

// Check refuses a roster that cannot be driven.
func (p *Roster) Check() error {
	switch {
	case len(p.Families) == 0 || len(p.Profiles) == 0 || len(p.Pilots) == 0:
		return fmt.Errorf("trials: a roster needs a family, a profile and a pilot")
	case p.Worlds < 1:
		return fmt.Errorf("trials: %d worlds: want at least one", p.Worlds)
	}
	for i, pilot := range p.Pilots {
		if slices.ContainsFunc(p.Pilots[:i], func(o Pilot) bool { return o.Name == pilot.Name }) {
			return fmt.Errorf("trials: pilot %s is named twice", pilot.Name)
		}
	}
	for i, name := range p.Families {
		if slices.Contains(p.Families[:i], name) {
			return fmt.Errorf("trials: family %s is named twice", name)
		}
		if family.Title(name) == "" {
			return fmt.Errorf("trials: family %q: unknown; there are %v", name, family.Names())
		}
	}
	return nil
}

// Make makes the world: the scenario and its true map.
func (w World) Make() (*scenarios.Scenario, *oracle.Map, error) {
	sc, err := w.scenario()
	if err != nil {
		return nil, nil, fmt.Errorf("trials: %w", err)
	}
	m, err := oracle.Survey(sc, w.Seed)
	if err != nil {
		return nil, nil, fmt.Errorf("trials: %v: %w", w, err)
	}
	return sc, m, nil
}

// scenario draws the world, or opens the built-in one.
func (w World) scenario() (*scenarios.Scenario, error) {
	if s, is := find(w.Family); is {
		return s.make()
	}
	name, set := w.Family, family.Test
	if w.Profile == plant.P0 {
		name += "-p0"
	}
	if w.Set == family.Train.String() {
		set = family.Train
	}
	return family.Make(name, set, w.Seed)
}

// String names the world for a person.
func (w World) String() string { return fmt.Sprintf("%s %s %s %d", w.Family, w.Profile, w.Set, w.Seed) }
