// Draw writes the figures of the concept page into a folder, as PNG files:
//
//	go run ./testbench/figures/draw docs/pictures
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"fieldbrain/files"
	"fieldbrain/testbench/figures"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: draw FOLDER")
		os.Exit(2)
	}
	for _, name := range figures.Names() {
		if err := write(filepath.Join(os.Args[1], name+".png"), name); err != nil {
			fmt.Fprintln(os.Stderr, "draw:", err)
			os.Exit(1)
		}
	}
}

// write draws one figure into a file, whole or not at all.
func write(path, name string) error {
	var b bytes.Buffer
	if err := figures.Write(&b, "png", name); err != nil {
		return err
	}
	return files.Write(path, b.Bytes())
}
