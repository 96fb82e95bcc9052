package brain_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// TestRestoreRefuses: a state that no brain can have changes nothing.
func TestRestoreRefuses(t *testing.T) {
	nan := math.NaN()
	for name, spoil := range map[string]func(s *brain.State){
		"Speed":     func(s *brain.State) { s.Speed = nan },
		"Heading":   func(s *brain.State) { s.Heading = math.Inf(1) },
		"Wanted":    func(s *brain.State) { s.Wanted = -99 },
		"Free":      func(s *brain.State) { s.Free = nan },
		"StallLost": func(s *brain.State) { s.StallLost = nan },
		"StallHeld": func(s *brain.State) { s.StallHeld = -1 },
		"range 2":   func(s *brain.State) { s.Closing[2] = float32(nan) },
		"range 4":   func(s *brain.State) { s.About[4] = float32(nan) },
		"range 5":   func(s *brain.State) { s.Coming[5] = 3 },
		"Sector":    func(s *brain.State) { s.Explored.Sector = robot.NumSectors },
		"PlanAge":   func(s *brain.State) { s.Explored.PlanAge = nan },
		"layer 0":   func(s *brain.State) { s.Explored.Belief.Layer = 0 },
		"Place":     func(s *brain.State) { s.Place.Y = nan },
		"surveyed":  func(s *brain.State) { s.Surveyed.Sector = -1 },
		"rests":     func(s *brain.State) { s.Rest.Beside[1] = -1 },
		"for NaN m": func(s *brain.State) { s.Rest.Way = nan },
		"row 256":   func(s *brain.State) { s.Surveyed.Ground.Row = 256 },
		"cell 9":    func(s *brain.State) { s.Explored.Belief.Odds[9] = -128 },
	} {
		body := newStill()
		body.see(robot.Front, 0.9)
		b := drive(t, body, engine(t, 0), 30)
		var before, bad, after brain.State
		b.Save(&before)
		bad = before
		bad.Explored.On, bad.Explored.Belief.Layer = true, 1
		spoil(&bad)
		bad.Tick = 7
		if err := b.Restore(&bad, 0); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want a refusal that names it", name, err)
		}
		if b.Save(&after); after != before {
			t.Errorf("%s: a refused state changed the brain", name)
		}
	}
}

// TestContactIsMapped: a stall's contact stands in the map obliquely ahead on both
// sides, near, and nowhere else; CONTACT shows it.
func TestContactIsMapped(t *testing.T) {
	e := engine(t, 0)
	body := newStill()
	body.see(robot.Front, 0.9)
	b := drive(t, body, e, 30)
	var s brain.State
	b.Save(&s)
	s.TouchLeft = 0.05
	if err := b.Restore(&s, body.Now()); err != nil {
		t.Fatal(err)
	}
	shown, felt := make([]float32, field.Cells), float32(0)
	for range 14 {
		body.now += brain.Default().Period
		b.Tick(body.now)
		e.Read(field.Contact, shown)
		felt = max(felt, slices.Max(shown))
	}
	e.Read(field.ObstMap, shown)
	y := int(field.RangeBin(0.1) + 0.5)
	at := func(degrees float64) float32 {
		x := int(math.Round(field.BearingBin(degrees * math.Pi / 180)))
		return shown[(x*field.Side+y)*field.Side]
	}
	for _, psi := range []float64{45, 56, -45, -56} {
		if !(at(psi) > 0.5) {
			t.Errorf("at %v deg the map has %.2f, want 0.6", psi, at(psi))
		}
	}
	for _, psi := range []float64{0, 100, -100, 180} {
		if at(psi) != 0 {
			t.Errorf("at %v deg the map has %.2f, want nothing", psi, at(psi))
		}
	}
	if !(felt > 0) {
		t.Errorf("CONTACT rises to %.2f, want a peak", felt)
	}
}

// TestStateLayout: a changed layout needs another version, or old files are
// read as what they are not.
func TestStateLayout(t *testing.T) {
	const version, size = 26, 24 + 2*(4*8+1) + 16 + 2 + 32 + 16 + 5*robot.NumSectors + 45 + 17 + 8 + 8 + 201686 + 3 + 24 + 39 + 12 + 24 + 96 + 8 + 96 + 68 + 17 + 8 + 4*robot.NumSectors + 8
	if got := binary.Size(brain.State{}); brain.StateVersion != version || got != size {
		t.Errorf("version %d with %d bytes, want %d with %d: count StateVersion up when the layout changes", brain.StateVersion, got, version, size)
	}
}

func TestSaveDoesNotAllocate(t *testing.T) {
	body := newStill()
	body.see(robot.Front, 0.9)
	b := drive(t, body, engine(t, 0), 30)
	var s brain.State
	if n := testing.AllocsPerRun(100, func() { b.Save(&s) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
