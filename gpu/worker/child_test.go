//go:build !cuda

package worker_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
)

// A parent starts the child without the supervisor, to end it in its own way.
type parent struct {
	cmd    *exec.Cmd
	page   *gpu.Page
	stdin  io.Closer
	stderr words
}

// words collect what a process says while it runs.
type words struct {
	mu   sync.Mutex
	text []byte
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	return len(p), nil
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.text)
}

// newPage makes a page for a setup.
func newPage(t *testing.T, s *gpu.Setup) (*gpu.Page, *os.File) {
	t.Helper()
	fd, err := unix.MemfdCreate("test page", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "page")
	const size = int(unsafe.Sizeof(gpu.Page{}))
	if err := file.Truncate(int64(size)); err != nil {
		t.Fatal(err)
	}
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err != nil {
		t.Fatal(err)
	}
	mem, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(mem) })
	page := (*gpu.Page)(unsafe.Pointer(&mem[0]))
	h := &page.Head
	h.Magic, h.Version, h.Size, h.ParamsHash = gpu.Magic, gpu.Version, uint64(size), s.Hash()
	h.SizeIn, h.SizeOut = uint64(unsafe.Sizeof(page.In)), uint64(unsafe.Sizeof(page.Out))
	return page, file
}

// start starts the child on a page for a setup and hands it a text as setup.
func start(t *testing.T, path string, env []string, s *gpu.Setup, text []byte) *parent {
	t.Helper()
	page, file := newPage(t, s)
	defer file.Close()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	p := &parent{cmd: exec.Command(path), page: page}
	p.cmd.ExtraFiles, p.cmd.Env, p.cmd.Stderr = []*os.File{file, read}, env, &p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err == nil {
		_, err = write.Write(text)
	}
	if err = errors.Join(err, write.Close()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() }) // if the test gave up
	return p
}

// wants waits until the child is ready or gives up.
func (p *parent) wants(t *testing.T, state uint32) {
	t.Helper()
	for range 60_000 {
		switch atomic.LoadUint32(&p.page.Head.State) {
		case state:
			return
		case gpu.ChildStarting:
			time.Sleep(time.Millisecond)
		default:
			t.Fatalf("the child's state is %d, want %d: %s", p.page.Head.State, state, &p.stderr)
		}
	}
	t.Fatalf("the child says nothing for a minute: %s", &p.stderr)
}

// checkExpendable: the kernel ends the child before whoever started it.
func (p *parent) checkExpendable(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err != nil || n < 500 {
		t.Errorf("oom_score_adj is %q, want 500 or more; it said %s", text, &p.stderr)
	}
}

// checkRaised: one thread of the child is in real time, or it said why none is.
func (p *parent) checkRaised(t *testing.T, priority int) {
	t.Helper()
	if strings.Contains(p.stderr.String(), "LimitRTPRIO") {
		t.Logf("this machine does not let the child into real time: %s", &p.stderr)
		return
	}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	raised := 0
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			t.Fatal(err)
		}
		a, err := unix.SchedGetAttr(tid, 0)
		if err == nil && a.Policy == unix.SCHED_FIFO && int(a.Priority) == priority { // a thread may end meanwhile
			raised++
		}
	}
	if raised != 1 {
		t.Errorf("%d of %d threads have the priority %d, want 1; it said %s", raised, len(tasks), priority, &p.stderr)
	}
}

// TestEnds: the child ends with its standard input, also in the middle of a
// tick that hangs, and refuses a setup that is not the page's.
func TestEnds(t *testing.T) {
	lib := build(t)
	path := program(t, lib)
	s := gpu.Setup{Params: field.Default(), Step: field.Collapsed, Wait: gpu.WaitBlock, Priority: 2}
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("stdin closes", func(t *testing.T) {
		p := start(t, path, lib.Env(), &s, text)
		p.wants(t, gpu.ChildReady)
		p.checkExpendable(t)
		p.checkRaised(t, s.Priority)
		p.stdin.Close()
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, &p.stderr)
		}
	})
	t.Run("stdin closes in a hang", func(t *testing.T) {
		p := start(t, path, lib.Env("SOFTCUDA_HANG_LAUNCH=2"), &s, text)
		p.wants(t, gpu.ChildReady)
		p.page.In = *exercise.New(1).Next()
		p.page.Call.Order = gpu.OrderStep
		atomic.StoreUint32(&p.page.Call.Request, 1) // it looks again 100 ms later at the latest
		for !strings.Contains(p.stderr.String(), "hangs") {
			time.Sleep(time.Millisecond)
		}
		p.stdin.Close()
		if err := p.cmd.Wait(); err == nil || p.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(p.stderr.String(), "in the middle of a tick") {
			t.Errorf("%v: %s", err, &p.stderr)
		}
	})
	t.Run("another setup", func(t *testing.T) {
		other := s
		other.Half = true
		text, err := other.Encode()
		if err != nil {
			t.Fatal(err)
		}
		p := start(t, path, lib.Env(), &s, text)
		p.wants(t, gpu.ChildFailed)
		err = p.cmd.Wait()
		if fault := string(p.page.Head.Fault[:]); err == nil || !strings.Contains(fault, "made for parameters") || !strings.Contains(p.stderr.String(), "made for parameters") {
			t.Errorf("%v: page says %q, stderr %s", err, fault, &p.stderr)
		}
	})
}
