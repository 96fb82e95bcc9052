//go:build cuda

package worker

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/tier"
)

// TestBench runs the whole bench with one round. Times are only held to be times.
func TestBench(t *testing.T) {
	tier.Native(t, "takes minutes")
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	rounds := 0
	r, err := Bench(BenchOptions{
		Step: field.Collapsed, Wait: gpu.WaitYield, Rounds: 1, Image: kernels.Fatbin(), Progress: func(int, int) { rounds++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	if rounds != 1 || r.Device == "" || r.Compute == "" || r.Driver == "" || r.Date == "" || r.Step != "collapsed" || r.Wait != "yield" {
		t.Errorf("%d rounds, head %+v", rounds, r)
	}
	var names []string
	for _, row := range r.Rows {
		names = append(names, row.Name)
		for _, v := range []float64{row.Us, row.P99, row.XCopy.Ratio, row.XScale.Ratio, row.GBs, float64(row.Bytes)} {
			if !(v > 0) || math.IsInf(v, 0) {
				t.Errorf("row %+v: %v is no measurement", row, v)
			}
		}
	}
	want := []string{bench.Copy, bench.Scale, bench.Prep, bench.Evolve, bench.Gradient, bench.Motor, bench.Pattern, bench.Planner, bench.Cycle}
	if got := strings.Join(names, ", "); got != strings.Join(want, ", ") {
		t.Errorf("rows %s", got)
	}
	if row := r.Rows[7]; !(row.RaysS > 0) || !strings.Contains(row.Note, "cells per ray") || strings.Contains(row.Note, " 0.0 cells") {
		t.Errorf("planner %+v", row)
	}
	choices := map[string]int{}
	for _, a := range r.Ablation {
		choices[a.Name]++
		if a.Gain.Rounds == 0 && a.Note == "" || a.Gain.Rounds != 0 && !(a.OnUs > 0 && a.OffUs > 0 && a.Gain.Ratio > 0) || a.Default == "" {
			t.Errorf("choice %+v", a)
		}
	}
	if len(r.Ablation) != 13 || choices["wait for the answer"] != 2 || choices["kernels of a tick"] != 1 || choices["copies on a second stream"] != 1 {
		t.Errorf("choices %v", choices)
	}
	if l := r.Latency; l.Count < 1 || !(l.P50 > 0) || !(l.P999 >= l.P50) {
		t.Errorf("latency %+v", l)
	}
	var out bytes.Buffer
	if err := r.JSON(&out); err != nil {
		t.Fatal(err)
	}
	if _, err := bench.Decode(out.Bytes()); err != nil {
		t.Error(err)
	}
}

// warmRig returns a rig that has ticked; the test keeps its thread until its end.
func warmRig(t *testing.T, ticks int) *rig {
	t.Helper()
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	s := setup(field.Collapsed)
	r, err := openRig(&s, kernels.Fatbin())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.close() })
	if err := r.warm(ticks); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBenchMatches: the row of the library does its work: the best three are those
// of the processor's cosines.
func TestBenchMatches(t *testing.T) {
	r := warmRig(t, 20)
	stage, at, err := r.matching()
	if err != nil {
		t.Fatal(err)
	}
	if us, err := stage.Subject.Turn(); err != nil || !(us > 0) {
		t.Fatalf("a turn: %v us, %v", us, err)
	}
	var l field.Library
	if err := cu.MemcpyDtoH(unsafe.Pointer(&l), cu.DevicePtr(at), int64(unsafe.Sizeof(l))); err != nil {
		t.Fatal(err)
	}
	var cosines [field.PatternRow]float32
	field.Cosines(&l.Context, &l.Z, &cosines)
	for n, k := range l.Best.Index {
		better := 0
		for j, c := range cosines[:field.MaxPatterns] {
			if c > cosines[int(k)] || c == cosines[int(k)] && j < int(k) {
				better++
			}
		}
		if l.Best.Cosine[n] != cosines[int(k)] || better != n || l.Z == [field.NumSenses]float32{} {
			t.Errorf("place %d: pattern %v at %v, which the processor finds at %v behind %d others", n, k, l.Best.Cosine[n], cosines[int(k)], better)
		}
	}
}

// TestBenchLeavesTheField wants the stages, repeated alone, to leave the field
// as it was: otherwise a row would time a field that no tick has.
func TestBenchLeavesTheField(t *testing.T) {
	r := warmRig(t, 10)
	stages, err := r.stages()
	if err != nil {
		t.Fatal(err)
	}
	before := field.Hash(&reader{r: r})
	for _, stage := range stages[:len(stages)-1] {
		if _, err := stage.Turn(); err != nil {
			t.Fatal(err)
		}
		if after := field.Hash(&reader{r: r}); after != before {
			t.Errorf("%s changed the field", stage.Name)
		}
	}
	if _, err := stages[len(stages)-1].Turn(); err != nil {
		t.Fatal(err)
	}
	if field.Hash(&reader{r: r}) == before {
		t.Error("the full cycle left the field as it was")
	}
}

// TestBenchParts: with less input and with fewer blocks everything takes its turn, and
// leaves field and input as they were, unless it is a whole tick or learns from a frame of
// the senses.
func TestBenchParts(t *testing.T) {
	r := warmRig(t, 10)
	stages, err := r.stages()
	if err != nil {
		t.Fatal(err)
	}
	parts, err := r.pieces(stages)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
		before := field.Hash(&reader{r: r})
		if us, err := p.Turn(); err != nil || !(us > 0) || p.Bytes <= 0 {
			t.Errorf("%s: %v us, %v, %d bytes", p.Name, us, err, p.Bytes)
		}
		changes := strings.HasPrefix(p.Name, bench.Cycle) || p.Name == "prep, a frame of the senses"
		if same := field.Hash(&reader{r: r}) == before; same == changes || r.seen().In != r.frozen {
			t.Errorf("%s: the same field is %v, the same input %v", p.Name, same, r.seen().In == r.frozen)
		}
	}
	for _, want := range []string{"prep, no stimulus", "full cycle, traces rest", "evolve, the longest block alone", "evolve, linear channels"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %q among %q", want, names)
		}
	}
}

// TestSelfTest wants the self-test to pass, and to fail where the card
// computes wrongly.
func TestSelfTest(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var out strings.Builder
	err := SelfTest(kernels.Fatbin(), 3, &out)
	if err != nil || strings.Count(out.String(), "PASS ") != 3 {
		t.Errorf("%v:\n%s", err, out.String())
	}
}

// TestSelfTestFails lets the software driver spoil the total of channel 0, and a
// gain of the plan.
func TestSelfTestFails(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	soft(t)
	var p gpu.Page
	total := unsafe.Offsetof(p.Out) + unsafe.Offsetof(p.Out.Marginals) + unsafe.Offsetof(p.Out.Marginals[0].Total)
	out, err := again(t, "TestSelfTest", fmt.Sprintf("SOFTCUDA_WRONG_RESULT=4+:%d", total))
	if err == nil || !strings.Contains(out, "FAIL collapsed, 3 ticks: ") || !strings.Contains(out, ErrDiffers.Error()+": tick") {
		t.Errorf("%v, want a failure that says where:\n%s", err, out)
	}
	gain := unsafe.Offsetof(p.Plan) + unsafe.Offsetof(p.Plan.Answer) + unsafe.Offsetof(p.Plan.Answer.Fans[0].Gain)
	out, err = again(t, "TestSelfTest", fmt.Sprintf("SOFTCUDA_WRONG_RESULT=4+:%d", gain))
	if err == nil || !strings.Contains(out, "FAIL planner: "+ErrDiffers.Error()) || !strings.Contains(out, "PASS dense") {
		t.Errorf("%v, want a failure of the planner alone:\n%s", err, out)
	}
}
