// Command header writes what Go, C++ and CUDA share: structs, sizes, names of
// channels and slots, and the weights of the interaction, all of them from the
// Go sources. Run it from anywhere in the repository: go generate ./gpu/kernels
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "header:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := findRoot()
	if err != nil {
		return err
	}
	files, err := generate(root)
	if err != nil {
		return err
	}
	for path, text := range files {
		if err := os.WriteFile(filepath.Join(root, path), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// findRoot returns the folder of go.mod at or above the working directory.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fmt.Errorf("no go.mod at or above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// generate returns the text of every generated file by its path from the root.
func generate(root string) (map[string][]byte, error) {
	s := newSources(root)
	files := map[string][]byte{}
	for _, h := range headers() {
		text, err := h.text(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.path, err)
		}
		files[h.path] = text
	}
	text, err := sizes(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sizesPath, err)
	}
	files[sizesPath] = text
	return files, nil
}
