package picture_test

import (
	"testing"

	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// TestPlace: the way is green, a curtain is purple, a pane is blue, and a hard wall
// is neither.
func TestPlace(t *testing.T) {
	corners := world.Room(world.Vec{}, world.Vec{X: 4, Y: 2})
	corners[0].Surface = &world.Surface{Lost: 0.5}
	corners[1].Surface = &world.Surface{Specular: 0.5}
	w := &world.World{Walls: corners, Max: world.Vec{X: 4, Y: 2}}
	p := &picture.Place{
		Title: "Test", World: w, Body: plant.Default(), Start: plant.Pose{At: world.Vec{X: 1, Y: 1}},
		Way: []world.Vec{{X: 1.2, Y: 1}, {X: 3, Y: 1}},
	}
	img := page(t, 1, p)
	whole := [4]float64{0, 0, 1, 1}
	colours := map[string]func(r, g, b uint32) bool{
		"green":  func(r, g, b uint32) bool { return r == 32 && g == 140 && b == 66 },
		"purple": func(r, g, b uint32) bool { return r == 176 && g == 84 && b == 150 },
		"blue":   func(r, g, b uint32) bool { return r == 40 && g == 150 && b == 190 },
	}
	for name, is := range colours {
		if share(img, whole, is) < 0.001 {
			t.Errorf("nothing is %s", name)
		}
	}
	for i := range corners {
		corners[i].Surface = nil
	}
	p.Way = nil
	img = page(t, 1, p)
	for name, is := range colours {
		if s := share(img, whole, is); s > 0 {
			t.Errorf("%.4f of a room with hard walls and no way is %s", s, name)
		}
	}
}
