package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/guardbench"
	"fieldbrain/daemon"
	"fieldbrain/daemon/guard"
	"fieldbrain/testbench/tier"
)

// guardProgram compiles fieldbrain-guard.
func guardProgram(t *testing.T) string {
	t.Helper()
	tier.Native(t, "daemon and guard are processes of this machine")
	tier.Alone(t, "daemon and guard are processes of their own")
	tier.Compiled(t, "a field in pure Go takes longer than a period, and the real car then disarms itself")
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler on this machine: there is no guard here")
	}
	path := filepath.Join(t.TempDir(), "fieldbrain-guard")
	if out, err := exec.Command(cc, "-std=gnu11", "-O2", "-static", "-o", path, "../fieldbrain-guard/guard.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// shortFolder returns a folder whose sockets have short names.
func shortFolder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "fb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// TestEveryDeathStopsTheMotors kills real daemons that drive a simulated HAT. Every
// one of them must leave the motors at zero; how soon is for fieldbrain bench guard.
func TestEveryDeathStopsTheMotors(t *testing.T) {
	program, err := exec.LookPath("fieldbrain")
	if err != nil {
		t.Fatal(err)
	}
	kinds, cannot := guardbench.Possible(guardbench.Kinds())
	for _, why := range cannot {
		t.Logf("%sa way to die: %v", tier.Mark, why)
	}
	o := guardbench.Options{
		Program: program, Guard: guardProgram(t), Folder: shortFolder(t), Kinds: kinds,
		Count: tier.Count(t, "deaths of each kind", 1, 4, 200), Seed: 1,
	}
	list, err := guardbench.Run(context.Background(), o)
	if err != nil {
		for _, name := range []string{"guard.log", "daemon.log"} {
			text, _ := os.ReadFile(filepath.Join(o.Folder, name))
			t.Logf("%s:\n%s", name, text[max(0, len(text)-4000):])
		}
		t.Fatal(err)
	}
	report := guardbench.Judge(list)
	if len(list) != o.Count*len(o.Kinds) || len(report.Rows) != len(o.Kinds) {
		t.Errorf("%d deaths of %d kinds", len(list), len(report.Rows))
	}
	for _, d := range list {
		if d.Duty <= 0 || d.After <= 0 {
			t.Errorf("a death that proves nothing: %+v", d)
		}
	}
	for _, row := range report.Rows {
		if row.By["guard"] == 0 && row.Limit == 0 {
			t.Errorf("%s: the guard has not stopped the motors once: %v", row.Kind, row.By)
		}
		t.Logf("%s: p50 %v, p100 %v, by %v", row.Kind, row.P50, row.P100, row.By)
	}
}

// A person stops the car through the guard, the daemon knows it, and comes back
// when it is told to; a guard that dies disarms the car until the next one runs.
func TestGuardedCar(t *testing.T) {
	program, err := exec.LookPath("fieldbrain")
	if err != nil {
		t.Fatal(err)
	}
	b, err := guardbench.NewCar(guardbench.Options{Program: program, Guard: guardProgram(t), Folder: shortFolder(t), Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			text, _ := os.ReadFile(b.Path("daemon.log"))
			t.Fatalf("%v\n%s", err, text[max(0, len(text)-4000):])
		}
	}
	must(b.Live())
	must(b.Drive(ctx))
	answer, err := daemon.StopAt(ctx, daemon.StopSocket(b.Path("g.sock")))
	if err != nil || !answer.OK {
		t.Fatalf("the guard's stop: %+v, %v", answer, err)
	}
	must(b.Until(ctx, "it knows", func(s *daemon.Status) bool {
		return !s.Armed && has(s, "guard-stopped") && strings.Contains(s.Failsafe, "LATCHED")
	}))
	must(b.Order(ctx, "reset"))
	must(b.Drive(ctx))
	must(b.KillGuard())
	must(b.Until(ctx, "it has no guard", func(s *daemon.Status) bool { return !s.Armed && has(s, "guard") }))
	if err := b.Order(ctx, "arm"); err == nil || !strings.Contains(err.Error(), "no-guard") {
		t.Errorf("armed without a guard: %v", err)
	}
	must(b.StartGuard(ctx))
	must(b.Until(ctx, "it has a guard", func(s *daemon.Status) bool { return !has(s, "guard") }))
	must(b.Drive(ctx))
	if text, err := guard.Ask(b.Path("g.sock"), "status"); err != nil || !strings.Contains(text, "line=1") {
		t.Errorf("the second guard has no line: %q, %v", text, err)
	}
	must(b.Signal(syscall.SIGSTOP))
	out, err := exec.Command(program, "estop", "--socket", b.Path("c.sock"), "--guard", b.Path("g.sock")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "stopped by fieldbrain-guard") {
		t.Errorf("estop beside a daemon that stands: %v\n%s", err, out)
	}
	must(b.Signal(syscall.SIGCONT))
	must(b.Until(ctx, "it is latched", func(s *daemon.Status) bool { return !s.Armed && strings.Contains(s.Failsafe, "LATCHED") }))
}

// A daemon that is told to end while the car drives stops the motors by itself and says
// that all went well: the end of its loop is no death, and the guard has nothing to do.
func TestEndWhileDriving(t *testing.T) {
	program, err := exec.LookPath("fieldbrain")
	if err != nil {
		t.Fatal(err)
	}
	b, err := guardbench.NewCar(guardbench.Options{Program: program, Guard: guardProgram(t), Folder: shortFolder(t), Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for range tier.Count(t, "ends", 1, 3, 20) {
		err := b.Live()
		if err == nil {
			err = b.Drive(ctx)
		}
		if err == nil {
			err = b.End()
		}
		if err != nil {
			text, _ := os.ReadFile(b.Path("daemon.log"))
			t.Fatalf("%v\n%s", err, text[max(0, len(text)-4000):])
		}
	}
	text, err := os.ReadFile(b.Path("guard.log"))
	if err != nil || strings.Contains(string(text), "thread is dead") {
		t.Errorf("the guard took an end for a death: %v\n%s", err, text)
	}
}

// has reports whether a condition holds.
func has(s *daemon.Status, name string) bool {
	for _, c := range s.Conditions {
		if c.Name == name {
			return true
		}
	}
	return false
}

// The bench says what is wrong before it kills anything, and its report reads back.
func TestBenchGuardUsage(t *testing.T) {
	for _, kinds := range []string{"kill,drown", ""} {
		if _, err := guardbench.ParseKinds(kinds); err == nil {
			t.Errorf("kinds %q are taken", kinds)
		}
	}
	list := []guardbench.Death{{Kind: "kill", Duty: 1, After: time.Millisecond, Beyond: time.Millisecond, By: "guard"}, {Kind: "stop", Beyond: 30 * time.Millisecond, By: "guard"}}
	report := guardbench.Judge(list)
	if len(report.Rows) != 2 || report.Rows[0].Over != 0 || report.Rows[1].Over != 1 || report.Rows[1].P100 != 30*time.Millisecond {
		t.Errorf("%+v", report.Rows)
	}
	text, err := json.Marshal(report)
	var back guardbench.Report
	if err = errors.Join(err, json.Unmarshal(text, &back)); err != nil || len(back.Deaths) != 2 {
		t.Errorf("%v %+v", err, back)
	}
	var b strings.Builder
	if err := report.Print(&b); err != nil || !strings.Contains(b.String(), "verdict: missed") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
