package gpu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Program is the name of the child's program.
const Program = "fieldbrain-gpu"

// Find returns the path of the child's program: the one given, which must be
// absolute, else the one beside the running program. It looks nowhere else: who
// may put a program on the PATH, or choose the folder in which the daemon starts,
// must not choose what the daemon runs.
func Find(path string) (string, error) {
	if path != "" && !filepath.IsAbs(path) {
		return "", fmt.Errorf("gpu: %q is no absolute path: correct engine.gpu_path, or leave it empty for %s beside this program", path, Program)
	}
	given := path != ""
	if !given {
		self, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("gpu: where is this program? %w; name %s in engine.gpu_path", err, Program)
		}
		path = filepath.Join(filepath.Dir(self), Program)
	}
	found, err := exec.LookPath(path)
	switch {
	case err != nil && given:
		return "", fmt.Errorf("gpu: %w; build it with make gpu, or correct engine.gpu_path", err)
	case err != nil:
		return "", fmt.Errorf("gpu: %w: it is not beside this program; build it with make gpu, or name it in engine.gpu_path", err)
	}
	return found, nil
}

// A child is one process with its page.
type child struct {
	cmd     *exec.Cmd
	mapping *Mapping
	caller  *caller
	stderr  *tail
	exited  chan struct{} // closed once it is reaped
	how     error         // how it ended, valid then; never nil
	engine  *Engine       // nil until it is ready
	offered bool          // somebody may have taken the engine
}

// launch starts the program on a new page. The calling goroutine must keep its
// thread: the kernel kills the child when the thread that started it ends.
func launch(o *Options) (*child, error) {
	path, err := Find(o.Path)
	if err != nil {
		return nil, err
	}
	text, err := o.Setup.Encode()
	if err != nil {
		return nil, err
	}
	mapping, page, err := newPage(o.Setup.Hash())
	if err != nil {
		return nil, err
	}
	defer page.Close()
	read, write, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("gpu: pipe to the child: %w", err), mapping.Close())
	}
	defer read.Close()
	defer write.Close()
	c := &child{mapping: mapping, caller: newCaller(mapping.Page, o.spin()), stderr: new(tail), exited: make(chan struct{})}
	c.cmd = exec.Command(path)
	c.cmd.ExtraFiles = []*os.File{page, read} // descriptors 3 and 4
	c.cmd.Stderr = c.stderr
	c.cmd.Env = environment(append(os.Environ(), o.Env...))
	c.cmd.WaitDelay = time.Second // a grandchild that left the group may hold stderr open
	// Its own group: Ctrl-C on the terminal is for the daemon alone, and what the
	// child starts ends with it.
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if _, err = c.cmd.StdinPipe(); err == nil { // stays open as long as this process lives
		err = c.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("gpu: start %s: %w", path, err), mapping.Close())
	}
	go c.watch()
	_ = write.SetWriteDeadline(time.Now().Add(o.StartLimit))
	_, err = write.Write(text) // a child that died does not read: its end says more
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		err = fmt.Errorf("gpu: hand the setup to the child: %w", err)
		if stays := c.bury(stuck); stays != nil {
			return nil, errors.Join(err, stays)
		}
		return nil, errors.Join(err, mapping.Close())
	}
	return c, nil
}

// environment leaves out the variables between this process and its service manager.
func environment(all []string) (kept []string) {
	for _, v := range all {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES":
		default:
			kept = append(kept, v)
		}
	}
	return kept
}

// watch reaps the process as soon as it ends and tells the client that waits.
func (c *child) watch() {
	endGroup(c.cmd.Process.Pid)
	err := c.cmd.Wait()
	c.how = fmt.Errorf("process %d: %s", c.cmd.Process.Pid, c.cmd.ProcessState)
	if err != nil && c.cmd.ProcessState == nil {
		c.how = err
	}
	if words := c.stderr.String(); words != "" {
		c.how = fmt.Errorf("%w; it said: %s", c.how, words)
	}
	c.caller.giveUp()
	close(c.exited)
}

// ready waits until the child takes orders.
func (c *child) ready(ctx context.Context, limit time.Duration) error {
	end := time.NewTimer(limit)
	defer end.Stop()
	look := time.NewTicker(2 * time.Millisecond) // at one word; nothing else tells
	defer look.Stop()
	head := &c.mapping.Page.Head
	for {
		switch load(&head.State) {
		case ChildReady:
			return nil
		case ChildFailed:
			return fmt.Errorf("%w: %s", ErrStart, text(head.Fault[:]))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.exited:
			if load(&head.State) == ChildFailed {
				continue
			}
			return fmt.Errorf("%w: %w", ErrStart, c.how)
		case <-end.C:
			return fmt.Errorf("%w: not ready within %v: is the device in use, its driver stuck, or this machine too busy to compile for a new card?", ErrStart, limit)
		case <-look.C:
		}
	}
}

// stuck is how long a killed process may take to end before that is an error: a
// driver can hold one in the kernel.
const stuck = 5 * time.Second

// Parting is how long the end of a supervisor waits for a child that it has killed:
// long enough for a driver to give a card back, and less than a service manager
// leaves the daemon (TimeoutStopSec), which has a brain to save. What is still there
// then goes to the first process of the system.
const Parting = time.Second

// kill ends the process, if it has not ended by itself, and its whole group: what it
// started must not hold the card.
func (c *child) kill() {
	select {
	case <-c.exited: // reaped: the number may be another's
	default:
		killGroup(c.cmd.Process.Pid)
	}
}

// killGroup ends the processes of a group whose leader has this number and is not
// reaped yet, so that the number is nobody else's.
func killGroup(leader int) { _ = syscall.Kill(-leader, syscall.SIGKILL) }

// endGroup waits for the end of a process without reaping it, then ends the rest of
// its group.
func endGroup(leader int) {
	for unix.Waitid(unix.P_PID, leader, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	killGroup(leader)
}

// Group makes a command, before it starts, the leader of a group of its own that
// dies with it: when its context ends, and when the thread that starts it does.
// EndGroup ends what it leaves behind.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second // a grandchild that left the group may hold a pipe open
}

// Run starts a command that Group has prepared and waits for its end and its
// group's.
func Run(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	endGroup(cmd.Process.Pid)
	return cmd.Wait()
}

// bury kills the process and reaps it, unless it takes longer than patience.
func (c *child) bury(patience time.Duration) error {
	c.kill()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-c.exited:
	case <-timer.C:
		return fmt.Errorf("gpu: process %d does not die: the driver holds it; look at dmesg", c.cmd.Process.Pid)
	}
	return nil
}

// tail keeps the end of a child's standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 1024

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

// String returns the last lines in one.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return printable([]byte(strings.ReplaceAll(strings.TrimSpace(string(t.text)), "\n", " | ")))
}
