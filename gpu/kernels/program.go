package kernels

import (
	"fmt"

	"fieldbrain/field"
)

// Launch geometry, also in shared.cuh.
const (
	prepThreads   = field.Plane
	evolveThreads = 512
	firstCoupling = 2
	pitch         = field.Side + 2 // 16-bit cells between two rows of a tile
	maxChildren   = 4
)

// A Launch is how one kernel is started. Every kernel takes one argument, the
// device address of a Memory.
type Launch struct {
	Kernel  string
	Blocks  int
	Threads int
	Shared  int // bytes of dynamic shared memory
}

// A Work item is the share of one block in the evolve pass: part `Part` of as many
// as Parts says.
type Work struct {
	Channel, Part, Parts int32
}

// A Program says how a card computes a field: which kernels run in a tick, in this
// order, and which move whole sections.
type Program struct {
	Layout    field.Layout
	Constants *field.Constants
	Half      bool // activations in half precision
	Work      []Work
	Children  [maxChildren * field.Channels]int32
	Moved     []int32 // channels that are displaced by the body's motion
	Patterns  int     // cells of patterns and episodes

	Tick                []Launch
	Read, Write, Resume Launch
}

// NewProgram divides the field of valid params among the blocks of a device, each of
// which may use `shared` bytes of shared memory. The error says how much is missing.
func NewProgram(p *field.Params, step field.StepKind, half bool, shared int) (*Program, error) {
	l := field.NewLayout(&p.Table, step)
	program := &Program{Layout: l, Constants: field.NewConstants(p, &l), Half: half, Patterns: p.PatternCells()}
	planes, kernel := 16, "fieldbrain_evolve_f32"
	if half {
		kernel = "fieldbrain_evolve_f16"
	}
	if tiles(planes)+reserve > shared {
		planes, kernel = 8, kernel+"_small"
	}
	if tiles(planes)+reserve > shared {
		return nil, fmt.Errorf("kernels: a block needs %d bytes of shared memory, the device has %d", tiles(planes)+reserve, shared)
	}
	if err := program.family(p); err != nil {
		return nil, err
	}
	program.share(p, planes)
	program.Tick = []Launch{
		{Kernel: "fieldbrain_prep", Blocks: firstCoupling + field.MaxCouplings + len(program.Moved) + program.kept(), Threads: prepThreads},
		{Kernel: kernel, Blocks: len(program.Work), Threads: evolveThreads, Shared: tiles(planes)},
		{Kernel: "fieldbrain_motor", Blocks: 1, Threads: prepThreads},
	}
	program.Read = Launch{Kernel: "fieldbrain_read", Blocks: 8, Threads: prepThreads}
	program.Write = Launch{Kernel: "fieldbrain_write", Blocks: 1, Threads: prepThreads}
	program.Resume = Launch{Kernel: "fieldbrain_rest", Blocks: field.Channels, Threads: prepThreads}
	return program, nil
}

// kept is how many blocks copy what patterns keep: a channel each.
func (q *Program) kept() int {
	if q.Patterns == 0 {
		return 0
	}
	return field.Strategic
}

// reserve is the static shared memory of the evolve kernels at most, in bytes.
const reserve = 3 << 10

// tiles returns the bytes of the two tiles of a block that owns some planes.
func tiles(planes int) int { return 2 * 2 * planes * field.Side * pitch }

// family finds the traces that follow each channel, and what motion displaces.
func (q *Program) family(p *field.Params) error {
	for i := range q.Children {
		q.Children[i] = -1
	}
	for t := range p.Table {
		kind := p.Table[t].Regime.Kind
		if kind == field.Amari || kind == field.Linear {
			if p.Table[t].Egocentric {
				q.Moved = append(q.Moved, int32(t))
			}
			continue
		}
		if kind == field.Mapping {
			continue
		}
		c, n := p.Table[t].Source, 0
		for n < maxChildren && q.Children[maxChildren*c+n] >= 0 {
			n++
		}
		if n == maxChildren {
			return fmt.Errorf("kernels: more than %d traces follow channel %d %s; the processor's engines have no such limit",
				maxChildren, c, p.Table[c].Name)
		}
		q.Children[maxChildren*c+n] = int32(t)
	}
	return nil
}

// share splits the channels into blocks, most work first, so that the last
// blocks to start are the short ones.
func (q *Program) share(p *field.Params, planes int) {
	var small []Work
	for c := range p.Table {
		if k := p.Table[c].Regime.Kind; k == field.Memory || k == field.Leaky {
			continue // in the block of the channel it follows
		}
		if q.Layout.Storage[c].Extent[0] == 1 {
			small = append(small, Work{Channel: int32(c), Parts: 1})
			continue
		}
		parts := field.Side / planes
		for part := range parts {
			q.Work = append(q.Work, Work{Channel: int32(c), Part: int32(part), Parts: int32(parts)})
		}
	}
	q.Work = append(q.Work, small...)
}

// Bytes returns the least that one dense tick reads and writes when every channel
// runs: each activation once each way.
func (q *Program) Bytes() int {
	perCell := 8
	if q.Half {
		perCell = 4
	}
	n := 0
	for c := range q.Layout.Storage {
		each := perCell
		if k := field.Kind(q.Constants.Channels[c].Kind); k != field.Amari && k != field.Linear {
			each = 8
		}
		n += each * q.Layout.Storage[c].Size()
	}
	return n
}

// denseMB is the least traffic of a dense tick of the default field in 1e6 bytes.
func denseMB(half bool) float64 {
	p := field.Default()
	q := Program{Layout: field.NewLayout(&p.Table, field.Dense), Half: half}
	q.Constants = field.NewConstants(&p, &q.Layout)
	return float64(q.Bytes()) / 1e6
}
