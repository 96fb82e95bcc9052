//go:build cuda

package worker

import (
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
)

// Clocks of the ablations.
const (
	onDevice = "device"
	onHost   = "host"
)

// walk lets a path take turns: a tick that is not timed, then some that are.
func (r *rig) walk(name string, t *path) *bench.Subject {
	return r.clocked(name, func(n int) error {
		for range n {
			if err := t.tick(r.ask()); err != nil {
				return err
			}
		}
		return nil
	})
}

// clocked times ticks on the host's clock, after one that is not timed.
func (r *rig) clocked(name string, run func(n int) error) *bench.Subject {
	return &bench.Subject{Name: name, Turn: func() (float64, error) {
		if err := run(1); err != nil {
			return 0, err
		}
		begin := time.Now()
		err := run(r.steps)
		return float64(time.Since(begin)) / 1e3 / float64(r.steps), err
	}}
}

// hostWays compares how a tick comes from the host and back.
func (r *rig) hostWays() ([]bench.Switch, error) {
	wait := r.options.Setup.Wait
	paths := map[gpu.Wait]*bench.Subject{}
	for _, w := range []gpu.Wait{gpu.WaitSpin, gpu.WaitYield, gpu.WaitBlock} {
		t, err := r.path(r.Worker, w)
		if err != nil {
			return nil, err
		}
		paths[w] = r.walk("tick, wait "+string(w), t)
	}
	base := paths[wait]
	t, err := r.path(r.Worker, wait)
	if err != nil {
		return nil, err
	}
	t.plain()
	plain := r.walk("tick, kernel by kernel", t)
	switches := []bench.Switch{{
		Name: "one graph", Clock: onHost, Default: "graph",
		On: bench.Way{Label: "graph", Subject: base}, Off: bench.Way{Label: "three launches", Subject: plain},
	}}
	for _, w := range []gpu.Wait{gpu.WaitSpin, gpu.WaitYield, gpu.WaitBlock} {
		if w != wait {
			switches = append(switches, bench.Switch{
				Name: "wait for the answer", Clock: onHost, Default: string(wait),
				On: bench.Way{Label: string(wait), Subject: base}, Off: bench.Way{Label: string(w), Subject: paths[w]},
			})
		}
	}
	copies, err := r.copyWays(base)
	if err != nil {
		return nil, err
	}
	depth, err := r.depths()
	return append(append(copies, switches...), depth), err
}

// copyWays compares the registered page with copies of input and answer, from
// ordinary and from pinned memory, on one stream and on two.
func (r *rig) copyWays(base *bench.Subject) ([]bench.Switch, error) {
	at, err := r.memory(pageBytes)
	if err != nil {
		return nil, err
	}
	far, err := r.beside(r.program, &window{page: r.options.Page, seen: r.seen(), device: at, owned: r.window.owned})
	if err != nil {
		return nil, err
	}
	if err := r.adopt(far); err != nil {
		return nil, err
	}
	pageable, pinned, err := r.hostPages()
	if err != nil {
		return nil, err
	}
	var ways []bench.Way
	for _, c := range []struct {
		label string
		page  *gpu.Page
		two   bool
	}{{"pageable copies", pageable, false}, {"pinned copies", pinned, false}, {"pinned, two streams", pinned, true}} {
		t, err := r.path(far, r.options.Setup.Wait)
		if err != nil {
			return nil, err
		}
		t.copies(c.page, at, c.two)
		ways = append(ways, bench.Way{Label: c.label, Subject: r.walk("tick with "+c.label, t)})
	}
	name, own := "registered page", bench.Way{Label: "registered", Subject: base}
	if !r.window.registered() {
		name, own.Label = "pinned page, the driver refuses to register", "seen by the kernels"
	}
	return []bench.Switch{
		{Name: name, Clock: onHost, Default: own.Label, On: own, Off: ways[0]},
		{Name: name, Clock: onHost, Default: own.Label, On: own, Off: ways[1]},
		{Name: "pinned copies", Clock: onHost, Default: "no copies", On: ways[1], Off: ways[0]},
		{Name: "copies on a second stream", Clock: onHost, Default: "no copies", On: ways[2], Off: ways[1]},
	}, nil
}

// hostPages returns a page of ordinary memory and one of pinned memory, with the
// frozen input.
func (r *rig) hostPages() (pageable, pinned *gpu.Page, err error) {
	memory, err := unix.Mmap(-1, 0, pageBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_POPULATE)
	if err != nil {
		return nil, nil, err
	}
	r.made = append(r.made, func() error { return unix.Munmap(memory) })
	locked, _, err := pin(pageBytes)
	if err != nil {
		return nil, nil, err
	}
	r.made = append(r.made, func() error { return unpin(locked) })
	pageable, pinned = (*gpu.Page)(unsafe.Pointer(&memory[0])), (*gpu.Page)(locked)
	pageable.In, pinned.In = r.frozen, r.frozen
	return pageable, pinned, nil
}

// depths compares two ticks under way with one.
func (r *rig) depths() (bench.Switch, error) {
	t, err := r.path(r.Worker, r.options.Setup.Wait)
	ring := func(depth int) *bench.Subject {
		return r.clocked("ring", func(n int) error { return t.ring(depth, n) })
	}
	return bench.Switch{
		Name: "ring of two inputs", Clock: onHost, Default: "one under way",
		On: bench.Way{Label: "two under way", Subject: ring(2)}, Off: bench.Way{Label: "one under way", Subject: ring(1)},
		Note: "throughput only: the loop needs each answer before the next input exists",
	}, err
}

// deviceWays compares how the field is stored and computed.
func (r *rig) deviceWays(cycle *bench.Subject) ([]bench.Switch, error) {
	s := r.options.Setup
	hot, err := r.rotated(cycle)
	if err != nil {
		return nil, err
	}
	half, err := kernels.NewProgram(&s.Params, s.Step, true, r.Device.Card())
	if err != nil {
		return nil, err
	}
	halves, err := r.other("tick in fp16", half)
	if err != nil {
		return nil, err
	}
	planes, err := r.planes(cycle)
	if err != nil {
		return nil, err
	}
	serial, err := r.serial(cycle)
	if err != nil {
		return nil, err
	}
	return []bench.Switch{
		{Name: "storage", Clock: onDevice, Default: "fp32", On: bench.Way{Label: "fp16", Subject: halves}, Off: bench.Way{Label: "fp32", Subject: cycle}},
		hot, planes, serial,
		{
			Name: "prefetch of the next sensors", Default: "none",
			Note: "the first kernel reads the page itself, and the next input does not exist before this answer",
		},
	}, nil
}

// serial compares kernels that overlap with kernels that do not, if this card's can.
func (r *rig) serial(cycle *bench.Subject) (bench.Switch, error) {
	s, card := r.options.Setup, r.Device.Card()
	overlap := bench.Switch{Name: "kernels of a tick", Clock: onDevice, Default: "one after the other", Note: "this card's kernels, or its driver's graphs, cannot overlap"}
	if !r.program.Overlap {
		return overlap, nil
	}
	card.Overlap = false
	program, err := kernels.NewProgram(&s.Params, s.Step, false, card)
	if err != nil {
		return overlap, err
	}
	other, err := r.other("tick of kernels one after the other", program)
	return bench.Switch{
		Name: "kernels of a tick", Clock: onDevice, Default: "overlapping",
		On: bench.Way{Label: "overlapping", Subject: cycle}, Off: bench.Way{Label: "one after the other", Subject: other},
	}, err
}

// planes compares the planes that a block owns with the other number, if a block has
// room for that.
func (r *rig) planes(cycle *bench.Subject) (bench.Switch, error) {
	s, card, own := r.options.Setup, r.Device.Card(), r.program.Planes
	card.Planes = 16 + 8 - own
	planes := bench.Switch{
		Name: "planes of a block", Clock: onDevice, Default: fmt.Sprint(own),
		Note: "this card's blocks have no room for 16",
	}
	program, err := kernels.NewProgram(&s.Params, s.Step, false, card)
	if err != nil || program.Planes == own {
		return planes, err
	}
	other, err := r.other(fmt.Sprintf("tick with %d planes", program.Planes), program)
	planes.On, planes.Off = bench.Way{Label: fmt.Sprint(own), Subject: cycle}, bench.Way{Label: fmt.Sprint(program.Planes), Subject: other}
	planes.Note = ""
	return planes, err
}

// other makes the subject of a tick of another program, warmed up by itself.
func (r *rig) other(name string, program *kernels.Program) (*bench.Subject, error) {
	w, err := r.beside(program, r.window)
	if err != nil {
		return nil, err
	}
	for range r.warmth() {
		r.seen().In = *r.inputs.Next()
		if err := w.launcher.tick(r.ask()); err != nil {
			return nil, err
		}
	}
	r.freeze()
	return r.subject(name, w.ticks(), 1)
}

// rotated compares the cycle with one that finds nothing in the second-level
// cache: fields take turns until they are three times as large as that.
func (r *rig) rotated(cycle *bench.Subject) (bench.Switch, error) {
	own, most := 2*4*r.program.Layout.Cells, 128
	if r.software {
		most = 2
	}
	n := min(most, max(2, 1+3*r.Device.cache()/own))
	nodes := r.ticks()
	for range n - 1 {
		w, err := r.beside(r.program, r.window)
		if err != nil {
			return bench.Switch{}, err
		}
		if err := r.adopt(w); err != nil {
			return bench.Switch{}, err
		}
		nodes = append(nodes, w.ticks()...)
	}
	cold, err := r.subject("tick of fields in turn", nodes, n)
	return bench.Switch{
		Name: "field stays in the cache", Clock: onDevice, Default: "one field",
		On: bench.Way{Label: "one field", Subject: cycle}, Off: bench.Way{Label: "fields in turn", Subject: cold},
		Note: fmt.Sprintf("%d fields, %d MiB; the cache has %d MiB", n, n*own>>20, r.Device.cache()>>20),
	}, err
}

// warmth is how many ticks form peaks.
func (r *rig) warmth() int {
	if r.software && r.options.Setup.Step == field.Dense {
		return 2
	}
	return 28
}
