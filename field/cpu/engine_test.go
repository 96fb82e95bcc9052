package cpu_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/drill"
)

// Golden hashes of the field and of everything the motors are decoded from,
// after 100 and 1,000 ticks of drill 7: the same on every instruction set,
// thread count, step and processor. A change of the dynamics changes them; a
// change of an implementation must not.
const (
	field100, motor100   = 0xb5c42719597c500a, 0xf70d1fff583d46e
	field1000, motor1000 = 0x2c8f304683c70cad, 0x24ba85182de15600
)

// full asks for 1,000 ticks even of the slowest combinations (set
// FIELDBRAIN_FULL=1); without it those run 100.
var full = os.Getenv("FIELDBRAIN_FULL") != ""

func TestOneHash(t *testing.T) {
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		for _, isa := range cpu.ISAs() {
			for _, threads := range []int{1, 2} {
				name := fmt.Sprintf("%s/%s/%d", isa, step, threads)
				t.Run(name, func(t *testing.T) {
					ticks := 1000
					slow := step == field.Dense && (isa == cpu.PureGo || isa == "neon")
					if (slow || testing.Short()) && !full {
						ticks = 100
						t.Logf("%s: 100 ticks here; FIELDBRAIN_FULL=1 runs 1,000", name)
					}
					checkHash(t, cpu.Options{ISA: isa, Threads: threads, Step: step}, ticks)
				})
			}
		}
	}
}

func checkHash(t *testing.T, o cpu.Options, ticks int) {
	e, err := cpu.New(remembering(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d, motors := drill.New(7), fnv.New64a()
	check := func(wantField, wantMotor uint64) {
		if f, m := field.Hash(e), motors.Sum64(); f != wantField || m != wantMotor {
			t.Errorf("field %#x motors %#x, want %#x %#x", f, m, wantField, wantMotor)
		}
	}
	for i := range ticks {
		out, err := e.Step(d.Next())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{&out.Marginals, out.Obstacle, &out.Blocked, &out.Heading, &out.Prediction, &out.Recall} {
			if err := binary.Write(motors, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
		if i == 99 {
			check(field100, motor100)
		}
	}
	if ticks == 1000 {
		check(field1000, motor1000)
	}
}

// TestMarginals checks the fused sums against the plain loop over the
// expanded field.
func TestMarginals(t *testing.T) {
	p := field.Default()
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		d := drill.New(3)
		var out *field.Output
		for range 50 {
			out, _ = e.Step(d.Next())
		}
		buf := make([]float32, field.Cells)
		for c := range field.Channels {
			e.Read(c, buf)
			if got, want := out.Marginals[c], plainMarginal(&p.Table[c], buf); got != want {
				t.Errorf("%s channel %d %s: total %d, want %d", isa, c, p.Table[c].Name, got.Total, want.Total)
			}
		}
		e.Close()
	}
}

func plainMarginal(ch *field.Channel, u []float32) field.Marginal {
	var m field.Marginal
	extent := func(axis field.Mask) int {
		if ch.Mask&axis != 0 {
			return field.Side
		}
		return 1
	}
	for x := range extent(field.X) {
		for y := range extent(field.Y) {
			for z := range extent(field.Z) {
				q := int32(ch.Regime.Kind.Output(u[(x*field.Side+y)*field.Side+z]))
				m.X[x] += q
				m.Y[y] += q
				m.Z[z] += q
				m.Total += q
			}
		}
	}
	for axis, sums := range map[field.Mask]*[field.Side]int32{field.X: &m.X, field.Y: &m.Y, field.Z: &m.Z} {
		if ch.Mask&axis == 0 {
			*sums = [field.Side]int32{}
		}
	}
	return m
}

// TestResume writes one engine's field into another and expects both to go on
// with equal bits: what a snapshot, a fail-over and a restart rely on.
func TestResume(t *testing.T) {
	isas := cpu.ISAs()
	a, err := cpu.New(remembering(), cpu.Options{ISA: isas[0], Threads: 1, Step: field.Collapsed})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := cpu.New(remembering(), cpu.Options{ISA: cpu.PureGo, Threads: 2, Step: field.Collapsed})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	d := drill.NewLoop(11, 9)
	for range 700 { // 3.5 s: some patterns are kept
		a.Step(d.Next())
	}
	buf := make([]float32, field.Cells)
	for c := range field.Sheets {
		a.Read(c, buf)
		b.Write(c, buf)
	}
	for range 60 {
		in := d.Next()
		in.Outcome = 0 // what was done before is known to the first alone
		a.Step(in)
		b.Step(in)
	}
	if x, y := hashAll(a), hashAll(b); x != y {
		t.Errorf("resumed engine has %#x, the original %#x", y, x)
	}
}

// remembering are the default parameters with everything on.
func remembering() field.Params {
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	return p
}

// hashAll is the hash of every sheet, the patterns included.
func hashAll(e field.Engine) uint64 {
	buf, sum := make([]float32, field.Cells), fnv.New64a()
	for c := range field.Sheets {
		if k, n, pattern := field.PatternOf(c); pattern && (n > 3 || k >= kept(e, buf)) {
			continue // of the default table nothing is there
		}
		e.Read(c, buf)
		binary.Write(sum, binary.LittleEndian, buf)
	}
	return sum.Sum64()
}

// kept counts the patterns, which lie side by side as long as there is room.
func kept(e field.Engine, buf []float32) (n int) {
	e.Read(field.Recalled, buf)
	for c := field.NewCatalogue(buf); n < field.MaxPatterns && c.Version(n) != 0; {
		n++
	}
	return n
}

// Golden hash of everything, patterns included, after 200 ticks of 40 ms of a
// loop of situations.
const library200 = 0x988a2becf233c9e3

// TestOneLibrary: every implementation keeps and recalls the same patterns.
func TestOneLibrary(t *testing.T) {
	p := remembering()
	p.Period = 40 * time.Millisecond
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		for _, isa := range cpu.ISAs() {
			name := fmt.Sprintf("%s/%s", isa, step)
			if slow := step == field.Dense && (isa == cpu.PureGo || isa == "neon"); slow && testing.Short() && !full {
				t.Logf("%s: not with -short", name)
				continue
			}
			e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 2, Step: step})
			if err != nil {
				t.Fatal(err)
			}
			d, led := drill.NewLoop(5, 6), 0
			for range 200 {
				out, err := e.Step(d.Next())
				if err != nil {
					t.Fatal(err)
				}
				if out.Recall.Gate > 0 {
					led++
				}
			}
			n := kept(e, make([]float32, field.Cells))
			t.Logf("%s: %d patterns, something recalled in %d of 200 ticks", name, n, led)
			if writes := newest(e); writes <= n {
				t.Errorf("%s: %d patterns of %d writes: none was confirmed", name, n, writes)
			}
			if h := hashAll(e); h != library200 || n < 10 || led < 20 {
				t.Errorf("%s: %#x, want %#x, of 10 patterns or more that lead", name, h, uint64(library200))
			}
			e.Close()
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(field.Default(), cpu.Options{ISA: isa, Threads: 2, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		d := drill.New(1)
		if n := testing.AllocsPerRun(50, func() { e.Step(d.Next()) }); n != 0 {
			t.Errorf("%s: %v allocations per step, want 0", isa, n)
		}
		e.Close()
	}
}

// TestLibraryDoesNotAllocate: in 200 steps contexts, slots and patterns have their
// turn. Workers are left out: the runtime allocates now and then when one sleeps,
// and so is the collector, which does as well.
func TestLibraryDoesNotAllocate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(remembering(), cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		d := drill.New(1)
		second := func() {
			for range 200 {
				e.Step(d.Next())
			}
		}
		if n := testing.AllocsPerRun(3, second); n != 0 {
			t.Errorf("%s: %v allocations in 200 steps, want 0", isa, n)
		}
		e.Close()
	}
}

func TestQualityPeriods(t *testing.T) {
	in := drill.New(2).Next()
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	in.Quality.Traces = 3
	if _, err := e.Step(in); err == nil || !strings.Contains(err.Error(), "1, 2, 4 or 8") {
		t.Errorf("quality with period 3: error %v, want one naming 1, 2, 4 or 8", err)
	}
}

func TestOptions(t *testing.T) {
	_, err := cpu.New(field.Default(), cpu.Options{ISA: "mmx", Threads: 1})
	if !errors.Is(err, cpu.ErrISA) || !strings.Contains(err.Error(), cpu.PureGo) {
		t.Errorf("unknown instruction set: %v, want ErrISA naming what there is", err)
	}
	if _, err = cpu.New(field.Default(), cpu.Options{ISA: "auto", Threads: 0}); err == nil {
		t.Error("0 threads accepted")
	}
	p := field.Default()
	p.Table[7].Diffusion = 0.17
	if _, err = cpu.New(p, cpu.DefaultOptions()); err == nil || !strings.Contains(err.Error(), "0.17") {
		t.Errorf("unstable diffusion: %v, want a refusal with its number", err)
	}
	if list := cpu.ISAs(); !slices.Contains(list, cpu.PureGo) {
		t.Errorf("instruction sets %v lack %s", list, cpu.PureGo)
	}
}

func TestCloseTwice(t *testing.T) {
	e, err := cpu.New(field.Default(), cpu.Options{ISA: "auto", Threads: 4, Step: field.Collapsed})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(drill.New(1).Next())
	for range 2 {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

func ExampleNew() {
	e, err := cpu.New(field.Default(), cpu.Options{ISA: cpu.PureGo, Threads: 1, Step: field.Collapsed})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	in := field.Input{Quality: field.Full()}
	in.Add(field.At(field.Line, 6, 20, 2)) // a line to the left
	for range 40 {
		in.Tick++
		e.Step(&in)
	}
	out, _ := e.Step(&in)
	x, _ := field.Centroid(&out.Marginals[field.Line].X)
	fmt.Printf("%s: peak at bin %.0f\n", e.Name(), x)
	// Output: cpu/purego/collapsed/1: peak at bin 20
}

// newest returns the newest version of any pattern: how many were written.
func newest(e field.Engine) (n int) {
	buf := make([]float32, field.Cells)
	e.Read(field.Recalled, buf)
	c := field.NewCatalogue(buf)
	for k := range field.MaxPatterns {
		n = max(n, int(c.Version(k)))
	}
	return n
}
