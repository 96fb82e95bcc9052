package bench

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/field/cpu"
	"fieldbrain/verdict"
)

// yardsticks are the reference operations, on buffers of the field's size: what the
// memory and the arithmetic of this machine give to one thread, and to more side by side.
// Two processors need not give twice what one does: they may share caches, a clock, or be
// two halves of one core that a virtual machine shows as two.
type yardsticks struct {
	src, dst []float32
	sides    []side
	copy     []float64
	scale    map[int][]float64  // by threads: ms of each round
	peak     map[side][]float64 // lane operations per second of each round, of all threads
}

// A side is an instruction set on so many threads.
type side struct {
	isa     string
	threads int
}

// fieldBytes is what a scale in place reads and writes.
const fieldBytes = fieldCells * 8

func newYardsticks(o Options) *yardsticks {
	y := &yardsticks{
		src: make([]float32, fieldCells), dst: make([]float32, fieldCells),
		scale: map[int][]float64{}, peak: map[side][]float64{},
	}
	for i := range y.src {
		y.src[i] = float32(i%97) + 1
	}
	for _, name := range o.ISAs {
		for _, n := range append([]int{1}, o.Threads...) {
			if s := (side{name, n}); !slices.Contains(y.sides, s) {
				y.sides = append(y.sides, s)
			}
		}
	}
	return y
}

// repeats are the operations that one time of a yardstick is taken of.
const repeats = 5

// measure times the operations of one round, copy and scale with their buffers
// in the caches, as the fields are. A copy counts as it usually is, because a step
// does; the scale, which the floor is made of, as it is at best.
func (y *yardsticks) measure() {
	threads := []int{1}
	for _, s := range y.sides {
		rates := make([]float64, s.threads)
		together(s.threads, func(i int) { rates[i] = cpu.Peak(s.isa) })
		sum := 0.0
		for _, r := range rates {
			sum += r
		}
		y.peak[s] = append(y.peak[s], sum)
		if !slices.Contains(threads, s.threads) {
			threads = append(threads, s.threads)
		}
	}
	var copies [repeats]float64
	copy(y.dst, y.src)
	for i := range copies {
		begin := time.Now()
		copy(y.dst, y.src)
		copies[i] = ms(time.Since(begin))
	}
	y.copy = append(y.copy, verdict.Median(copies[:]))
	for _, n := range threads {
		y.scale[n] = append(y.scale[n], y.scaled(n))
	}
}

// scaled is the least time in ms in which so many threads scale the buffer, each a part of
// its own that it has in its caches.
func (y *yardsticks) scaled(threads int) float64 {
	part := func(i int) []float32 { return y.src[i*fieldCells/threads : (i+1)*fieldCells/threads] }
	turn := func(i int) { cpu.Scale(part(i), 1.0000001) }
	var times [repeats]float64
	together(threads, turn)
	for i := range times {
		times[i] = ms(together(threads, turn))
	}
	return slices.Min(times[:])
}

// together runs work on so many threads at once and returns the time from the first one's
// begin to the last one's end, without what it takes to start them.
func together(threads int, work func(i int)) time.Duration {
	first, last := make([]time.Time, threads), make([]time.Time, threads)
	var ready atomic.Int32
	var done sync.WaitGroup
	for i := range threads {
		done.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for ready.Add(1); int(ready.Load()) < threads; {
				runtime.Gosched()
			}
			first[i] = time.Now()
			work(i)
			last[i] = time.Now()
		})
	}
	done.Wait()
	begin := slices.MinFunc(first, time.Time.Compare)
	return slices.MaxFunc(last, time.Time.Compare).Sub(begin)
}

// gains compares every side of more than one thread with one thread.
func (y *yardsticks) gains() []Gain {
	list := []Gain{}
	for _, s := range y.sides {
		if s.threads == 1 {
			continue
		}
		g := Gain{ISA: s.isa, Threads: s.threads, Memory: verdict.Median(y.scale[1]) / verdict.Median(y.scale[s.threads])}
		if one := y.peak[side{s.isa, 1}]; slices.Min(one) > 0 {
			g.Arithmetic = verdict.Median(y.peak[s]) / verdict.Median(one)
		}
		list = append(list, g)
	}
	return list
}
