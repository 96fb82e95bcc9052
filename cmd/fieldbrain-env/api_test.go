package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/env"
)

// folder is where built has built.
var folder string

// built builds the library, once for all tests.
var built = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "fieldbrain-env"); err != nil {
		return err
	}
	return run(exec.Command("go", "build", "-trimpath", "-buildmode=c-shared", "-o", filepath.Join(folder, "libfieldbrain_env.so"), "."))
})

func TestMain(m *testing.M) {
	code := m.Run()
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	os.Exit(code)
}

// run runs a command; its output is part of the error.
func run(c *exec.Cmd) error {
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", c.Args, err, out)
	}
	return nil
}

// library builds the library where that can be done, and skips elsewhere.
func library(t *testing.T) string {
	t.Helper()
	tier.Heavy(t, "builds a library")
	tier.Native(t, "a library for this machine")
	tier.Alone(t, "another program's threads")
	if !tier.Cgo {
		t.Skip("no C compiler made this build, so none can make the library")
	}
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no cc on the PATH: apt install gcc")
	}
	if err := built(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// want returns what the drives of testdata come to in Go.
func want(t *testing.T, task env.Task) string {
	t.Helper()
	e, err := env.New(env.Options{Task: task, Cars: 10, Worlds: 2, Limit: 60})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.ResetAll(7); err != nil {
		t.Fatal(err)
	}
	m := e.Memory()
	var all bytes.Buffer
	put := func(part any) {
		if err := binary.Write(&all, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	put(m.Observations)
	for s := range 200 {
		for i := range 10 {
			m.Actions[2*i], m.Actions[2*i+1] = 0.03125*float32(i+1), 0.125*float32((s/10+i)%5-2)
		}
		if err := e.Step(); err != nil {
			t.Fatal(err)
		}
		for _, part := range []any{m.Observations, m.Rewards, m.Terminated, m.Truncated, m.Returns, m.Lengths, m.Causes} {
			put(part)
		}
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(all.Bytes()))
}

// TestC compiles a program against the header and wants what Go computes.
func TestC(t *testing.T) {
	folder := library(t)
	program := filepath.Join(folder, "drive")
	err := run(exec.Command("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I.", "-o", program, "testdata/drive.c",
		"-L"+folder, "-lfieldbrain_env", "-Wl,-rpath,"+folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range env.Tasks() {
		out, err := exec.Command(program, string(task)).CombinedOutput()
		if have := strings.TrimSpace(string(out)); err != nil || have != want(t, task) {
			t.Errorf("%s: C has %s, Go %s: %v", task, have, want(t, task), err)
		}
	}
}

// TestThreads wants one of two calls that come at once refused: Go's panic ended the
// program.
func TestThreads(t *testing.T) {
	folder := library(t)
	program := filepath.Join(folder, "threads")
	err := run(exec.Command("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I.", "-pthread", "-o", program, "testdata/threads.c",
		"-L"+folder, "-lfieldbrain_env", "-Wl,-rpath,"+folder))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil || string(out) != "refused\n" {
		t.Errorf("two threads on one environment: %v\n%s", err, out)
	}
}

// TestCPlusPlus: the header is C++ too.
func TestCPlusPlus(t *testing.T) {
	library(t)
	if _, err := exec.LookPath("c++"); err != nil {
		t.Skip("no c++ on the PATH: apt install g++")
	}
	if err := run(exec.Command("c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "fieldbrain_env.h")); err != nil {
		t.Error(err)
	}
}

// python returns a Python that has NumPy, or says why there is none.
func python() (path, why string) {
	why = "no python3 on the PATH: apt install python3-numpy"
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if err := exec.Command(path, "-c", "import numpy").Run(); err == nil {
			return path, ""
		}
		why = path + " has no NumPy: apt install python3-numpy"
	}
	return "", why
}

// start runs the package's Python in a folder of the library, or skips where there is none.
func start(t *testing.T) func(args ...string) (string, error) {
	t.Helper()
	folder := library(t)
	interpreter, why := python()
	if interpreter == "" {
		t.Skip(why)
	}
	return func(args ...string) (string, error) {
		c := exec.Command(interpreter, args...)
		c.Env = append(os.Environ(), "PYTHONPATH=../../testbench/vector/env/python", "PYTHONDONTWRITEBYTECODE=1",
			"FIELDBRAIN_ENV_LIBRARY="+filepath.Join(folder, "libfieldbrain_env.so"))
		out, err := c.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
}

// TestPython holds the package to the rules that Gymnasium documents, and to Go's
// numbers.
func TestPython(t *testing.T) {
	start := start(t)
	for _, task := range env.Tasks() {
		have, err := start("testdata/drive.py", string(task))
		if err != nil || have != want(t, task) {
			t.Errorf("%s: Python has %s, Go %s: %v", task, have, want(t, task), err)
		}
	}
	said, err := start("-m", "fieldbrain_env.checker")
	t.Log(said)
	if err != nil || strings.Count(said, ": holds") != len(env.Tasks()) {
		t.Errorf("the checker: %v", err)
	}
}

// TestPythonRefuses wants wrong arguments refused with a remedy, by limits that are Go's.
func TestPythonRefuses(t *testing.T) {
	start := start(t)
	limits := fmt.Sprintf("hold %d limit %d num_envs %d threads %d worlds %d", env.MaxHold, env.MaxSteps, vector.MaxCars, env.MaxThreads, env.MaxWorlds)
	foreign := filepath.Join(t.TempDir(), "libforeign.so")
	if err := run(exec.Command("cc", "-shared", "-o", foreign, "-x", "c", "/dev/null")); err != nil {
		t.Fatal(err)
	}
	if said, err := start("testdata/refusals.py", foreign); err != nil || said != limits {
		t.Errorf("%v: Python's limits are %q, Go's %q", err, said, limits)
	}
}

// TestPythonProcesses wants forked children and threads at once refused: the ones hung for
// ever, the others ended the interpreter.
func TestPythonProcesses(t *testing.T) {
	start := start(t)
	if said, err := start("testdata/processes.py"); err != nil || said != "refused" {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestPythonInterrupt wants Ctrl-C to count while worlds are made; it counted when they were
// there.
func TestPythonInterrupt(t *testing.T) {
	start := start(t)
	if said, err := start("testdata/interrupt.py"); err != nil || said != "interrupted" {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestPythonImports wants it said what is missing, and which Gymnasium is too old.
func TestPythonImports(t *testing.T) {
	start := start(t)
	for what, c := range map[string]struct{ program, says string }{
		"no NumPy": {"import sys; sys.modules['numpy'] = None; import fieldbrain_env", "ImportError: fieldbrain_env needs NumPy"},
		"an old Gymnasium": {"import sys, types; old = types.ModuleType('gymnasium'); old.__version__ = '1.0.0'; sys.modules['gymnasium'] = old; " +
			"import fieldbrain_env; fieldbrain_env.register()", "ImportError: Gymnasium 1.0.0 is too old: 1.1 or newer"},
		"no Gymnasium": {
			"import sys; sys.modules['gymnasium'] = None; import fieldbrain_env; fieldbrain_env.register()",
			"ImportError: Gymnasium is not installed",
		},
	} {
		if said, err := start("-c", c.program); err == nil || !strings.Contains(said, c.says) {
			t.Errorf("%s: want %q: %v\n%s", what, c.says, err, said)
		}
	}
}
