// Draw draws one member of every family of worlds into a PNG file, with the way that
// the oracle found:
//
//	go run ./testbench/family/draw docs/pictures/families.png
//
// More words name families, each of which then fills a page with its first members.
package main

import (
	"bytes"
	"fmt"
	"os"

	"fieldbrain/files"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/picture"
)

// shown is the seed of the members on the page of all families.
const shown = 3

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: draw FILE.png [FAMILY ...]")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

// write draws the page into a file, whole or not at all.
func write(path string, families []string) error {
	page := &picture.Page{Columns: 5, Width: 220, Height: 190}
	add := func(name string, seed uint64, title string) error {
		panel, err := place(name, seed, title)
		page.Panels = append(page.Panels, panel)
		return err
	}
	if len(families) == 0 {
		for _, name := range family.Names() {
			if err := add(name, shown, name); err != nil {
				return err
			}
		}
	}
	for _, name := range families {
		for seed := range uint64(15) {
			if err := add(name, seed+1, family.Member(name, family.Train, seed+1)); err != nil {
				return err
			}
		}
	}
	var b bytes.Buffer
	if err := page.Write(&b, "png"); err != nil {
		return err
	}
	return files.Write(path, b.Bytes())
}

// place returns the panel of one member.
func place(name string, seed uint64, title string) (*picture.Place, error) {
	sc, err := family.Make(name, family.Train, seed)
	if err != nil {
		return nil, err
	}
	w, start, err := sc.Build(seed)
	if err != nil {
		return nil, err
	}
	way, err := oracle.Solve(sc, seed)
	if err != nil {
		return nil, err
	}
	return &picture.Place{Title: title, World: w, Body: sc.Car, Start: start, Way: way.Points}, nil
}
