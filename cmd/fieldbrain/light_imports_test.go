package main

import (
	"path"
	"slices"
	"strings"
	"testing"

	"fieldbrain/testbench/tier"
)

// heavy says why a program that only puts the brain into a body of its own must not have to
// compile a package, or nothing.
func heavy(imported string) string {
	folder, ours := inModule(imported)
	switch {
	case ours && covers("testbench", folder):
		return "the bench, which is for whoever simulates"
	case ours && covers("robot/picarx", folder):
		return "the driver of one body, with its bus"
	case covers("periph.io/x/conn periph.io/x/host github.com/warthog618/go-gpiocdev", imported):
		return "a driver's library"
	}
	return ""
}

// compiles returns what a package takes with it of this module's packages and of foreign ones, each
// with the way that leads there.
func compiles(imports map[string][]string, from string) map[string]string {
	way := map[string]string{}
	var walk func(imported, by string)
	walk = func(imported, by string) {
		if _, seen := way[imported]; seen {
			return
		}
		way[imported] = by + " > " + imported
		if folder, ours := inModule(imported); ours {
			for _, next := range imports[folder] {
				walk(next, way[imported])
			}
		}
	}
	for _, next := range imports[from] {
		walk(next, from)
	}
	return way
}

// TestRootIsLight: whoever imports the root gets the brain, and neither the bench nor the
// PiCar-X's driver, by whatever way, on whatever system.
func TestRootIsLight(t *testing.T) {
	tier.Alone(t, "it looks at files")
	imports := map[string][]string{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, i := range s.file.Imports {
			imports[s.folder()] = append(imports[s.folder()], strings.Trim(i.Path.Value, `"`))
		}
	}
	ofRoot := compiles(imports, ".")
	for imported, way := range ofRoot {
		if why := heavy(imported); why != "" {
			t.Errorf("the root must not compile in %s: %s", way, why)
		}
	}
	if _, is := ofRoot[path.Join(module(), "brain/steer")]; !is {
		t.Errorf("the root's imports lack the brain's: %v", ofRoot)
	}
	var seen []string
	for imported := range compiles(imports, "testbench/seat") {
		if why := heavy(imported); why != "" && !slices.Contains(seen, why) {
			seen = append(seen, why)
		}
	}
	if len(seen) != 3 {
		t.Errorf("of a brain on the bench only %q is heavy", seen)
	}
}
