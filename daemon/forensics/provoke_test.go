package forensics_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"fieldbrain/daemon/forensics"
	"fieldbrain/testbench/tier"
)

// provocations are how often a cause is provoked where every one counts.
const provocations = 10

// TestProvoked holds up a real loop in every way and wants the cause named. Each hold
// lasts eight periods, so that it outweighs what a busy machine does by itself.
func TestProvoked(t *testing.T) {
	tier.Heavy(t, "a real loop is held up, a second and more for each time")
	times := tier.Count(t, "times each cause is provoked", 3, 3, provocations)
	for _, cause := range []forensics.Cause{
		forensics.Collection, forensics.HigherPriority, forensics.SlowEngine, forensics.SlowBus,
		forensics.Suspended, forensics.PageFaults, forensics.MachineStood,
	} {
		t.Run(string(cause), func(t *testing.T) { provoke(t, cause, times) })
	}
}

// provoke holds up a victim so many times, ten where one of them is named otherwise; nine in
// ten must be named.
func provoke(t *testing.T, cause forensics.Cause, times int) {
	cmd := exec.Command(os.Args[0], string(cause), t.TempDir())
	cmd.Env = append(os.Environ(), roleKey+"="+victimRole)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_ = cmd.Wait()
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		if lines.Text() == "refused" {
			t.Skip("the kernel gives no real-time class here: nobody can have a higher one")
		}
		t.Fatalf("the victim said %q", lines.Text())
	}
	named := 0
	for n := 0; n < times; n++ {
		if _, err := fmt.Fprintln(in); err != nil || !lines.Scan() {
			t.Fatalf("the victim ended at %d: %v", n, err)
		}
		got, sentence, _ := strings.Cut(lines.Text(), "\t")
		t.Logf("%s: %s", got, sentence)
		if got == string(cause) {
			named++
		} else { // a stop that falls into the step looks like one that sleeps
			times = provocations
		}
	}
	t.Logf("%s: named rightly %d of %d times", cause, named, times)
	if named*10 < times*9 {
		t.Errorf("%s: named rightly %d of %d times only", cause, named, times)
	}
}
