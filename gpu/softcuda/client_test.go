package softcuda

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/testbench/tier"
)

// build builds a library of the test kernels, or skips where no compiler is.
func build(t *testing.T, o Options) Library {
	t.Helper()
	tier.Heavy(t, "builds the software driver")
	name := o.Compiler
	if name == "" {
		name = "g++"
	}
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("needs the compiler %s: %v", name, err)
	}
	o.Sources = []string{"testdata/kernels.cu"}
	lib, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// A client is the C program of testdata, linked to one variant of the library.
type client struct {
	lib Library
	bin string
}

// newClient compiles the client.
func newClient(t *testing.T, o Options) client {
	t.Helper()
	c := client{lib: build(t, o), bin: filepath.Join(t.TempDir(), "client")}
	args := []string{"-x", "c", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-I", c.lib.Include, "-o", c.bin}
	for _, f := range []string{"client.c", "good.c", "faulty.c"} {
		args = append(args, filepath.Join("testdata", f))
	}
	if o.Sanitize != "" {
		args = append(args, "-fsanitize="+o.Sanitize)
	}
	compiler := strings.TrimSuffix(c.lib.options.Compiler, "g++") + "gcc"
	args = append(args, "-L", c.lib.Dir, "-lcuda", "-Wl,--allow-shlib-undefined")
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, out)
	} else if len(out) > 0 {
		t.Errorf("%s warns:\n%s", compiler, out)
	}
	return c
}

// run runs one scenario with further variables and returns what it printed, and
// what the library complained about.
func (c client) run(t *testing.T, scenario string, env ...string) (out, complaints string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{c.bin, scenario}
	if prefix := os.Getenv("SOFTCUDA_TEST_RUNNER"); prefix != "" {
		args = append(strings.Fields(prefix), args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = c.lib.Env(env...)
	var so, se strings.Builder
	cmd.Stdout, cmd.Stderr = &so, &se
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s with %q: %v\n%s%s", scenario, env, errors.Join(err, ctx.Err()), so.String(), se.String())
	}
	return so.String(), se.String()
}

// good runs all scenarios in which nothing may go wrong.
func (c client) good(t *testing.T, env ...string) {
	t.Helper()
	for _, s := range []string{"reductions", "warps", "transpose", "graph", "streams", "overlaps", "refusals"} {
		t.Run(s, func(t *testing.T) {
			if out, _ := c.run(t, s, env...); out != "end\n" {
				t.Errorf("it says %q", out)
			}
		})
	}
}

func TestClient(t *testing.T) {
	c := newClient(t, Options{})
	c.good(t)
	t.Run("reverse", func(t *testing.T) { c.good(t, "SOFTCUDA_ORDER=reverse", "SOFTCUDA_THREADS=1") })
	t.Run("threads", func(t *testing.T) { c.good(t, "SOFTCUDA_THREADS=5") })
}

// TestSanitized runs the same programs with the sanitizers of the compiler.
func TestSanitized(t *testing.T) {
	for _, s := range []string{"address", "undefined"}[:tier.Count(t, "sanitizers", 1, 1, 2)] {
		t.Run(s, func(t *testing.T) { newClient(t, Options{Sanitize: s}).good(t) })
	}
}

// TestForeign runs the client built for arm64.
func TestForeign(t *testing.T) {
	qemu, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		t.Skipf("needs qemu-aarch64-static: %v", err)
	}
	t.Setenv("SOFTCUDA_TEST_RUNNER", qemu+" -L /usr/aarch64-linux-gnu")
	newClient(t, Options{Compiler: "aarch64-linux-gnu-g++"}).good(t)
}
