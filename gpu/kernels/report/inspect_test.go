package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/gpu/kernels"
)

// words are what ptxas -v of CUDA 11.8 says of two kernels.
const words = `ptxas info    : 0 bytes gmem, 512 bytes cmem[4]
ptxas info    : Compiling entry function 'fieldbrain_step' for 'sm_87'
ptxas info    : Function properties for fieldbrain_step
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 64 registers, 33280 bytes smem, 368 bytes cmem[0]
ptxas info    : Compiling entry function 'fieldbrain_motor' for 'sm_87'
ptxas info    : Function properties for fieldbrain_motor
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, 360 bytes cmem[0]
`

// TestParse: each figure goes to its own kernel, stores and loads of spilt registers
// together, and the kernels are sorted.
func TestParse(t *testing.T) {
	want := []kernels.KernelReport{
		{Name: "fieldbrain_motor", Registers: 40},
		{Name: "fieldbrain_step", Registers: 64, Stack: 16, Spills: 12, Shared: 33280},
	}
	if d := cmp.Diff(want, parse(words)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	r := kernels.Report{Archs: []kernels.ArchReport{{Arch: "sm_87", Kernels: parse(words)}}}
	if found := strings.Join(r.Complaints(), "\n"); !strings.Contains(found, "fieldbrain_step") || strings.Contains(found, "fieldbrain_motor") {
		t.Errorf("a kernel that spills and one that does not: %q", found)
	}
	if list := parse("nvcc fatal   : Unsupported gpu architecture 'compute_10'\n"); len(list) != 0 {
		t.Errorf("kernels of a failure: %+v", list)
	}
}

// playing puts a program with a name first on the PATH that prints a text.
func playing(t *testing.T, name, text string) {
	t.Helper()
	folder := t.TempDir()
	script := "#!/bin/sh\ncat <<'END'\n" + text + "END\n"
	if err := os.WriteFile(filepath.Join(folder, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestInstructions counts the instructions of each kernel, and those on doubles, without
// the padding and without the second halves of their codes.
func TestInstructions(t *testing.T) {
	playing(t, "cuobjdump", `	code for sm_87
		Function : probe_empty
        /*0000*/                   MOV R1, c[0x0][0x28] ;           /* 0x00000a0000017a02 */
                                                                    /* 0x000fc40000000f00 */
        /*0010*/                   EXIT ;                           /* 0x000000000000794d */
        /*0020*/                   NOP;                             /* 0x0000000000007918 */
		Function : probe_update
        /*0000*/              @!P0 FADD R2, R3, R4 ;                /* 0x0000000403027221 */
        /*0010*/                   FMUL R2, R2, R5 ;                /* 0x0000000502027220 */
        /*0020*/              @!P0 DMUL R2, R2, R4 ;                /* 0x0000000402028228 */
        /*0030*/                   F2F.F32.F64 R2, R2 ;             /* 0x0000000200027310 */
        /*0020*/                   EXIT ;                           /* 0x000000000000794d */
`)
	got, err := instructions("any.cubin")
	if want := map[string]count{"probe_empty": {2, 0}, "probe_update": {5, 2}}; err != nil || !maps.Equal(want, got) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestVersion: the compiler's name has its release and not the day of its build.
func TestVersion(t *testing.T) {
	playing(t, "nvcc", "nvcc: NVIDIA (R) Cuda compiler driver\nBuilt on Wed_Sep_21_10:33:58_PDT_2022\nCuda compilation tools, release 11.8, V11.8.89\n")
	if got, err := version(); got != "nvcc 11.8.89" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	playing(t, "nvcc", "something else\n")
	if got, err := version(); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("%q, %v, want an error with what nvcc said", got, err)
	}
}
