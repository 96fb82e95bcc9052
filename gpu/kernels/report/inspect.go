package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldbrain/gpu/kernels"
)

// What ptxas -v says about one kernel, in this order.
var (
	compiling = regexp.MustCompile(`Compiling entry function '(\w+)'`)
	stack     = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
	used      = regexp.MustCompile(`Used (\d+) registers`)
	shared    = regexp.MustCompile(`(\d+) bytes smem`)
)

// probes are the phases of the evolve pass: the kernel that does one of them,
// and how many rows of 32 cells a warp has done then.
var probes = []struct {
	kernel, phase string
	rows          float64
}{
	{"probe_across_narrow", "first axis", 16},
	{"probe_column_narrow", "second axis", 32},
	{"probe_row_narrow", "third axis", 32},
	{"probe_across_wide", "inhibition first axis", 16},
	{"probe_column_wide", "inhibition second axis", 32},
	{"probe_row_wide", "inhibition third axis", 32},
	{"probe_update", "update with one stimulus", 1},
}

// inspect adds one architecture to the report.
func inspect(r *kernels.Report, work, number string) error {
	cubin := filepath.Join(work, "kernels."+number)
	text, err := compile("fieldbrain.cu", "-arch=sm_"+number, "-Xptxas", "-v", "-cubin", "-o", cubin)
	if err != nil {
		return err
	}
	count, err := instructions(cubin)
	if err != nil {
		return err
	}
	arch := kernels.ArchReport{Arch: "sm_" + number, Kernels: parse(text)}
	if len(arch.Kernels) == 0 {
		return errors.New("nvcc -Xptxas -v named no kernel")
	}
	for i := range arch.Kernels {
		arch.Kernels[i].Instructions = count[arch.Kernels[i].Name]
	}
	r.Archs = append(r.Archs, arch)
	probe := filepath.Join(work, "probe."+number)
	if _, err := compile("probe.cu", "-arch=sm_"+number, "-cubin", "-o", probe); err != nil {
		return err
	}
	if count, err = instructions(probe); err != nil {
		return err
	}
	for _, p := range probes {
		n := float64(count[p.kernel]-count["probe_empty"]) / p.rows
		r.Phases = append(r.Phases, kernels.PhaseReport{Arch: arch.Arch, Phase: p.phase, PerRow: n})
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
	instruction = regexp.MustCompile(`^\s*/\*[0-9a-f]{4,}\*/\s+(\S.*?)\s*;`)
)

// instructions counts the machine instructions of each kernel; what pads a
// kernel's end is not counted.
func instructions(cubin string) (map[string]int, error) {
	text, err := exec.Command("cuobjdump", "-sass", cubin).Output()
	if err != nil {
		return nil, fmt.Errorf("cuobjdump -sass: %w", err)
	}
	count, name := map[string]int{}, ""
	for line := range strings.SplitSeq(string(text), "\n") {
		if m := function.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if m := instruction.FindStringSubmatch(line); m != nil && m[1] != "NOP" {
			count[name]++
		}
	}
	return count, nil
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
