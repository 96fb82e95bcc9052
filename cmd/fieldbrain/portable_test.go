package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldbrain/testbench/tier"
)

// TestPortable refuses paths that exist on the author's computer only.
func TestPortable(t *testing.T) {
	tier.Alone(t, "one goroutine reads files")
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	places := []string{regexp.QuoteMeta(here), `/home/\w+`, `/Users/\w+`}
	if home, err := os.UserHomeDir(); err == nil && home != "/" && home != "/root" { // root's is the same everywhere
		places = append(places, regexp.QuoteMeta(home))
	}
	private := regexp.MustCompile(`(^|[^\w./-])(` + strings.Join(places, "|") + `)(/|\b)`)
	written(t, func(name string) {
		if slices.Contains([]string{".png", ".gif", ".fatbin", ".sum"}, path.Ext(name)) {
			return
		}
		for i, line := range strings.Split(read(t, name), "\n") {
			if found := private.FindString(line); found != "" {
				t.Errorf("%s:%d: a path of one computer: %s", name, i+1, strings.TrimSpace(found))
			}
		}
	})
}
