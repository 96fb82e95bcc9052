//go:build cuda

package worker

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"fieldbrain/field"
	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/tier"
)

// TestTimelineWantsStamps: the product's kernels note nothing, and the error says who does.
func TestTimelineWantsStamps(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := Timeline(kernels.Fatbin(), field.Collapsed, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "make stamps") {
		t.Errorf("a timeline of the product's kernels: %v, want a word of make stamps", err)
	}
}

// TestTimeline: a block's line says where it ran, when, and for how many cycles in each of
// the phases that it had; one that began before the first block says so.
func TestTimeline(t *testing.T) {
	params := whole()
	program, err := kernels.NewProgram(&params, field.Dense, false, kernels.Card{Processors: 132, Shared: 227 << 10})
	if err != nil {
		t.Fatal(err)
	}
	s := new(stamps)
	for k := range s {
		for b := range s[k] {
			s[k][b] = kernels.Stamp{Began: uint64(5000 + 1000*k), Processor: uint32(b % 132)}
			for i := range phases[k] {
				s[k][b].Clock[i] = uint64(100 + 10*i*(b+1))
			}
		}
	}
	s[0][1].Began = 4968
	s[1][2].Clock[2] = 0 // a phase that it had not
	var out strings.Builder
	if err := s.print(program, &params, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	blocks := 1
	for _, l := range program.Tick {
		blocks += l.Blocks
	}
	if len(lines) != blocks {
		t.Errorf("%d lines for a head and %d blocks", len(lines), blocks-1)
	}
	for _, want := range []string{
		"fieldbrain_prep 0 input 1/1 0 0.00 60 ticket 10 input 10 profiles or senses 10 maps 10 done 10 learned 10",
		"maps 1/1 1 -0.03 120 ticket 20 input 20 profiles or senses 20 maps 20 done 20 learned 20",
		"share 30 wait 60 update 30", "fieldbrain_motor 0 0 2.00 40 wait 10 sums 10 answer 10 library 10",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
			t.Errorf("no %q:\n%.1500s", want, out.String())
		}
	}
}
