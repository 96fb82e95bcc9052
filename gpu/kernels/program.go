package kernels

import (
	"fmt"

	"fieldbrain/field"
)

// Launch geometry, also in shared.cuh.
const (
	prepThreads   = 512 // so that a block of the evolve pass has room beside one
	planeThreads  = field.Plane
	evolveThreads = 512
	pitch         = field.Side + 2 // 16-bit cells between two rows of a tile
	maxChildren   = 4
)

// A Card is what a Program must know of a device.
type Card struct {
	Processors int  // multiprocessors
	Shared     int  // bytes of shared memory that a block may be allowed
	Planes     int  // of a block of the evolve pass, 16 or 8; 0 is what suits the device
	Overlap    bool // a kernel of a graph may begin while the one before it runs
}

// many is the number of multiprocessors from which blocks of 16 planes are too few:
// a dense field of 64 channels has 90 of them, and the longest decides.
const many = 64

// planes returns how many planes a block of the evolve pass owns.
func (c *Card) planes() int {
	switch {
	case tiles(16)+reserve > c.Shared:
		return 8
	case c.Planes != 0:
		return c.Planes
	case c.Processors > many:
		return 8
	}
	return 16
}

// A Launch is how one kernel is started. Every kernel takes one argument, the
// device address of a Memory.
type Launch struct {
	Kernel  string
	Blocks  int
	Threads int
	Shared  int // bytes of dynamic shared memory
}

// A Program says how a card computes a field: which kernels run in a tick, in this
// order, and which move whole sections.
type Program struct {
	Layout    field.Layout
	Constants *field.Constants
	Half      bool // activations in half precision
	Overlap   bool // the evolve pass begins while the preparation runs, and the end likewise
	Together  bool // the blocks of the preparation are no more than the card's multiprocessors
	Planes    int  // of a block of the evolve pass
	Tasks     []Task
	Work      []Work
	Children  [maxChildren * field.Channels]int32
	Moved     []int32 // channels that are displaced by the body's motion
	Patterns  int     // cells of patterns and episodes

	Tick                []Launch
	Read, Write, Resume Launch
}

// NewProgram divides the field of valid params among the blocks of a card. The error
// says how much shared memory is missing.
func NewProgram(p *field.Params, step field.StepKind, half bool, card Card) (*Program, error) {
	if err := p.Whole(); err != nil {
		return nil, err
	}
	l := field.NewLayout(&p.Table, step)
	program := &Program{Layout: l, Constants: field.NewConstants(p, &l), Half: half, Overlap: card.Overlap, Patterns: p.PatternCells()}
	planes, kernel := card.planes(), "fieldbrain_evolve_f32"
	program.Planes = planes
	if half {
		kernel = "fieldbrain_evolve_f16"
	}
	if planes == 8 {
		kernel += "_small"
	}
	if tiles(planes)+reserve > card.Shared {
		return nil, fmt.Errorf("kernels: a block needs %d bytes of shared memory, the device has %d", tiles(planes)+reserve, card.Shared)
	}
	if err := program.family(p); err != nil {
		return nil, err
	}
	program.prepare(p)
	program.Together = len(program.Tasks) <= card.Processors
	program.share(p, planes)
	program.order(card.Processors)
	program.Tick = []Launch{
		{Kernel: "fieldbrain_prep", Blocks: len(program.Tasks), Threads: prepThreads},
		{Kernel: kernel, Blocks: len(program.Work), Threads: evolveThreads, Shared: tiles(planes)},
		{Kernel: "fieldbrain_motor", Blocks: 1, Threads: planeThreads},
	}
	program.Read = Launch{Kernel: "fieldbrain_read", Blocks: 8, Threads: planeThreads}
	program.Write = Launch{Kernel: "fieldbrain_write", Blocks: 1, Threads: planeThreads}
	program.Resume = Launch{Kernel: "fieldbrain_rest", Blocks: field.Channels, Threads: planeThreads}
	return program, nil
}

// reserve is the static shared memory of the evolve kernels at most, in bytes.
const reserve = 12<<10 + 512

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
