package family

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/strict"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// A Set is one of two halves of every family that have no member in common.
type Set uint8

// The sets. What is tuned, is tuned on Train; Test is for judging.
const (
	Train Set = iota
	Test
)

// String returns train or test.
func (s Set) String() string {
	if s == Test {
		return "test"
	}
	return "train"
}

// oneBeam ends the name of a family for a car with the front sonar only.
const oneBeam = "-p0"

// tries is how often a member is drawn until it can be driven.
const tries = 64

// A kind is a family: a name, a line for a person, and how a member is drawn.
type kind struct {
	name, title string
	draw        func(d *draft)
}

// kinds are the families, in the order in which a list shows them.
var kinds = [...]kind{
	{"room", "Room with 4 to 8 discs", drawRoom},
	{"legs", "Tables and chairs on legs 2 cm thick", drawLegs},
	{"hall", "Hall of 10 x 8 m with up to 4 discs: more free floor than a sonar hears", drawHall},
	{"corridor", "Straight corridor, 0.55 to 1.0 m wide", drawCorridor},
	{"corner", "Corridor with a bend of 90 deg", drawCorner},
	{"junction", "T of corridors; one arm may be blind", drawJunction},
	{"door-10", "Door 10 cm wider than the car between start and goal", drawDoor(0.10)},
	{"door-20", "Door 20 cm wider than the car between start and goal", drawDoor(0.20)},
	{"trap", "U between start and goal, 0.3 to 1.2 m deep, open to the start", drawTrap},
	{"deadend", "Out of a U, 0.8 to 2 m deep, in which the car faces the closed end", drawDeadEnd},
	{"office", "Goal at the other end of four or six rooms with doors of 0.45 to 0.8 m", drawOffice},
	{"rounds", "Four or six rooms to be explored", drawRounds},
	{"slalom", "Poles to either side in turn", drawSlalom},
	{"gauntlet", "Hallway with boxes and discs in the way", drawGauntlet},
	{"comb", "Thin walls from both sides in turn", drawComb},
	{"movers", "Room in which two to four walk at 0.2 to 0.5 m/s", drawMovers},
	{"crossing", "Goal beyond three who walk across at 0.2 to 0.5 m/s", drawCrossing},
	{"soft", "Room with curtains and cushions that swallow echoes", drawSoft},
	{"specular", "Room with walls that mirror sound, and drop-outs", drawSpecular},
	{"table", "Table with edges all round, three minutes", drawTable},
	{"line", "Closed line, curves of 0.35 m and more, 0.20 m/s", drawLine(course{radius: [2]float64{0.35, 0.55}, cruise: 0.20})},
	{"line-tight", "Closed line with curves of 0.20 to 0.28 m, 0.20 m/s", drawLine(course{radius: [2]float64{0.20, 0.28}, cruise: 0.20})},
	{"line-gaps", "Closed line with gaps of 5 to 20 cm, 0.20 m/s", drawLine(course{radius: [2]float64{0.45, 0.65}, cruise: 0.20, gaps: 4})},
	{"line-fast", "Closed line, curves of 0.45 m and more, 0.30 m/s", drawLine(course{radius: [2]float64{0.45, 0.65}, cruise: 0.30})},
	{"battery", "Room; the battery sags until the car limits its speed", drawBattery},
	{"skewed", "Goal behind discs for a car with trim, unequal motors and slip", drawSkewed},
	{"clutter", "Cylinders grown by a cellular automaton as in BARN, start and goal 11 car lengths apart", drawClutter},
	{"jumble", "Room of boxes and short partitions that stand at any angle", drawJumble},
	{"bends", "Corridor of three to five legs with bends of 70 to 125 deg, the goal at its end", drawBends},
	{"line-corners", "Closed line of straight pieces with corners of up to 120 deg, 0.20 m/s", drawCorners},
}

// Names lists the families, in the order in which they are documented. With -p0
// behind it each means the same worlds for a car with the front sonar only.
func Names() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].name
	}
	return names
}

// judged is how many families there were reports on when the others came.
const judged = 27

// Judged lists the families that reports judge where they name none: the later ones are
// not among them, because the worlds of a set are dealt to its families.
func Judged() []string { return Names()[:judged] }

// Title says in a line what a family is, with or without -p0; nothing for an unknown
// one.
func Title(name string) string {
	k, profile, err := find(name)
	switch {
	case err != nil:
		return ""
	case profile == plant.P0:
		return k.title + "; front sonar only"
	}
	return k.title
}

// find returns a family and the profile that its name asks for.
func find(name string) (*kind, plant.Profile, error) {
	base, one := strings.CutSuffix(name, oneBeam)
	profile := plant.P1
	if one {
		profile = plant.P0
	}
	i := slices.IndexFunc(kinds[:], func(k kind) bool { return k.name == base })
	if i < 0 {
		like := ""
		if near := strict.Nearest(base, Names()); near != "" {
			like = fmt.Sprintf(" (did you mean %s?)", near)
		}
		return nil, profile, fmt.Errorf("family %q: unknown%s; there are %s, each also with %s for the front sonar only", name, like, strings.Join(Names(), ", "), oneBeam)
	}
	return &kinds[i], profile, nil
}

// Make draws the member of a family that a set and a seed name. The member's own
// seed, in Build and in a run, draws nothing of the world any more.
func Make(name string, set Set, seed uint64) (*scenarios.Scenario, error) {
	k, profile, err := find(name)
	if err != nil {
		return nil, err
	}
	sc, err := k.member(Member(name, set, seed), set, seed)
	if err != nil {
		return nil, fmt.Errorf("family %s, %v seed %d: %w", name, set, seed, err)
	}
	sc.Title, sc.Profile = Title(name), profile
	return sc, nil
}

// member draws until a world can be driven.
func (k *kind) member(name string, set Set, seed uint64) (sc *scenarios.Scenario, err error) {
	for try := range tries {
		d := newDraft(name, noise.New(seed, fmt.Sprint("family ", k.name, " ", set, " ", try)))
		k.draw(d)
		if err = d.finish(); err == nil {
			return d.Scenario, nil
		}
	}
	return nil, fmt.Errorf("none of %d draws can be driven, the last: %w", tries, err)
}
