package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/field/cpu/model"
	"fieldbrain/testbench/tier"
)

// text is what a compiler could make of a loop with a branch within, a loop that was
// unrolled twice, and a call.
const text = `	.text
pair:
	mov	x9, 0
.L2:
	add	x9, x9, 1
	cmp	x9, x10
	bne	.L2
.L3:
#APP
// 12 "rows.h" 1
	// loop: weigh
// 0 "" 2
#NO_APP
	ldr	q0, [x0]
	cbz	x1, .L4
	.loc 1 2
	fadd	v0.4s, v0.4s, v1.4s
.L4:
	subs	x2, x2, #1
	b.ne	.L3
.L7:
	// loop: read
	ldr	q0, [x0]
	// loop: read
	ldr	q0, [x0, 16]
	tbz	x3, 4, .L7
	ret
	.size	pair, .-pair
calls:
.L9:
	// loop: row
	bl	memcpy
	b	.L9
	.size	calls, .-calls
`

// TestCutLoops: a loop is the smallest one around its name, whole, and counts as often
// as it takes its part.
func TestCutLoops(t *testing.T) {
	lines, err := function(text, "pair")
	if err != nil {
		t.Fatal(err)
	}
	got, err := cutLoops(lines, &model.Entry{Name: "pair", Loops: map[string]int{"weigh": 1, "read": 1}})
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %+v", err, got)
	}
	if d := cmp.Diff("\tldr\tq0, [x0]\n\tcbz\tx1, .L4\n\tfadd\tv0.4s, v0.4s, v1.4s\n\tsubs\tx2, x2, #1\n\tb.ne\t.L3\n", got[0].body); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if got[0].PerRow != 1 || got[1].PerRow != 0.5 || strings.Count(got[1].body, "ldr") != 2 {
		t.Errorf("%+v", got)
	}
}

// TestCutLoopsRefuses what would be counted wrongly.
func TestCutLoopsRefuses(t *testing.T) {
	for _, c := range []struct {
		function, why string
		loops         map[string]int
	}{
		{"pair", `1 loops "weigh", want 2`, map[string]int{"weigh": 2, "read": 1}},
		{"pair", "loops 2, want 3", map[string]int{"weigh": 1, "read": 1, "row": 1}},
		{"calls", "it calls: bl", map[string]int{"row": 1}},
	} {
		lines, err := function(text, c.function)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = cutLoops(lines, &model.Entry{Loops: c.loops}); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", c.function, err, c.why)
		}
	}
	if _, err := function(text, "other"); err == nil {
		t.Error("a function that is not there")
	}
}

// TestFresh makes the report anew, where the tools are those that made it.
func TestFresh(t *testing.T) {
	tier.Heavy(t, "it compiles the NEON engine for arm64")
	tier.Alone(t, "it compares a compiler's text")
	tools, err := find()
	if err != nil {
		t.Skip(err)
	}
	want, err := model.ReadReport()
	if err != nil {
		t.Fatal(err)
	}
	if tools.compiler != want.Compiler || tools.counts != want.Analyzer {
		t.Skipf("here are %s and %s, the report is of %s and %s", tools.compiler, tools.counts, want.Compiler, want.Analyzer)
	}
	got, err := tools.make("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("run make neon: -want +got:\n%s", d)
	}
}

// TestFind: a tool that is missing is named with what installs it.
func TestFind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := find(); err == nil || !strings.Contains(err.Error(), "g++-aarch64-linux-gnu") {
		t.Errorf("no compiler: %v", err)
	}
	folder := t.TempDir()
	play := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder)
	play("aarch64-linux-gnu-g++", "echo 12.2.0\n")
	if _, err := find(); err == nil || !strings.Contains(err.Error(), "apt install llvm-19") {
		t.Errorf("no llvm-mca: %v", err)
	}
	play("llvm-mca", "echo LLVM version 19.1.7\n")
	if _, err := exec.LookPath("sh"); err != nil {
		t.Setenv("PATH", folder+":/bin:/usr/bin")
	}
	if got, err := find(); err != nil || got.compiler != "aarch64-linux-gnu-g++ 12.2.0" || got.counts != "llvm-mca 19.1.7" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestScaled: a conversion that scales is counted like one that does not.
func TestScaled(t *testing.T) {
	const text = "\tfadd\tv1.4s, v2.4s, v3.4s\n\tfcvtzu\tv16.4s, v0.4s, #13\n\tfcvtzs\tv1.4s, v2.4s\n\tshl\tv1.4s, v2.4s, 13\n"
	want := strings.Replace(text, ", #13", "", 1)
	if d := cmp.Diff(want, scaled.ReplaceAllString(text, "$1")); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
