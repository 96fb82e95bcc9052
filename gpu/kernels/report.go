package kernels

import (
	"crypto/sha256"
	_ "embed" // the machine code and its report
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed fieldbrain.fatbin
var fatbin []byte

//go:embed report.json
var report []byte

// Fatbin returns the machine code of all kernels: for sm_75, 86, 87, 89 and 90,
// and PTX from which a driver makes code for other cards.
func Fatbin() []byte { return fatbin }

// A Report is what the compiler says about the kernels, without running them.
type Report struct {
	Sources  string        // hash of the sources it was made from
	Fatbin   string        // SHA-256 of the machine code
	Compiler string        // name and version
	Archs    []ArchReport  // in the order of their numbers
	Phases   []PhaseReport // of the evolve pass in single precision
}

// An ArchReport lists the kernels of one architecture.
type ArchReport struct {
	Arch    string // "sm_87"
	Kernels []KernelReport
}

// A KernelReport is one kernel on one architecture.
type KernelReport struct {
	Name         string
	Registers    int // per thread
	Spills       int // bytes stored to and loaded from memory for want of registers
	Stack        int // bytes
	Shared       int // bytes of static shared memory
	Instructions int // in the machine code
}

// A PhaseReport says how many instructions a warp issues in one phase of the evolve
// pass, or one task of the preparation: branches not taken included, a loop once.
type PhaseReport struct {
	Arch, Phase  string
	PerRow       float64 // for one row of 32 cells
	Instructions int     // of the code
	Doubles      int     // of these, on doubles
}

// ReadReport returns the committed report.
func ReadReport() (Report, error) {
	var r Report
	if err := json.Unmarshal(report, &r); err != nil {
		return Report{}, fmt.Errorf("kernels: report.json: %w; make it again with make kernels", err)
	}
	return r, nil
}

// sources are all files that the machine code is made from.
var sources = [...]string{
	"gpu/kernels/*.cu", "gpu/kernels/*.cuh", "gpu/kernels/*.h", "field/cpu/native/point.h", "field/cpu/native/shared.h",
	// those of the cars
	"testbench/vector/native/cars.h", "testbench/vector/native/chance.h", "testbench/vector/native/divide.h",
	"testbench/vector/native/elementary.h", "testbench/vector/native/fields.h",
	"testbench/vector/native/ground.h", "testbench/vector/native/nearly.h", "testbench/vector/native/shape.h",
	"testbench/vector/native/sonar.h", "testbench/vector/native/squeeze.h", "testbench/vector/native/step.h",
}

// HashSources returns the hash of the kernels' sources in the repository's root.
func HashSources(root fs.FS) (string, error) {
	var names []string
	for _, pattern := range sources {
		found, err := fs.Glob(root, pattern)
		if err != nil {
			return "", fmt.Errorf("kernels: %w", err)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return "", fmt.Errorf("kernels: %w", err)
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Limits of the one-pass kernel: two blocks of 512 threads on one processor of
// 65,536 registers, and nothing put into memory for want of registers.
const maxRegisters = 64

// Complaints returns what in the report is beyond its limits.
func (r *Report) Complaints() []string {
	var all []string
	for _, a := range r.Archs {
		for _, k := range a.Kernels {
			if k.Spills != 0 {
				all = append(all, fmt.Sprintf("%s %s spills %d bytes", a.Arch, k.Name, k.Spills))
			}
			if strings.HasPrefix(k.Name, "fieldbrain_evolve") && k.Registers > maxRegisters {
				all = append(all, fmt.Sprintf("%s %s takes %d registers, at most %d", a.Arch, k.Name, k.Registers, maxRegisters))
			}
		}
	}
	return all
}

// Markdown renders the report for docs/kernels.md.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Kernels, as the compiler sees them\n\n")
	fmt.Fprintf(&b, "Made by `make kernels` with %s; nothing here was run. Limits: %d registers in the evolve kernels, no spills. ", r.Compiler, maxRegisters)
	fmt.Fprintf(&b, "Least traffic of a dense tick with everything running: %.1f MB in single, %.1f MB in half precision, each activation once each way; neighbours meet in the caches.\n", denseMB(false), denseMB(true))
	r.predictions(&b)
	for _, a := range r.Archs {
		fmt.Fprintf(&b, "\n## %s\n\n| kernel | registers | spills, bytes | shared, bytes | instructions |\n|---|---|---|---|---|\n", a.Arch)
		for _, k := range a.Kernels {
			fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", k.Name, k.Registers, k.Spills, k.Shared, k.Instructions)
		}
		r.phases(&b, a.Arch)
	}
	return b.String()
}

// phases lists the phases of one architecture.
func (r *Report) phases(b *strings.Builder, arch string) {
	var rows, tasks []string
	for _, p := range r.phasesOf(arch) {
		if strings.HasPrefix(p.Phase, "task ") {
			tasks = append(tasks, fmt.Sprintf("%s %d, %d", strings.TrimPrefix(p.Phase, "task "), p.Instructions, p.Doubles))
			continue
		}
		rows = append(rows, fmt.Sprintf("%s %.1f", p.Phase, p.PerRow))
	}
	fmt.Fprintf(b, "\nInstructions of a warp per row of 32 cells: %s.\n", strings.Join(rows, "; "))
	fmt.Fprintf(b, "\nInstructions of a warp in the tasks of the preparation, and how many of them on doubles: %s.\n", strings.Join(tasks, "; "))
}

func (r *Report) phasesOf(arch string) []PhaseReport {
	var list []PhaseReport
	for _, p := range r.Phases {
		if p.Arch == arch {
			list = append(list, p)
		}
	}
	return list
}
