package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts call the program under its own name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"fieldbrain": func() { os.Exit(start(os.Args[1:])) },
	})
}

// TestScripts runs the command line as a user does; the scripts are its prose.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("TMPDIR", e.WorkDir) // its private control sockets
			e.Setenv("XDG_RUNTIME_DIR", "")
			e.Setenv("RUNTIME_DIRECTORY", "")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
		},
	})
}

// exits CODE COMMAND ARGS... demands an exit code, which testscript's own exec
// cannot.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	err := ts.Exec("sh", append([]string{"-c", `want=$1; shift; "$@"; got=$?; ` +
		`[ $got = $want ] || { echo "exit code $got, want $want" >&2; exit 1; }`, "sh"}, args...)...)
	ts.Check(err)
}
