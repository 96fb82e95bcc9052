package cpu_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/testbench/tier"
)

// golden are the hashes of the field and of everything the motors are decoded
// from, after 5, 20, 100 and 1,000 ticks of exercise 7: the same on every instruction
// set, thread count, step and processor. A change of the dynamics changes them; a
// change of an implementation must not.
var golden = []struct {
	ticks        int
	field, motor uint64
}{
	{5, 0xa94126ceafe24a93, 0x559c10e185fb0d1c},
	{20, 0xe1bc5171cd911a6f, 0xf2384c883050c4bb},
	{100, 0xb5c42719597c500a, 0xf70d1fff583d46e},
	{1000, 0x2c8f304683c70cad, 0x24ba85182de15600},
}

func TestOneHash(t *testing.T) {
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		for _, isa := range cpu.ISAs() {
			for _, threads := range []int{1, 2} {
				o := cpu.Options{ISA: isa, Threads: threads, Step: step}
				t.Run(fmt.Sprintf("%s/%s/%d", isa, step, threads), func(t *testing.T) {
					checkHash(t, o, hashTicks(t, o))
				})
			}
		}
	}
}

// hashTicks returns how many ticks a combination runs in this tier: in the quick
// one a thousand on the fastest, 100 on the others' collapsed step on one thread, 20
// on the rest; in the heavy one a thousand of every collapsed step on one thread, and
// 100 of the dense step, and on two, whose workers share every tick alike; in an
// emulator 100 at least. The dense step
// without vectors takes 30 s for a thousand, and minutes in an emulator, where only
// the fastest combination has its thousand and dense steps have few.
func hashTicks(t *testing.T, o cpu.Options) int {
	t.Helper()
	if o.Threads == 1 {
		tier.Alone(t, "without workers one goroutine computes")
	}
	fastest := o.Step == field.Collapsed && o.Threads == 1 && o.ISA == cpu.ISAs()[0]
	switch {
	case slow(o):
		tier.Alone(t, "the dense step in pure Go takes minutes, the collapsed one has the same workers")
		if o.Threads == 1 {
			tier.Native(t, "the dense step takes minutes and its hash is that of the collapsed one")
			tier.Heavy(t, "the dense step in pure Go on one thread")
		}
		return min(tier.Count(t, "ticks", 20, 100, 1000), tier.Fewer(t, "ticks", 1000, 5))
	case fastest:
		return 1000
	case o.Step == field.Dense && tier.Emulated():
		return tier.Fewer(t, "ticks", 100, 20)
	case tier.Emulated():
		return tier.Count(t, "ticks", 100, 100, 1000)
	case o.Threads == 2 || o.Step == field.Dense:
		return tier.Count(t, "ticks", 20, 100, 1000)
	}
	return tier.Count(t, "ticks", 100, 1000, 1000)
}

// slow says whether a combination computes every cell without vectors.
func slow(o cpu.Options) bool { return o.Step == field.Dense && o.ISA == cpu.PureGo }

func checkHash(t *testing.T, o cpu.Options, ticks int) {
	e, err := cpu.New(remembering(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d, motors := exercise.New(7), fnv.New64a()
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
		for _, want := range golden {
			if want.ticks != i+1 {
				continue
			}
			if f, m := field.Hash(e), motors.Sum64(); f != want.field || m != want.motor {
				t.Errorf("after %d ticks field %#x motors %#x, want %#x %#x", want.ticks, f, m, want.field, want.motor)
			}
		}
	}
}

// TestMarginals checks the fused sums against the plain loop over the
// expanded field.
func TestMarginals(t *testing.T) {
	tier.Alone(t, "one goroutine steps engines without workers")
	p := field.Default()
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		d := exercise.New(3)
		var out *field.Output
		for range 50 {
			out, _ = e.Step(d.Next())
		}
		buf := make([]float32, field.Cells)
		for c := range field.Channels {
			e.Read(field.Section(c), buf)
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
// with equal bits: snapshot, fail-over and restart rely on it.
func TestResume(t *testing.T) {
	tier.Alone(t, "the workers are those of TestOneHash")
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
	d := exercise.NewLoop(11, 9)
	for range 700 { // 3.5 s: some patterns are kept
		a.Step(d.Next())
	}
	buf := make([]float32, field.Cells)
	for c := range field.Sections {
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

// hashAll is the hash of every section, the patterns included.
func hashAll(e field.Engine) uint64 {
	buf, sum := make([]float32, field.Cells), fnv.New64a()
	for c := range field.Sections {
		if k, n, pattern := c.Pattern(); pattern && (n > 3 || k >= kept(e, buf)) {
			continue // of the default table nothing is there
		}
		e.Read(c, buf)
		binary.Write(sum, binary.LittleEndian, buf)
	}
	return sum.Sum64()
}

// kept counts the patterns, which lie side by side as long as there is room.
func kept(e field.Engine, buf []float32) (n int) {
	e.Read(field.LibrarySection, buf)
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
	tier.Alone(t, "TestOneHash has the same workers")
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		for _, isa := range cpu.ISAs() {
			o := cpu.Options{ISA: isa, Threads: 2, Step: step}
			t.Run(fmt.Sprintf("%s/%s", isa, step), func(t *testing.T) {
				if slow(o) {
					tier.Alone(t, "the dense step in pure Go takes minutes")
					tier.Heavy(t, "the dense step in pure Go")
				}
				if step == field.Dense {
					if isa != cpu.ISAs()[0] {
						tier.Heavy(t, "200 dense ticks of all but the fastest")
					}
					tier.Native(t, "the dense step takes minutes")
					tier.Alone(t, "the collapsed step has the same workers")
				}
				checkLibrary(t, o)
			})
		}
	}
}

func checkLibrary(t *testing.T, o cpu.Options) {
	p := remembering()
	p.Period = 40 * time.Millisecond
	e, err := cpu.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d, led := exercise.NewLoop(5, 6), 0
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
	t.Logf("%d patterns, something recalled in %d of 200 ticks", n, led)
	if writes := newest(e); writes <= n {
		t.Errorf("%d patterns of %d writes: none was confirmed", n, writes)
	}
	if h := hashAll(e); h != library200 || n < 10 || led < 20 {
		t.Errorf("%#x, want %#x, of 10 patterns or more that lead", h, uint64(library200))
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(field.Default(), cpu.Options{ISA: isa, Threads: 2, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		d := exercise.New(1)
		if n := testing.AllocsPerRun(10, func() { e.Step(d.Next()) }); n != 0 {
			t.Errorf("%s: %v allocations per step, want 0", isa, n)
		}
		e.Close()
	}
}

// TestLibraryDoesNotAllocate: in 200 steps contexts, episodes and patterns have their
// turn. Workers are left out: the runtime allocates now and then when one sleeps.
func TestLibraryDoesNotAllocate(t *testing.T) {
	tier.Alone(t, "one goroutine steps engines without workers")
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(remembering(), cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		d := exercise.New(1)
		second := func() {
			for range 200 {
				e.Step(d.Next())
			}
		}
		if n := allocations(second); n != 0 {
			t.Errorf("%s: %d allocations in 200 steps, want 0", isa, n)
		}
		e.Close()
	}
}

func TestQualityPeriods(t *testing.T) {
	in := exercise.New(2).Next()
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
	e.Step(exercise.New(1).Next())
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
	e.Read(field.LibrarySection, buf)
	c := field.NewCatalogue(buf)
	for k := range field.MaxPatterns {
		n = max(n, int(c.Version(k)))
	}
	return n
}
