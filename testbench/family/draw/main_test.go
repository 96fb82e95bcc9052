package main

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestPlace: the panel shows the member's own world, with the car at its start and a way
// from there to the member's goal.
func TestPlace(t *testing.T) {
	const name = "clutter"
	p, err := place(name, shown, "A title")
	if err != nil {
		t.Fatal(err)
	}
	if p.Title != "A title" || p.World == nil || !p.World.HasGoal || len(p.Way) < 2 {
		t.Fatalf("%q, %d points of a way", p.Title, len(p.Way))
	}
	first, last := p.Way[0], p.Way[len(p.Way)-1]
	if d := math.Hypot(first.X-p.Start.At.X, first.Y-p.Start.At.Y); d > 0.2 {
		t.Errorf("the way begins %.2f m from the car", d)
	}
	if d := math.Hypot(last.X-p.World.Goal.X, last.Y-p.World.Goal.Y); d > 0.5 {
		t.Errorf("the way ends %.2f m from the goal", d)
	}
}

// TestWrite: a family's page is a picture, and a family that nobody knows leaves no
// file behind.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "page.png")
	if err := write(path, []string{"room"}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() < 5*200 || img.Bounds().Dy() < 3*150 {
		t.Errorf("%v, want three rows of five", err)
	}
	path = filepath.Join(folder, "none.png")
	if err := write(path, []string{"no-such-family"}); err == nil {
		t.Error("a family that nobody knows was drawn")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file without a family")
	}
}
