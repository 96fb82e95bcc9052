package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A machine that lacks something is a PATH with these tools and a Go that prints
// its version and fails at anything that would build.
var tools = []string{"sed", "sort", "mkdir", "cat", "grep", "printf"}

const fakeGo = `#!/bin/sh
case "$*" in
version) %s ;;
"env GOTOOLCHAIN") echo local ;;
"env GOFLAGS") echo ;;
"env CC") echo %s ;;
"env CXX") echo %s ;;
*) echo "built: $*" >&2; exit 1 ;;
esac
`

// poorMachine returns a PATH with the tools above, a fake Go and the named tools,
// each of which does nothing.
func poorMachine(t *testing.T, version, compiler string, more ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, tool := range tools {
		real, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("no %s on this machine: the Makefile cannot run here", tool)
		}
		if err := os.Symlink(real, filepath.Join(folder, tool)); err != nil {
			t.Fatal(err)
		}
	}
	script := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script("go", fmt.Sprintf(fakeGo, version, compiler, compiler))
	for _, name := range more {
		script(name, "#!/bin/sh\nexit 0\n")
	}
	return folder
}

// The Makefile names a missing tool, and its remedy, before it builds anything.
func TestMakeNamesWhatIsMissing(t *testing.T) {
	maker, err := exec.LookPath("make")
	if err != nil {
		t.Skip("no make on this machine: nothing is built with it here")
	}
	const good = "echo go version go1.26.8 linux/amd64"
	for _, c := range []struct {
		why, target, version, compiler string
		also, want                     []string
	}{
		{"Debian 12's Go", "build", "echo go version go1.19.8 linux/amd64", "cc", nil, []string{"go1.19.8 is too old", "Go 1.26", "https://go.dev/dl", "make GO="}},
		{"Ubuntu 22.04's Go", "run", "echo go version go1.18.1 linux/arm64", "cc", nil, []string{"go1.18.1 is too old"}},
		{"a Go that may not fetch another", "test", "echo go version go1.22.2 linux/amd64", "cc", nil, []string{"GOTOOLCHAIN=local forbids", "GOTOOLCHAIN=auto make test"}},
		{"a Go that could not fetch another", "build", "echo go: download go1.26.0: no route to host >&2; exit 1", "cc", nil, []string{"no route to host", "could not fetch"}},
		{"no cross compiler", "arm64", good, "cc", nil, []string{"arm64 needs aarch64-linux-gnu-gcc", "apt install g++-aarch64-linux-gnu"}},
		{"half a cross compiler", "jetson", good, "cc", []string{"aarch64-linux-gnu-gcc"}, []string{"needs aarch64-linux-gnu-g++", "apt install g++-aarch64-linux-gnu"}},
		{"no cross compiler for the environments", "arm64-fleet", good, "cc", nil, []string{"arm64-fleet needs aarch64-linux-gnu-gcc"}},
		{"no emulator", "arm64-test", good, "cc", []string{"aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++"}, []string{"needs qemu-aarch64-static", "apt install qemu-user-static"}},
		{"no llvm-mca", "neon", good, "cc", []string{"aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++"}, []string{"neon needs llvm-mca", "apt install llvm-19"}},
		{"no nvcc", "kernels", good, "cc", nil, []string{"needs nvcc", "CUDA toolkit 11.8"}},
		{"no compiler for the card's program", "gpu", good, "no-such-compiler", nil, []string{"needs a C and a C++ compiler", "apt install g++"}},
		{"no compiler for the race detector", "race", good, "no-such-compiler", nil, []string{"race needs a C and a C++ compiler"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			make := exec.Command(maker, "-C", root, c.target)
			make.Env = []string{"PATH=" + poorMachine(t, c.version, c.compiler, append(c.also, "cc")...)}
			out, err := make.CombinedOutput()
			if err == nil || strings.Contains(string(out), "built:") {
				t.Errorf("make %s went on: %v\n%s", c.target, err, out)
			}
			for _, words := range c.want {
				if !strings.Contains(string(out), words) {
					t.Errorf("make %s does not say %q:\n%s", c.target, words, out)
				}
			}
		})
	}
}

// The Makefile asks a Go that is new enough to build, even if other tools are missing.
func TestMakeBuildsWithANewGo(t *testing.T) {
	maker, err := exec.LookPath("make")
	if err != nil {
		t.Skip("no make on this machine: nothing is built with it here")
	}
	for _, version := range []string{"go1.26.0", "go1.26.8", "go1.30.1", "devel go1.27-4f1b7c2"} {
		make := exec.Command(maker, "-C", root, "build")
		make.Env = []string{"PATH=" + poorMachine(t, "echo go version "+version+" linux/amd64", "no-such-compiler")}
		out, _ := make.CombinedOutput() // the fake Go fails at building
		if !strings.Contains(string(out), "built: build") || !strings.Contains(string(out), "building the pure Go engine") {
			t.Errorf("with %s nothing was built:\n%s", version, out)
		}
	}
}
