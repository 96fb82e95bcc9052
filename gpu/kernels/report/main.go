// Command report compiles the kernels with nvcc and writes the three files that are
// committed: gpu/kernels/fieldbrain.fatbin, gpu/kernels/report.json and
// docs/kernels.md. Run it from the root of the repository: make kernels.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fieldbrain/gpu/kernels"
)

const folder = "gpu/kernels"

// numbers are the architectures that get machine code: Turing, desktop Ampere,
// Orin, Ada, Hopper.
var numbers = []string{"75", "86", "87", "89", "90"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run() error {
	if _, err := exec.LookPath("nvcc"); err != nil {
		return errors.New("nvcc is missing: install the CUDA toolkit 11.8 or newer (Debian: nvidia-cuda-toolkit from non-free)")
	}
	work, err := os.MkdirTemp("", "kernels")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := kernels.Report{}
	if r.Sources, err = kernels.HashSources(os.DirFS(".")); err != nil {
		return err
	}
	if r.Compiler, err = version(); err != nil {
		return err
	}
	if err := inspectAll(&r, work); err != nil {
		return err
	}
	code, err := bundle(work)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(code)
	r.Fatbin = hex.EncodeToString(sum[:])
	if found := r.Complaints(); len(found) > 0 {
		return fmt.Errorf("beyond the limits, nothing written:\n%s", strings.Join(found, "\n"))
	}
	return write(&r, code)
}

// compile runs nvcc with the flags that every output shares and returns its words.
func compile(source string, args ...string) (string, error) {
	args = append([]string{"-std=c++17", "-O3", "--fmad=false"}, args...)
	return tool("nvcc", append(args, source)...)
}

// tool runs a program of the toolkit beside the sources.
func tool(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = folder
	text, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text)
	}
	return string(text), nil
}

// Files of one architecture, in its folder.
const (
	cubin = "kernels.cubin"
	ptx   = "fieldbrain.ptx" // as nvcc -keep calls it
)

// bundle puts what inspect left into a fatbin: code for every architecture, PTX of the
// oldest and the newest for cards between and beyond.
func bundle(work string) ([]byte, error) {
	to := filepath.Join(work, "fieldbrain.fatbin")
	args := []string{"-64", "--compress-all", "--create=" + to}
	for _, n := range numbers {
		args = append(args, fmt.Sprintf("--image3=kind=elf,sm=%s,file=%s", n, filepath.Join(work, n, cubin)))
	}
	for _, n := range []string{numbers[0], numbers[len(numbers)-1]} {
		args = append(args, fmt.Sprintf("--image3=kind=ptx,sm=%s,file=%s", n, filepath.Join(work, n, ptx)))
	}
	if _, err := tool("fatbinary", args...); err != nil {
		return nil, err
	}
	return os.ReadFile(to)
}

func write(r *kernels.Report, code []byte) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(folder, "fieldbrain.fatbin"), code, 0o644),
		os.WriteFile(filepath.Join(folder, "report.json"), append(text, '\n'), 0o644),
		os.WriteFile("docs/kernels.md", []byte(r.Markdown()), 0o644),
	)
}
