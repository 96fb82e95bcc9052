package sweepworkers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Options say which workers there shall be.
type Options struct {
	Program string   // fieldbrain
	Args    []string // of a worker
	Env     []string // besides this process's
	Count   int
}

// Times of a worker's process.
const (
	tooSoon = 2 * time.Second        // a worker that dies sooner may never work
	patient = 5                      // times in a row
	pause   = 100 * time.Millisecond // before it is started again
	farGone = 3 * time.Second        // to end when it is told to
)

// Workers are the workers of this machine.
type Workers struct {
	o      Options
	failed chan error
	end    chan struct{}
	all    sync.WaitGroup

	mu     sync.Mutex
	alive  []*exec.Cmd // by place; nil where one is being started
	deaths int
}

// Start starts the workers.
func Start(o Options) *Workers {
	c := &Workers{o: o, failed: make(chan error, 1), end: make(chan struct{}), alive: make([]*exec.Cmd, o.Count)}
	for i := range o.Count {
		c.all.Go(func() { c.attend(i) })
	}
	return c
}

// Failed delivers one error when workers cannot work.
func (c *Workers) Failed() <-chan error { return c.failed }

// Deaths returns how many workers died and were replaced.
func (c *Workers) Deaths() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.deaths
}

// attend keeps one worker alive.
func (c *Workers) attend(place int) {
	for early := 0; ; {
		began := time.Now()
		said, err := c.work(place)
		select {
		case <-c.end:
			return
		default:
		}
		if err == nil {
			return // it has nothing to do any more
		}
		c.mu.Lock()
		c.deaths++
		c.mu.Unlock()
		if early++; time.Since(began) > tooSoon || killed(err) {
			early = 0
		}
		if early == patient {
			c.fail(fmt.Errorf("a worker ends %d times as soon as it is started: %w: %s", patient, err, said))
			return
		}
		select {
		case <-c.end:
			return
		case <-time.After(pause):
		}
	}
}

// killed reports whether somebody killed the worker: that is nothing of its own.
func killed(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.String() == "signal: killed"
}

// fail tells of the first failure.
func (c *Workers) fail(err error) {
	select {
	case c.failed <- err:
	default:
	}
}

// work runs one worker until it ends, and returns the last line that it said.
func (c *Workers) work(place int) (said string, err error) {
	cmd := exec.Command(c.o.Program, c.o.Args...)
	cmd.Args[0] = "fieldbrain" // whatever its file is called
	cmd.Env = append(os.Environ(), c.o.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C ends the sweep first, which ends them
	var words tail
	cmd.Stderr = &words
	leash, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	c.note(place, cmd)
	defer c.note(place, nil)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-c.end:
		err = stop(cmd, leash, done)
	}
	return words.last(), err
}

// stop ends a worker.
func stop(cmd *exec.Cmd, leash io.Closer, done <-chan error) error {
	_ = leash.Close() // tells the worker to end
	select {
	case err := <-done:
		return err
	case <-time.After(farGone):
		_ = cmd.Process.Kill() // it may have ended just now
		return <-done
	}
}

// note says who works in a place.
func (c *Workers) note(place int, cmd *exec.Cmd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alive[place] = cmd
}

// Kill kills n workers, chosen by pick, and returns how many there were to kill.
// Pick returns a number below its argument.
func (c *Workers) Kill(n int, pick func(below int) int) (killed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []*exec.Cmd
	for _, cmd := range c.alive {
		if cmd != nil {
			list = append(list, cmd)
		}
	}
	for ; n > 0 && len(list) > 0; n-- {
		i := pick(len(list))
		if list[i].Process.Kill() == nil {
			killed++
		}
		list = append(list[:i], list[i+1:]...)
	}
	return killed
}

// Close ends every worker.
func (c *Workers) Close() {
	close(c.end)
	c.all.Wait()
}

// A tail keeps the end of what a process says.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailSize is how much of it, in bytes.
const tailSize = 4096

// Write keeps the end of a text.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailSize):]
	return len(p), nil
}

// last returns the last line.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return strings.ToValidUTF8(string(lines[len(lines)-1]), "?")
}
