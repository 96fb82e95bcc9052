package figures

import (
	"fmt"
	"io"
	"strings"

	"fieldbrain/testbench/picture"
)

// A figure is a page by its name.
type figure struct {
	name string
	make func() (*picture.Page, error)
}

func figures() []figure {
	return []figure{
		{"peak", peak}, {"detection", detection}, {"selection", selection}, {"memory", memory}, {"axes", axes},
	}
}

// Names lists the figures in the order of the page.
func Names() (names []string) {
	for _, f := range figures() {
		names = append(names, f.name)
	}
	return names
}

// Write runs the field for a figure and draws it in one of picture.Formats.
func Write(w io.Writer, format, name string) error {
	for _, f := range figures() {
		if f.name != name {
			continue
		}
		page, err := f.make()
		if err == nil {
			err = page.Write(w, format)
		}
		if err != nil {
			return fmt.Errorf("figures: %s: %w", name, err)
		}
		return nil
	}
	return fmt.Errorf("figures: no figure %q; there are %s", name, strings.Join(Names(), ", "))
}
