package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/testbench/tier"
)

// TestCommitSubjects: the hook takes what CONTRIBUTING.md asks for and says what is wrong
// with anything else.
func TestCommitSubjects(t *testing.T) {
	tier.Native(t, "a hook of git's is a script of this machine")
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on this machine: its hooks are not tried")
	}
	long := "picarx: read the floor every 8 ms, as long as nothing is late"
	for subject, says := range map[string]string{
		"picarx: read the floor every 8 ms":       "",
		"plan, route: name Tree for what it is":   "",
		"fieldbrain: `halt` pulls the line first": "",
		"Merge branch 'main'":                     "",
		long[:60]:                                 "",
		long:                                      "it has 61 characters, at most 60",
		"read the floor every 8 ms":               "begin with the package",
		"picarx: Read the floor every 8 ms":       "then lower case",
		"picarx: read the floor every 8 ms.":      "leave the full stop out",
		"":                                        "begin with the package",
	} {
		file := filepath.Join(t.TempDir(), "message")
		text := "# a comment of git's\n" + subject + "\n\nA body with a line that is long, and has its full stops. As it may.\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(bash, "../../.github/hooks/commit-msg", file).CombinedOutput()
		if (err == nil) != (says == "") || !strings.Contains(string(out), says) {
			t.Errorf("%q: %v, %s, want %q", subject, err, out, says)
		}
	}
}
