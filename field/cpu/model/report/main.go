// Command report compiles the loops of the NEON engine for arm64, lets llvm-mca count
// their cycles, and writes field/cpu/model/report.json and docs/neon.md. Run it from the
// root of the repository: make neon.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"fieldbrain/field/cpu/model"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run() error {
	t, err := find()
	if err != nil {
		return err
	}
	r, err := t.make(".")
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile("field/cpu/model/report.json", append(text, '\n'), 0o644),
		os.WriteFile("docs/neon.md", []byte(r.Markdown()), 0o644),
	)
}

// tools are the programs that the report needs, and their versions.
type tools struct {
	gcc, mca         string
	compiler, counts string
}

// find looks for the tools, the newest llvm-mca first.
func find() (t tools, err error) {
	if t.gcc, err = exec.LookPath("aarch64-linux-gnu-g++"); err != nil {
		return t, fmt.Errorf("%w: apt install g++-aarch64-linux-gnu", err)
	}
	for _, name := range []string{"llvm-mca-19", "llvm-mca"} {
		if t.mca, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return t, fmt.Errorf("%w: apt install llvm-19", err)
	}
	said, err := exec.Command(t.gcc, "-dumpfullversion").Output()
	if err != nil {
		return t, fmt.Errorf("%s -dumpfullversion: %w", t.gcc, err)
	}
	t.compiler = "aarch64-linux-gnu-g++ " + strings.TrimSpace(string(said))
	if said, err = exec.Command(t.mca, "--version").Output(); err != nil {
		return t, fmt.Errorf("%s --version: %w", t.mca, err)
	}
	found := regexp.MustCompile(`LLVM version (\S+)`).FindSubmatch(said)
	if found == nil {
		return t, fmt.Errorf("%s --version names none:\n%s", t.mca, said)
	}
	t.counts = "llvm-mca " + string(found[1])
	return t, nil
}

// make compiles the loops of the repository in a folder and lets them be counted.
func (t *tools) make(root string) (*model.Report, error) {
	hash, err := model.HashSources(os.DirFS(root))
	if err != nil {
		return nil, err
	}
	r := &model.Report{Sources: hash, Compiler: t.compiler, Analyzer: t.counts}
	// With the flags of package native.
	gcc := exec.Command(t.gcc, "-O2", "-std=c++17", "-S", "-x", "c++", "-I", filepath.Join(root, "field/cpu/model"),
		"-I", filepath.Join(root, "field/cpu/native"), "-o", "-", "-")
	gcc.Stdin = strings.NewReader(model.Source())
	var words strings.Builder
	gcc.Stderr = &words
	text, err := gcc.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", t.gcc, err, words.String())
	}
	loops, err := cutAll(string(text), model.Entries())
	if err != nil {
		return nil, err
	}
	for _, l := range loops {
		r.Loops = append(r.Loops, l.Loop)
	}
	for _, p := range model.Processors() {
		if err := t.count(r.Loops, loops, &p); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", t.mca, p.Name, err)
		}
	}
	return r, nil
}

// iterations is how often a loop is imagined to run: the beginning, in which the pipelines
// are empty, is little of that.
const iterations = 200

// scaled is a conversion to whole numbers of a power of two. llvm-mca takes it for an
// ordinary operation in either model, but it is what the conversion without a factor is:
// that is what it is counted as.
var scaled = regexp.MustCompile(`(?m)^(\s+fcvtz[su]\s+v\d+\.4s, v\d+\.4s), #?\d+$`)

// count adds a processor's column to the loops.
func (t *tools) count(to []model.Loop, loops []cut, p *model.Processor) error {
	var text strings.Builder
	for i, l := range loops {
		fmt.Fprintf(&text, "# LLVM-MCA-BEGIN %d\n%s# LLVM-MCA-END\n", i, scaled.ReplaceAllString(l.body, "$1"))
	}
	args := append([]string{"-mtriple=aarch64-linux-gnu", "-mcpu=" + p.Name, fmt.Sprint("-iterations=", iterations), "-json"}, p.Flags...)
	mca := exec.Command(t.mca, args...)
	mca.Stdin = strings.NewReader(text.String())
	var words strings.Builder
	mca.Stderr = &words
	said, err := mca.Output()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, words.String())
	}
	var found struct {
		CodeRegions []struct {
			Name        string
			SummaryView struct{ Instructions, TotalCycles, Iterations int }
		}
	}
	if err := json.Unmarshal(said, &found); err != nil {
		return err
	}
	if len(found.CodeRegions) != len(loops) {
		return fmt.Errorf("%d loops are judged of %d\n%s", len(found.CodeRegions), len(loops), words.String())
	}
	for i, region := range found.CodeRegions {
		s := region.SummaryView
		if region.Name != fmt.Sprint(i) || s.Iterations != iterations || s.TotalCycles <= 0 {
			return fmt.Errorf("loop %d of %s: %+v", i, to[i].Entry, region)
		}
		to[i].Instructions = s.Instructions / iterations
		to[i].Cycles = append(to[i].Cycles, float64(s.TotalCycles)/iterations)
	}
	return nil
}
