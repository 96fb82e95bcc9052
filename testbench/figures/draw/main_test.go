package main

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// TestWrite: a figure's file is a picture of a page's size, and a figure that nobody
// knows leaves no file behind.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "peak.png")
	if err := write(path, "peak"); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() < 400 || img.Bounds().Dy() < 200 {
		t.Errorf("%v, want a page", err)
	}
	path = filepath.Join(folder, "none.png")
	if err := write(path, "none"); err == nil {
		t.Error("a figure that nobody knows was drawn")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file without a figure")
	}
}
