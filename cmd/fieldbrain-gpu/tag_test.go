package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTag: all of the program has the tag cuda. On a machine without a CUDA header go
// build ./... and go install ./... else would fail.
func TestTag(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 4 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file != "tag_test.go" && !strings.HasPrefix(string(text), "//go:build cuda\n") {
			t.Errorf("%s does not begin with the tag", file)
		}
	}
}
