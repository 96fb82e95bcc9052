package main

import (
	"os/exec"
	"strings"
	"testing"

	"fieldbrain/gpu/softcuda"
	"fieldbrain/testbench/tier"
)

// TestAssignments: leading words of the form NAME=value are variables; a path with an
// equals sign is a program, and what follows a program is its own.
func TestAssignments(t *testing.T) {
	for _, c := range []struct{ args, env, rest string }{
		{"go test", "", "go test"},
		{"GOARCH=arm64 A= go build B=1", "GOARCH=arm64 A=", "go build B=1"},
		{"./a=b/c X=1", "", "./a=b/c X=1"},
		{"A=/usr/b go", "A=/usr/b", "go"},
		{"A=1", "A=1", ""},
		{"", "", ""},
	} {
		env, rest := assignments(strings.Fields(c.args))
		if strings.Join(env, " ") != c.env || strings.Join(rest, " ") != c.rest {
			t.Errorf("%q: variables %q before %q", c.args, env, rest)
		}
	}
}

// TestNoCompiler: without the compiler nothing runs, and the words name it.
func TestNoCompiler(t *testing.T) {
	code, err := run(t.Context(), softcuda.Options{Compiler: "no-such-g++", Cache: t.TempDir()}, []string{"true"})
	if code != 1 || err == nil || !strings.Contains(err.Error(), "no-such-g++") {
		t.Errorf("%d, %v", code, err)
	}
}

// TestFindsTheDriver: a command gets its variables, finds the library first and the
// header among its flags, and its exit status comes back.
func TestFindsTheDriver(t *testing.T) {
	tier.Heavy(t, "builds the software driver")
	o := softcuda.Options{Sources: []string{"../testdata/kernels.cu"}}
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skipf("softcuda needs a C++ compiler, apt-get install g++: %v", err)
	}
	const look = `test "$WORD" = value && test -e "${LD_LIBRARY_PATH%%:*}/libcuda.so.1" &&
for f in $CGO_CFLAGS; do case $f in -I*) test -e "${f#-I}/cuda.h" && exit 7;; esac; done; exit 3`
	if code, err := run(t.Context(), o, []string{"WORD=value", "sh", "-c", look}); code != 7 || err != nil {
		t.Errorf("%d, %v, want the command's own 7", code, err)
	}
	if code, err := run(t.Context(), o, []string{"no-such-command"}); code != 1 || err == nil {
		t.Errorf("a command that is not there: %d, %v", code, err)
	}
}
