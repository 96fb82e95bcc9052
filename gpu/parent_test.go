package gpu_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/fake"
	"fieldbrain/testbench/tier"
)

// asParent turns the test binary into a client that waits to be killed. Its value
// is the program of that client's child.
const asParent = "FIELDBRAIN_TEST_PARENT"

// parent starts a fake child, prints its process number and waits.
func parent() (code int, is bool) {
	if os.Getenv(asParent) == "" {
		return 0, false
	}
	o := gpu.DefaultOptions(gpu.Setup{Params: field.Default(), Wait: gpu.WaitBlock}, judge)
	o.Path, o.Env, o.ProofLimit, o.Pace = os.Getenv(asParent), []string{fake.Env + "="}, long, 0
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		return 1, true
	}
	go func() { _ = s.Run(context.Background()) }()
	if _, err := s.Await(context.Background()); err != nil {
		return 1, true
	}
	fmt.Println(s.State().PID)
	time.Sleep(time.Hour)
	return 0, true
}

// No child outlives a daemon that is killed.
func TestChildDiesWithItsParent(t *testing.T) {
	self := program(t)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asParent+"="+self)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, bad := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || bad != nil {
		t.Fatalf("the parent says %q: %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for end := time.Now().Add(long); alive(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("child %d is still there", pid)
		}
	}
}

// alive reports whether a process runs: an unreaped one does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

// A holding is what a process has that can leak.
type holding struct {
	descriptors, pages, children, goroutines int
}

func held(t *testing.T) holding {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	h := holding{
		descriptors: len(fds), goroutines: runtime.NumGoroutine(),
		pages: strings.Count(string(maps), "memfd:fieldbrain-gpu"),
	}
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range tasks {
		text, _ := os.ReadFile(file) // a thread may end meanwhile
		h.children += len(strings.Fields(string(text)))
	}
	return h
}

// TestNothingLeaks fails a thousand times in every way there is and counts what
// is held before and after. Threads are not counted: Go keeps them.
func TestNothingLeaks(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	rounds := tier.Count(t, "failures", 60, 300, 1000)
	if tier.Race {
		rounds = min(rounds, 20)
		t.Logf("%s%d of 1000 failures under the race detector", tier.Mark, rounds)
	}
	orders := []string{
		"crash served 1", "refuse", "tick served 1", "magic", "fail served 1", "wrong proof 3",
		"hang served 1", "crash proof 1", "badread served 0", "silent proof 2",
	}
	base := held(t)
	for range 20 { // an earlier test's goroutines may still be ending
		time.Sleep(5 * time.Millisecond)
		base.goroutines = min(base.goroutines, runtime.NumGoroutine())
	}
	for i := range rounds {
		failOnce(t, orders[i%len(orders)], i)
	}
	var now holding
	for range 200 { // goroutines end a little after what they were for
		now = held(t)
		now.descriptors = max(now.descriptors, base.descriptors) // the runtime may have closed some
		now.goroutines = max(now.goroutines, base.goroutines)    // an earlier test's may have ended
		if now == base {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if now != base {
		t.Errorf("held before %+v, after %d failures %+v", base, rounds, now)
	}
}

// failOnce lets one child fail, in turn with its engine closed before or after
// the supervisor ends.
func failOnce(t *testing.T, orders string, i int) {
	t.Helper()
	o := options(t, orders)
	o.Tries = 1
	if strings.HasPrefix(orders, "hang") {
		o.Deadline, o.Pace = time.Millisecond, 0 // late or hanging: both are one failure
	}
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	e, err := s.Await(ctx)
	served := !slices.Contains([]string{"refuse", "magic", "wrong proof 3", "crash proof 1", "silent proof 2"}, orders)
	if (err == nil) != served {
		t.Fatalf("%s: %v", orders, err)
	}
	if served {
		e.Read(field.Heading, make([]float32, field.Cells))
		if n, err := fails(t, e, 1); err == nil {
			t.Errorf("%s: step %d did not fail", orders, n)
		}
		if i%20 < 10 {
			_ = e.Close()
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("%s: %v", orders, err)
	}
	if served {
		_ = e.Close()
	}
}
