package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"fieldbrain/cmd/fieldbrain/car/cartest"
)

// TestSoftwareCardScripts runs the daemon in real time with the software card:
// that is far too slow for the period, and the scripts judge no time.
func TestSoftwareCardScripts(t *testing.T) {
	card := cartest.BuildCard(t)
	home, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/software",
		Setup: func(e *testscript.Env) error {
			e.Setenv("TMPDIR", e.WorkDir)
			e.Setenv("ROOT", home)
			e.Setenv("XDG_RUNTIME_DIR", "")
			e.Setenv("RUNTIME_DIRECTORY", "")
			for _, v := range card.Env {
				if name, value, _ := strings.Cut(v, "="); name == "LD_LIBRARY_PATH" {
					e.Setenv(name, value)
				}
			}
			return os.Symlink(card.Program, filepath.Join(e.WorkDir, "card"))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}
