package softcuda

import (
	"context"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	got := parse(`extern "C" softcuda_global void softcuda_bounds(512, 2) one(const Brain *b) {
extern "C" softcuda_global void softcuda_bounds((SIDE * max(1, 2)))   two (int a);
static int softcuda_globals; extern "C" softcuda_global void
three(int *out) {}`)
	want := []kernel{{"one", "512"}, {"two", "(SIDE * max(1, 2))"}, {"three", "kMaxThreads"}}
	if !slices.Equal(got, want) {
		t.Errorf("found %+v, want %+v", got, want)
	}
}

func TestKernels(t *testing.T) {
	want := strings.Fields("sum_blocks warps transpose add answer divergent mixed unwritten beyond race nowhere")
	if got := build(t, Options{}).Kernels; !slices.Equal(got, want) {
		t.Errorf("the library has the kernels %q, want %q", got, want)
	}
}

// TestExports wants every function that cuda.h declares in the library, and
// nothing that could clash with a program's own symbols.
func TestExports(t *testing.T) {
	lib := build(t, Options{})
	header, err := os.ReadFile("include/softcuda/functions.h")
	if err != nil {
		t.Fatal(err)
	}
	version := map[string]string{}
	for _, m := range regexp.MustCompile(`#define (cu\w+) (\w+)`).FindAllStringSubmatch(string(header), -1) {
		version[m[1]] = m[2]
	}
	f, err := elf.Open(filepath.Join(lib.Dir, "libcuda.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	exported := map[string]bool{}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF {
			continue
		}
		exported[s.Name] = true
		if !strings.HasPrefix(s.Name, "cu") && !strings.HasPrefix(s.Name, "softcuda_") {
			t.Errorf("the library shows %s", s.Name)
		}
	}
	declared := regexp.MustCompile(`(?m)^CUresult (\w+)\(`).FindAllStringSubmatch(string(header), -1)
	if len(declared) < 150 {
		t.Fatalf("only %d functions found", len(declared))
	}
	for _, m := range declared {
		name := m[1]
		if v, is := version[name]; is {
			name = v
		}
		if !exported[name] {
			t.Errorf("the library has no %s", name)
		}
	}
}

// TestFacts holds our cuda.h, and NVIDIA's where it is installed, against the
// published numbers.
func TestFacts(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skipf("needs gcc: %v", err)
	}
	folders := []string{"include"}
	for _, dir := range []string{os.Getenv("SOFTCUDA_TEST_CUDA"), "/usr/local/cuda/include", "/usr/include"} {
		if dir != "" && exists(filepath.Join(dir, "cuda.h")) {
			folders = append(folders, dir)
			break
		}
	}
	for _, dir := range folders {
		for _, facts := range []string{"values", "structs", "functions"} {
			cmd := exec.Command("gcc", "-std=c11", "-fsyntax-only", "-I"+dir, "testdata/facts_"+facts+".c")
			if out, err := cmd.CombinedOutput(); err != nil && !(dir != "include" && newer(dir)) {
				t.Errorf("%s in %s: %v\n%s", facts, dir, err, out)
			}
		}
	}
	if len(folders) == 1 {
		t.Log("NVIDIA's cuda.h was not compared: it is not installed; SOFTCUDA_TEST_CUDA names its folder")
	}
}

// newer reports whether the installed header is not of CUDA 11, whose facts these are.
func newer(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "cuda.h"))
	return err == nil && !regexp.MustCompile(`#define CUDA_VERSION 11\d\d\d`).Match(text)
}

func TestBuildRefuses(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.cu")
	empty := filepath.Join(t.TempDir(), "empty.cu")
	for path, text := range map[string]string{broken: "extern \"C\" __global__ void f(int *p) { p = 1.5; }\n", empty: "int nothing;\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build(t, Options{}) // or skip
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Compiler: "no-such-g++", Sources: []string{empty}}, "apt-get install g++"},
		{Options{Sanitize: "thread", Sources: []string{empty}}, "want address or undefined"},
		{Options{Sanitize: "address", Track: true, Sources: []string{empty}}, "exclude each other"},
		{Options{Sources: []string{"nowhere.cu"}}, "name it in Options.Sources"},
		{Options{Sources: []string{empty}}, "declares no kernel"},
		{Options{Sources: []string{broken}}, "broken.cu:1:"},
	} {
		_, err := Build(t.Context(), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q in it", c.o, err, c.want)
		}
	}
}

// TestCache builds one thing at the same time from several sides: it is built
// once, and a half-built folder never has the name.
func TestCache(t *testing.T) {
	b := builder{Options: Options{Cache: t.TempDir()}}
	var group sync.WaitGroup
	var lock sync.Mutex
	built := 0
	for range 8 {
		group.Go(func() {
			dir, err := b.cached(t.Context(), "thing", newHash("x"), func(dir string) error {
				lock.Lock()
				built++
				lock.Unlock()
				return os.WriteFile(filepath.Join(dir, "done"), nil, 0o600)
			})
			if err != nil || !exists(filepath.Join(dir, "done")) {
				t.Errorf("the folder %q is not whole: %v", dir, err)
			}
		})
	}
	group.Wait()
	if built != 1 {
		t.Errorf("built %d times", built)
	}
	old, before := filepath.Join(b.Cache, "old"), time.Now().Add(-40*24*time.Hour)
	if err := errors.Join(os.Mkdir(old, 0o700), os.Chtimes(old, before, before)); err != nil {
		t.Fatal(err)
	}
	if b.prune(); exists(old) || !exists(filepath.Join(b.Cache, "thing-"+newHash("x").String())) {
		t.Error("what is old stays, or what is new goes")
	}
	unlock, err := lockFile(t.Context(), filepath.Join(b.Cache, "busy"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lockFile(ctx, filepath.Join(b.Cache, "busy")); err == nil {
		t.Error("a lock that another holds was given")
	}
}

func TestEnv(t *testing.T) {
	t.Setenv("LD_LIBRARY_PATH", "/before")
	t.Setenv("SOFTCUDA_NO_DEVICE", "1")
	env := Library{Dir: "/lib-x", Include: "/inc", options: Options{Compiler: "aarch64-linux-gnu-g++"}}
	got := env.Env("SOFTCUDA_OOM_AT=2")
	for _, want := range []string{"LD_LIBRARY_PATH=/lib-x:/before", "SOFTCUDA_OOM_AT=2"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	if slices.Contains(got, "SOFTCUDA_NO_DEVICE=1") {
		t.Error("the caller's own orders for faults are handed on")
	}
	if cgo := env.CgoEnv(); !slices.Contains(cgo, "CC=aarch64-linux-gnu-gcc") || !slices.Contains(cgo, "CGO_LDFLAGS=-O2 -g -L/lib-x") {
		t.Errorf("cgo gets %q", cgo)
	}
}
