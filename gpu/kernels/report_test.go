package kernels

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"testing"

	"fieldbrain/field"
)

// TestReport holds the committed machine code to the sources and to its limits.
func TestReport(t *testing.T) {
	r, err := ReadReport()
	if err != nil {
		t.Fatal(err)
	}
	sources, err := HashSources(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if r.Sources != sources {
		t.Error("the machine code is older than the sources: run make kernels (needs nvcc) and commit what it writes")
	}
	if sum := sha256.Sum256(Fatbin()); r.Fatbin != hex.EncodeToString(sum[:]) {
		t.Error("fieldbrain.fatbin is not the one that report.json describes: run make kernels")
	}
	for _, c := range r.Complaints() {
		t.Error(c)
	}
	text, err := os.ReadFile("../../docs/kernels.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != r.Markdown() {
		t.Error("docs/kernels.md does not show report.json: run make kernels")
	}
	var archs []string
	for _, a := range r.Archs {
		archs = append(archs, a.Arch)
		if len(a.Kernels) < 9 {
			t.Errorf("%s: %d kernels, want all of them", a.Arch, len(a.Kernels))
		}
	}
	if want := []string{"sm_75", "sm_86", "sm_87", "sm_89", "sm_90"}; !slices.Equal(archs, want) {
		t.Errorf("architectures %v, want %v", archs, want)
	}
}

func TestComplaints(t *testing.T) {
	r := Report{Archs: []ArchReport{{Arch: "sm_87", Kernels: []KernelReport{
		{Name: "fieldbrain_evolve_f32", Registers: 65}, {Name: "fieldbrain_prep", Registers: 80, Spills: 8},
	}}}}
	want := []string{
		"sm_87 fieldbrain_evolve_f32 takes 65 registers, at most 64",
		"sm_87 fieldbrain_prep spills 8 bytes",
	}
	if got := r.Complaints(); !slices.Equal(got, want) {
		t.Errorf("complaints %q, want %q", got, want)
	}
}

// TestProgram checks that the blocks of the evolve pass own every plane of every
// channel once, and that kernels exist for what a device has.
func TestProgram(t *testing.T) {
	p := field.Default()
	for _, c := range []struct {
		name   string
		step   field.StepKind
		half   bool
		card   Card
		kernel string
	}{
		{"Orin, dense", field.Dense, false, Card{Processors: 16, Shared: 163 << 10}, "fieldbrain_evolve_f32"},
		{"Turing, dense", field.Dense, false, Card{Processors: 30, Shared: 64 << 10}, "fieldbrain_evolve_f32_small"},
		{"Ada, collapsed, halves", field.Collapsed, true, Card{Processors: 128, Shared: 99 << 10, Planes: 16}, "fieldbrain_evolve_f16"},
		{"Hopper, dense", field.Dense, false, Card{Processors: 132, Shared: 227 << 10}, "fieldbrain_evolve_f32_small"},
	} {
		program, err := NewProgram(&p, c.step, c.half, c.card)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := program.Tick[1]; got.Kernel != c.kernel || got.Shared+reserve > c.card.Shared || got.Blocks != len(program.Work) {
			t.Errorf("%s: evolve %+v, want %s within %d bytes", c.name, got, c.kernel, c.card.Shared)
		}
		planes := map[int32]int{}
		for _, w := range program.Work {
			planes[w.Channel] += program.Layout.Storage[w.Channel].Extent[0] / int(w.Parts)
		}
		for _, t := range program.Children {
			if t >= 0 {
				planes[t] = program.Layout.Storage[t].Extent[0]
			}
		}
		for ch := range p.Table {
			if got, want := planes[int32(ch)], program.Layout.Storage[ch].Extent[0]; got != want {
				t.Errorf("%s: %d planes of channel %d %s are computed, want %d", c.name, got, ch, p.Table[ch].Name, want)
			}
		}
	}
	if _, err := NewProgram(&p, field.Dense, false, Card{Processors: 16, Shared: 16 << 10}); err == nil {
		t.Error("a device with 16 KiB of shared memory was accepted")
	}
	for c := 16; c < 21; c++ { // five traces of one channel
		p.Table[c].Source, p.Table[c].Mask = 0, p.Table[0].Mask
	}
	if _, err := NewProgram(&p, field.Dense, false, Card{Processors: 16, Shared: 99 << 10}); err == nil {
		t.Error("five traces of one channel were accepted, blocks follow four")
	}
}

func TestRegions(t *testing.T) {
	p := field.Default()
	program, err := NewProgram(&p, field.Dense, false, Card{Processors: 16, Shared: 99 << 10})
	if err != nil {
		t.Fatal(err)
	}
	size := map[string]int{}
	for _, r := range program.Regions() {
		size[r.Name] = r.Bytes
	}
	if want := 4 * field.Cells * field.Channels; size["activation 0"] != want || size["activation 1"] != want || size["half 0"] != 0 {
		t.Errorf("regions %v, want two activations of %d bytes and no halves", size, want)
	}
	if size["belief"] == 0 || size["planner"] == 0 || size["rays"] == 0 {
		t.Errorf("regions %v, want room for the planner", size)
	}
	at := func(region string) Address {
		if _, known := size[region]; !known {
			t.Errorf("the memory wants region %q, which the program does not list", region)
		}
		return 4096
	}
	if b := program.Memory(at); b.Tasks == 0 || b.Work == 0 || b.Dense != 1 {
		t.Errorf("memory %+v does not fit the program", b)
	}
}
