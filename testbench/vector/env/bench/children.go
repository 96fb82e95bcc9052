package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A kit is what the programs are started with, made once.
type kit struct {
	o       Options
	library string // with its whole path
	folder  string // of the program in C
	python  string // an interpreter that has NumPy
	script  string // the program in Python
}

// newKit compiles the program in C and looks for Python.
func newKit(o Options) (k *kit, err error) {
	k = &kit{o: o}
	if k.library, err = filepath.Abs(o.Library); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if _, err := os.Stat(k.library); err != nil {
		return nil, fmt.Errorf("bench: %w: run make env, or name the library", err)
	}
	script, err := clients.ReadFile("clients/client.py")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	k.script = string(script)
	if k.python, err = python(); err != nil {
		return nil, err
	}
	if err := k.compile(); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

// compile makes the program in C.
func (k *kit) compile() error {
	source, err := clients.ReadFile("clients/client.c")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if k.folder, err = os.MkdirTemp("", "fieldbrain-bench-env"); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	cc := exec.Command("cc", "-std=gnu11", "-O2", "-I"+k.o.Header, "-x", "c", "-", "-x", "none", k.library, "-o", k.program(),
		"-Wl,-rpath,"+filepath.Dir(k.library))
	cc.Stdin = strings.NewReader(string(source))
	if out, err := cc.CombinedOutput(); err != nil {
		return fmt.Errorf("bench: the program in C: %w (a C compiler is needed: apt install gcc)\n%s", err, out)
	}
	return nil
}

func (k *kit) program() string { return filepath.Join(k.folder, "client") }

// close removes what was compiled.
func (k *kit) close() {
	if k.folder != "" {
		_ = os.RemoveAll(k.folder)
	}
}

// inC starts the program in C.
func (k *kit) inC() (*subject, error) {
	return child("C", exec.Command(k.program(), k.o.arguments()...))
}

// inPython starts the one in Python.
func (k *kit) inPython() (*subject, error) {
	c := exec.Command(k.python, append([]string{"-c", k.script}, k.o.arguments()...)...)
	c.Env = append(os.Environ(), "PYTHONPATH="+k.o.Package, "PYTHONDONTWRITEBYTECODE=1", "FIELDBRAIN_ENV_LIBRARY="+k.library)
	return child("Python", c)
}

// python returns an interpreter that has NumPy.
func python() (string, error) {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "-c", "import numpy").Run() == nil {
			return path, nil
		}
	}
	return "", errors.New("bench: no python3 with NumPy: apt install python3-numpy")
}

// arguments are those of both programs.
func (o *Options) arguments() []string {
	return []string{string(o.Task), strconv.Itoa(o.Cars), strconv.Itoa(worlds)}
}

// child starts a program that takes a number of steps a line and answers with the
// numbers of a lap.
func child(language string, c *exec.Cmd) (*subject, error) {
	in, err := c.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("bench: %s: %w", language, err)
	}
	answers := bufio.NewReader(out)
	run := func(steps int) (l lap, err error) {
		if _, err := fmt.Fprintln(in, steps); err != nil {
			return l, fmt.Errorf("bench: %s has ended: %w", language, err)
		}
		line, err := answers.ReadString('\n')
		if err != nil {
			return l, fmt.Errorf("bench: %s has ended: %w", language, err)
		}
		if _, err := fmt.Sscan(line, &l.wall, &l.busy, &l.sum); err != nil {
			return l, fmt.Errorf("bench: %s answers %q: %w", language, line, err)
		}
		return l, nil
	}
	return &subject{language, run, func() { end(c, in) }}, nil
}

// end closes a program's input, which ends it.
func end(c *exec.Cmd, in io.Closer) {
	_ = in.Close()
	_ = c.Wait()
}
