package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fieldbrain/gpu/kernels"
)

// What ptxas -v says about one kernel, in this order.
var (
	compiling = regexp.MustCompile(`Compiling entry function '(\w+)'`)
	stack     = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
	used      = regexp.MustCompile(`Used (\d+) registers`)
	shared    = regexp.MustCompile(`(\d+) bytes smem`)
)

// probes are the phases of the evolve pass and the tasks of the preparation: the
// kernel that does one of them, and how many rows of 32 cells a warp has done then.
var probes = []struct {
	kernel, phase string
	rows          float64
}{
	{"probe_across_16", "first axis, 16 planes", 16},
	{"probe_across_16_both", "first axis, both kernels, 16 planes", 16},
	{"probe_across_8", "first axis, 8 planes", 8},
	{"probe_across_8_both", "first axis, both kernels, 8 planes", 8},
	{"probe_sums_32", "column, 32 planes", 32},
	{"probe_sums_32_both", "column, both kernels, 32 planes", 32},
	{"probe_sums_16", "column, 16 planes", 16},
	{"probe_sums_16_both", "column, both kernels, 16 planes", 16},
	{"probe_second", "second axis", 32},
	{"probe_second_wide", "second axis, wide", 32},
	{"probe_third", "third axis", 32},
	{"probe_third_wide", "third axis, wide", 32},
	{"probe_fill", "outputs", 1},
	{"probe_update", "update", 8},
	{"probe_update_trailed", "update with a trace", 8},
	{"probe_update_column", "column update", 8},
	{"probe_linear", "linear update", 8},
	{"probe_trace", "trace", 1},
	{"probe_display", "map", 1},
	{"probe_share_of_block", "share", 1},
	{"probe_maps", "task maps", 1},
	{"probe_terms", "task terms", 1},
	{"probe_profiles", "task profiles", 1},
	{"probe_walk", "step of a profile", 1},
	{"probe_couple", "task couple", 1},
	{"probe_settle", "settle", 1},
}

// inspectAll adds every architecture to the report, two compilers at a time.
func inspectAll(r *kernels.Report, work string) error {
	parts, failed := make([]kernels.Report, len(numbers)), make([]error, len(numbers))
	var group sync.WaitGroup
	permits := make(chan struct{}, 2)
	for i, n := range numbers {
		group.Go(func() {
			permits <- struct{}{}
			defer func() { <-permits }()
			failed[i] = inspect(&parts[i], filepath.Join(work, n), n)
		})
	}
	group.Wait()
	for i := range parts {
		r.Archs = append(r.Archs, parts[i].Archs...)
		r.Phases = append(r.Phases, parts[i].Phases...)
	}
	return errors.Join(failed...)
}

// inspect adds one architecture to the report and leaves its code in a folder.
func inspect(r *kernels.Report, work, number string) error {
	if err := os.Mkdir(work, 0o700); err != nil {
		return err
	}
	to := filepath.Join(work, cubin)
	text, err := compile("fieldbrain.cu", "-arch=sm_"+number, "-Xptxas", "-v", "-keep", "-keep-dir", work, "-cubin", "-o", to)
	if err != nil {
		return err
	}
	count, err := instructions(to)
	if err != nil {
		return err
	}
	arch := kernels.ArchReport{Arch: "sm_" + number, Kernels: parse(text)}
	if len(arch.Kernels) == 0 {
		return errors.New("nvcc -Xptxas -v named no kernel")
	}
	for i := range arch.Kernels {
		arch.Kernels[i].Instructions = count[arch.Kernels[i].Name].all
	}
	r.Archs = append(r.Archs, arch)
	probe := filepath.Join(work, "probe.cubin")
	if _, err := compile("probe.cu", "-arch=sm_"+number, "-cubin", "-o", probe); err != nil {
		return err
	}
	if count, err = instructions(probe); err != nil {
		return err
	}
	for _, p := range probes {
		n := count[p.kernel]
		if n.all == 0 {
			return fmt.Errorf("probe.cu has no kernel %s", p.kernel)
		}
		n.all -= count["probe_empty"].all
		r.Phases = append(r.Phases, kernels.PhaseReport{
			Arch: arch.Arch, Phase: p.phase, PerRow: float64(n.all) / p.rows, Instructions: n.all, Doubles: n.doubles,
		})
	}
	return nil
}

// parse reads what ptxas said.
func parse(text string) []kernels.KernelReport {
	var list []kernels.KernelReport
	number := func(s string) int { n, _ := strconv.Atoi(s); return n } // the pattern matched digits
	for line := range strings.SplitSeq(text, "\n") {
		if m := compiling.FindStringSubmatch(line); m != nil {
			list = append(list, kernels.KernelReport{Name: m[1]})
			continue
		}
		if len(list) == 0 {
			continue
		}
		k := &list[len(list)-1]
		if m := stack.FindStringSubmatch(line); m != nil {
			k.Stack, k.Spills = number(m[1]), number(m[2])+number(m[3])
		}
		if m := used.FindStringSubmatch(line); m != nil {
			k.Registers = number(m[1])
		}
		if m := shared.FindStringSubmatch(line); m != nil {
			k.Shared = number(m[1])
		}
	}
	slices.SortFunc(list, func(a, b kernels.KernelReport) int { return strings.Compare(a.Name, b.Name) })
	return list
}

var (
	function    = regexp.MustCompile(`Function : (\w+)`)
	instruction = regexp.MustCompile(`^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?(\S.*?)\s*;`)
	onDoubles   = regexp.MustCompile(`^(D(ADD|MUL|FMA|SETP|MNMX)|MUFU\.\w+64H|(F2F|F2I|I2F|FRND)\S*F64)`)
)

// A count is how many instructions a kernel has, and how many of them work on doubles.
type count struct{ all, doubles int }

// instructions counts the machine instructions of each kernel; what pads a
// kernel's end is not counted.
func instructions(cubin string) (map[string]count, error) {
	text, err := exec.Command("cuobjdump", "-sass", cubin).Output()
	if err != nil {
		return nil, fmt.Errorf("cuobjdump -sass: %w", err)
	}
	counts, name := map[string]count{}, ""
	for line := range strings.SplitSeq(string(text), "\n") {
		if m := function.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if m := instruction.FindStringSubmatch(line); m != nil && m[1] != "NOP" {
			n := counts[name]
			n.all++
			if onDoubles.MatchString(m[1]) {
				n.doubles++
			}
			counts[name] = n
		}
	}
	return counts, nil
}

// version names the compiler, without the day it was built.
func version() (string, error) {
	text, err := exec.Command("nvcc", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("nvcc --version: %w", err)
	}
	if m := regexp.MustCompile(`release [\d.]+, V([\d.]+)`).FindSubmatch(text); m != nil {
		return "nvcc " + string(m[1]), nil
	}
	return "", fmt.Errorf("nvcc --version names no release:\n%s", text)
}
