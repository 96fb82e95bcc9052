package isa_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fieldbrain/field/isa"
)

func Example() {
	best := isa.Names()[0]
	_, ok := isa.Find(best)
	_, unknown := isa.Find("mmx")
	fmt.Println(ok, unknown)
	// Output: true false
}

// TestNames: the names are those of sets that are found, best first, without repeats.
func TestNames(t *testing.T) {
	order := []string{"avx512", "avx2", "sse", "neon"}
	names := isa.Names()
	for i, name := range names {
		s, ok := isa.Find(name)
		if !ok || s.String() != name {
			t.Errorf("%s is %v, %v", name, s, ok)
		}
		if i > 0 && slices.Index(order, name) <= slices.Index(order, names[i-1]) {
			t.Errorf("%v, want the best first", names)
		}
	}
}

// TestKernelAgrees: the kernel says the same of the processor.
func TestKernelAgrees(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skipf("the flags in /proc/cpuinfo are those of an x86: %s, %v", runtime.GOARCH, err)
	}
	_, after, _ := strings.Cut(string(text), "flags\t\t: ")
	line, _, _ := strings.Cut(after, "\n")
	flags := strings.Fields(line)
	for name, needs := range map[string][]string{
		"sse": {"sse4_1"}, "avx2": {"avx2", "fma"}, "avx512": {"avx512f", "avx512bw", "avx512dq", "avx512vl"},
	} {
		want := !slices.ContainsFunc(needs, func(f string) bool { return !slices.Contains(flags, f) })
		if _, ok := isa.Find(name); ok != want {
			t.Errorf("%s: %v, the kernel's flags say %v", name, ok, want)
		}
	}
}
