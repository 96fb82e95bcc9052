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

// inC compiles the program in C and starts it.
func inC(o Options) (*subject, error) {
	library, err := filepath.Abs(o.Library)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if _, err := os.Stat(library); err != nil {
		return nil, fmt.Errorf("bench: %w: run make env, or name the library", err)
	}
	source, err := clients.ReadFile("clients/client.c")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	folder, err := os.MkdirTemp("", "fieldbrain-bench-env")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	program := filepath.Join(folder, "client")
	cc := exec.Command("cc", "-std=gnu11", "-O2", "-I"+o.Header, "-x", "c", "-", "-x", "none", library, "-o", program,
		"-Wl,-rpath,"+filepath.Dir(library))
	cc.Stdin = strings.NewReader(string(source))
	if out, err := cc.CombinedOutput(); err != nil {
		_ = os.RemoveAll(folder)
		return nil, fmt.Errorf("bench: the program in C: %w (a C compiler is needed: apt install gcc)\n%s", err, out)
	}
	s, err := child("C", exec.Command(program, o.arguments()...))
	if err != nil {
		_ = os.RemoveAll(folder)
		return nil, err
	}
	end := s.close
	s.close = func() {
		end()
		_ = os.RemoveAll(folder)
	}
	return s, nil
}

// inPython starts the program in Python.
func inPython(o Options) (*subject, error) {
	source, err := clients.ReadFile("clients/client.py")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	library, err := filepath.Abs(o.Library)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	interpreter, err := python()
	if err != nil {
		return nil, err
	}
	c := exec.Command(interpreter, append([]string{"-c", string(source)}, o.arguments()...)...)
	c.Env = append(os.Environ(), "PYTHONPATH="+o.Package, "PYTHONDONTWRITEBYTECODE=1", "FIELDBRAIN_ENV_LIBRARY="+library)
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
