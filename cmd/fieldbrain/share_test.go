package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/gpu/fake"
	"fieldbrain/verdict"
)

// Constants of BenchmarkShare.
const (
	shareRounds = 8               // pairs of daemons
	shareLength = 5 * time.Second // that each is looked at while it drives
	shareGoal   = 0.05            // of one processor, with a card
)

// BenchmarkShare is how much of one processor a daemon takes that drives the simulated
// car in real time, on the processor and with a card that answers at once: the fake
// child, which after its proof computes nothing. The card's work is not in it, only
// what is left to the daemon.
//
//	go test ./cmd/fieldbrain -run '^$' -bench Share -benchtime 1x
func BenchmarkShare(b *testing.B) {
	program, err := exec.LookPath("fieldbrain")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var card, processor []float64
		for range shareRounds {
			card = append(card, shareOf(b, program, true))
			processor = append(processor, shareOf(b, program, false))
		}
		with, err := verdict.Scaled(card, shareGoal)
		if err != nil {
			b.Fatal(err)
		}
		alone, err := verdict.Scaled(processor, 1)
		if err != nil {
			b.Fatal(err)
		}
		ratio, err := verdict.Pairs(card, processor)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(verdict.Median(card)*100, "%-with")
		b.ReportMetric(alone.Ratio*100, "%-alone")
		b.Logf("with a card %s times %g %% of a processor, without %s of one, ratio %s", with.Short(), shareGoal*100, alone.Short(), ratio.Short())
	}
}

// shareOf starts a daemon, waits until it drives on what it shall drive on, and returns
// the share of one processor that all its threads took.
func shareOf(b *testing.B, program string, card bool) float64 {
	b.Helper()
	folder := shortFolder(b)
	socket, settings := filepath.Join(folder, "c.sock"), "[engine]\nquality = \"full\"\n"
	want := "cpu/"
	if card {
		child := filepath.Join(folder, "card.sh")
		script := fmt.Sprintf("#!/bin/sh\n%s='instant served 1' exec %s \"$@\"\n", fake.Env, program)
		if err := os.WriteFile(child, []byte(script), 0o755); err != nil {
			b.Fatal(err)
		}
		settings += fmt.Sprintf("kind = \"cuda\"\ngpu_path = %q\ngpu_deadline = \"1s\"\n", child)
		want = "cuda/"
	}
	config := filepath.Join(folder, "share.toml")
	if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
		b.Fatal(err)
	}
	run := exec.Command(program, "run", "--body", "sim", "--arm", "--view", "off", "--config", config, "--socket", socket)
	var said strings.Builder
	run.Stderr = &said
	if err := run.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = run.Process.Signal(os.Interrupt)
		_ = run.Wait() // on a starved machine it may end with an error of the bus: not judged
	}()
	driving := func() bool {
		a, err := daemon.Call(b.Context(), socket, daemon.Request{Command: "status"})
		return err == nil && a.Status != nil && a.Status.Armed && strings.HasPrefix(a.Status.Engine, want)
	}
	for tries := 0; !driving(); tries++ {
		if tries == 600 {
			b.Fatalf("the daemon never drove on %s:\n%s", want, said.String())
		}
		time.Sleep(100 * time.Millisecond)
	}
	before, began := computed(b, run.Process.Pid), time.Now()
	time.Sleep(shareLength)
	took := computed(b, run.Process.Pid) - before
	share := took.Seconds() / time.Since(began).Seconds()
	if !driving() {
		b.Fatalf("the daemon drives on %s no more:\n%s", want, said.String())
	}
	return share
}

// computed returns the processor time of a process's threads
// (Documentation/scheduler/sched-stats.rst: the first field of schedstat, ns).
func computed(b *testing.B, pid int) (sum time.Duration) {
	b.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(files) == 0 {
		b.Fatalf("no threads of process %d: %v", pid, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a thread that has ended meanwhile
		}
		first, _, _ := strings.Cut(string(text), " ")
		ns, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			b.Fatalf("%s: %v", name, err)
		}
		sum += time.Duration(ns)
	}
	return sum
}
