//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
)

// phases are what stamps lie behind, by kernel; the first is the block's beginning.
var phases = [][]string{
	{"", "ticket", "input", "profiles or senses", "maps", "done", "learned"},
	{"", "share", "lateral", "wait", "update", "sums", "trace", "trace 2", "trace 3", "trace 4"},
	{"", "wait", "sums", "answer", "library"},
}

// stamps are those of a tick, by kernel and block.
type stamps [3][kernels.StampBlocks]kernels.Stamp

// Timeline lets a tick with everything running leave its stamps and prints what every
// block did: where it ran, when it began, and for how many cycles of its multiprocessor.
// image is of a diagnostic build. The calling goroutine is locked to its thread.
func Timeline(image []byte, step field.StepKind, out io.Writer) (err error) {
	setup := gpu.Setup{Params: whole(), Step: step, Wait: gpu.WaitYield}
	r, err := openRig(&setup, image)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if err := r.warm(r.warmth()); err != nil {
		return err
	}
	found := new(stamps)
	at, err := r.memory(int(unsafe.Sizeof(*found)))
	if err != nil {
		return err
	}
	memory, err := r.variant(func(b *kernels.Memory) { b.Stamps = at })
	if err != nil {
		return err
	}
	nodes := r.ticks()
	for i := range nodes {
		nodes[i].memory = memory
	}
	l, err := r.load(nodes, 3)
	if err != nil {
		return err
	}
	if _, err := l.span(); err != nil {
		return err
	}
	if err := cu.MemcpyDtoH(unsafe.Pointer(found), cu.DevicePtr(at), int64(unsafe.Sizeof(*found))); err != nil {
		return fmt.Errorf("worker: copy the stamps: %w", err)
	}
	if found[0][0].Began == 0 {
		return errors.New("worker: these kernels leave no stamps: make stamps builds some that do")
	}
	return found.print(r.program, &setup.Params, out)
}

// print writes a line per block.
func (s *stamps) print(p *kernels.Program, params *field.Params, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\tblock\twork\tprocessor\tbegan, us\tcycles\tof these\t")
	for k, launch := range p.Tick {
		for b := range min(launch.Blocks, kernels.StampBlocks) {
			stamp := &s[k][b]
			fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%.2f\t", launch.Kernel, b, p.Describe(params, k, b), stamp.Processor,
				float64(int64(stamp.Began-s[0][0].Began))/1e3)
			last, parts := stamp.Clock[0], ""
			for i, clock := range stamp.Clock {
				if i == 0 || clock < last || clock == 0 {
					continue
				}
				parts += fmt.Sprintf(" %s %d", phases[k][min(i, len(phases[k])-1)], clock-last)
				last = clock
			}
			fmt.Fprintf(w, "%d\t%s\t\n", slices.Max(stamp.Clock[:])-stamp.Clock[0], parts)
		}
	}
	return w.Flush()
}
