package kernels

import "math"

// A Silicon is a card as the prediction sees it: figures of data sheets, and some that
// nobody has measured for these kernels.
type Silicon struct {
	Name, Arch string
	Card       Card
	Clock      float64 // GHz
	Resident   int     // bytes of shared memory of a multiprocessor
	Double     float64 // cycles that a multiprocessor needs for a warp's instruction on doubles
	Page       float64 // us, the first read of the page on the host
	Fence      float64 // us, until all that was written to the page is there
	Gap        float64 // us, between two kernels of a graph
	Bandwidth  float64 // GB/s of the memory, where the field does not stay in a cache; else 0
}

// Cards returns the cards for which docs/kernels.md has a prediction. Half the cycles
// of Double on a Hopper are the way of a result to the next instruction.
func Cards() []Silicon {
	return []Silicon{
		{"H200", "sm_90", Card{Processors: 132, Shared: 227 << 10, Overlap: true}, 1.98, 228 << 10, 4, 1.75, 0.8, 1.2, 0},
		{"RTX 4090", "sm_89", Card{Processors: 128, Shared: 99 << 10}, 2.52, 100 << 10, 16, 1.75, 0.8, 1, 0},
		{"AGX Orin", "sm_87", Card{Processors: 16, Shared: 163 << 10}, 1.3, 164 << 10, 16, 1, 0.5, 3, 204.8},
		{"Orin Nano", "sm_87", Card{Processors: 8, Shared: 163 << 10}, 0.625, 164 << 10, 16, 1, 0.5, 4, 68},
		{"Nano Super", "sm_87", Card{Processors: 8, Shared: 163 << 10}, 1.02, 164 << 10, 16, 1, 0.5, 3.5, 102},
	}
}

// How many instructions a multiprocessor issues per cycle with one and with two blocks
// of 16 warps on it, of at most 4: a judgement, from half-rate integer units and a
// chain of some 300 cycles per row. And the share of its memory's rate that a card
// reaches.
const (
	issueAlone, issueTwo = 2.5, 2.7
	reachedBandwidth     = 0.85
	cachePath            = 300 // cycles to the second-level cache and back
)

// A block of the model: what it issues before the gate, and behind it, and how long it
// waits there without issuing.
type load struct{ early, instructions, wait float64 }

// left is how long a block goes on as it does now, at a rate of issue.
func (b *load) left(now, gate, rate float64) float64 {
	switch {
	case b.early > 0:
		return b.early / rate
	case now < gate:
		return gate - now
	}
	return b.wait + b.instructions/rate
}

// run lets some time pass, no more than is left.
func (b *load) run(now, gate, rate, time float64) {
	switch {
	case b.early > 0:
		if b.early -= time * rate; b.early < 1e-6 {
			b.early = 0
		}
	case now < gate: // it waits
	default:
		waited := min(b.wait, time)
		b.wait -= waited
		b.instructions -= (time - waited) * rate
	}
}

// makespan returns the cycles until processors have carried out all loads, handed out
// in their order, each to the processor that has the fewest: at most `most` at once on
// one, which then share what it issues. What is behind the gate begins when that opens.
func makespan(loads []load, processors, most int, gate float64) float64 {
	on := make([][]load, processors)
	now, next, left := 0.0, 0, len(loads)
	for left > 0 {
		for next < len(loads) {
			to := 0
			for i := range on {
				if len(on[i]) < len(on[to]) {
					to = i
				}
			}
			if len(on[to]) >= most {
				break
			}
			b := loads[next]
			on[to] = append(on[to], load{max(b.early, 0), max(b.instructions, 0), max(b.wait, 0)})
			next++
		}
		step := math.Inf(1)
		for _, list := range on {
			for i := range list {
				step = min(step, list[i].left(now, gate, issue(len(list))))
			}
		}
		for i, list := range on {
			rate, kept := issue(len(list)), list[:0]
			for _, b := range list {
				b.run(now, gate, rate, step)
				if b.early > 0 || b.wait > 1e-6 || b.instructions > 1e-6 {
					kept = append(kept, b)
				}
			}
			left -= len(list) - len(kept)
			on[i] = kept
		}
		now += step
	}
	return now
}

// issue is the share of one block of n on a processor, in instructions per cycle.
func issue(n int) float64 {
	if n < 2 {
		return issueAlone
	}
	return issueTwo / float64(n)
}
