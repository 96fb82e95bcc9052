package model

import (
	"crypto/sha256"
	_ "embed" // the report
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"fieldbrain/field"
)

//go:embed report.json
var report []byte

// Goal is how many cycles a row of 32 cells may take in a model of the machine.
const Goal = 200

// A Processor is a model of llvm-mca's.
type Processor struct {
	Name  string   // as llvm-mca knows it
	Flags []string // what else it is told
	Words string   // what it is
}

// Processors returns the models in the order of the report's columns. The goal is judged
// by the last.
func Processors() []Processor {
	return []Processor{
		{"cortex-a78ae", nil, "what LLVM has under the board's own name: the pipelines of the Cortex-A57, which issues three operations per cycle, takes two for a vector of 128 bits and 34 cycles for a division of four floats"},
		{"neoverse-n1", []string{"-dispatch=6"}, "the pipelines of the Neoverse N1, a Cortex-A76, from which the A78AE descends: two of 128 bits for vectors, one of which divides, two for loads; told to dispatch six operations per cycle, as the A78AE does"},
	}
}

// A Report is what the models say, loop by loop, without running anything.
type Report struct {
	Sources  string // hash of what it was made from
	Compiler string // name and version
	Analyzer string // the same, of what counts the cycles
	Loops    []Loop // by entry
}

// A Loop is one loop of an entry.
type Loop struct {
	Entry, Name  string
	PerRow       float64   // how often it runs for a row of 32 cells
	Instructions int       // one time
	Cycles       []float64 // one time, in a steady state, by Processors
}

// ReadReport returns the committed report.
func ReadReport() (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(report, r); err != nil {
		return nil, fmt.Errorf("model: report.json: %w; make it again with make neon", err)
	}
	return r, nil
}

// others are the sources of other engines, and of what is not judged.
var others = []string{"lanes_sse.h", "lanes_avx2.h", "lanes_avx512.h", "lines.h", "dispatch.h"}

// HashSources returns the hash of what the report is made from: the engine's sources and
// the functions around its loops.
func HashSources(root fs.FS) (string, error) {
	var names []string
	for _, pattern := range []string{"field/cpu/native/*.h", "field/cpu/model/*.h"} {
		found, err := fs.Glob(root, pattern)
		if err != nil {
			return "", fmt.Errorf("model: %w", err)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", Source())
	for _, name := range names {
		if slices.Contains(others, path.Base(name)) {
			continue
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return "", fmt.Errorf("model: %w", err)
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Cost returns the instructions and the cycles, by Processors, of an entry for a row of
// 32 cells. One that the report lacks costs infinitely much.
func (r *Report) Cost(entry string) (instructions float64, cycles []float64) {
	cycles = make([]float64, len(Processors()))
	for _, l := range r.Loops {
		if l.Entry != entry {
			continue
		}
		instructions += l.PerRow * float64(l.Instructions)
		for i := range cycles {
			cycles[i] += l.PerRow * l.Cycles[i]
		}
	}
	if instructions == 0 {
		for i := range cycles {
			cycles[i] = math.Inf(1)
		}
	}
	return instructions, cycles
}

// A Row is what the rows of some channels cost that go through the same.
type Row struct {
	Channels     []string
	Entries      []Entry
	Instructions float64
	Cycles       []float64 // by Processors
}

// Rows returns the channels of the default table by what they go through, the dearest
// first, and the mean of all rows of a dense tick.
func (r *Report) Rows() (rows []Row, mean Row) {
	p, k := dense()
	mean.Cycles = make([]float64, len(Processors()))
	for c := range p.Table {
		through := Through(p, k, c)
		i := slices.IndexFunc(rows, func(o Row) bool { return slices.EqualFunc(o.Entries, through, sameEntry) })
		if i < 0 {
			i, rows = len(rows), append(rows, r.row(through))
		}
		rows[i].Channels = append(rows[i].Channels, p.Table[c].Name)
		mean.Instructions += rows[i].Instructions / field.Channels
		for n := range mean.Cycles {
			mean.Cycles[n] += rows[i].Cycles[n] / field.Channels
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return int(math.Copysign(1, last(b.Cycles)-last(a.Cycles))) })
	return rows, mean
}

func sameEntry(a, b Entry) bool { return a.Name == b.Name }

func last(list []float64) float64 { return list[len(list)-1] }

// row adds up what a row costs.
func (r *Report) row(through []Entry) Row {
	row := Row{Entries: through, Cycles: make([]float64, len(Processors()))}
	for _, e := range through {
		n, cycles := r.Cost(e.Name)
		row.Instructions += n
		for i := range cycles {
			row.Cycles[i] += cycles[i]
		}
	}
	return row
}

// Held says whether the mean row keeps the goal.
func (r *Report) Held() bool {
	_, mean := r.Rows()
	return last(mean.Cycles) <= Goal
}

// clocks are those of the boards' processors, in GHz.
var clocks = []struct {
	board string
	ghz   float64
}{{"AGX Orin", 2.2}, {"Orin NX", 2.0}, {"Orin Nano Super", 1.7}, {"Orin Nano", 1.5}}

// Markdown renders the report for docs/neon.md.
func (r *Report) Markdown() string {
	var b strings.Builder
	rows, mean := r.Rows()
	verdict := map[bool]string{true: "held", false: "missed"}[r.Held()]
	fmt.Fprintf(&b, "# The NEON engine, as a model of the processor sees it\n\n")
	fmt.Fprintf(&b, "Made by `make neon` with %s and %s; **nothing here was run, and no Orin has run it**. The command that measures it on a board is `fieldbrain bench field --isa neon`. The loops are the engine's own, as the compiler makes them (`field/cpu/model`); caches, displacement, preparation and what happens once per plane are left out, and each channel has one stimulus. A conversion to whole numbers that scales counts as much as one that does not, of which the models know better.\n\n", r.Compiler, r.Analyzer)
	for _, p := range Processors() {
		fmt.Fprintf(&b, "* `%s`: %s.\n", strings.Join(append([]string{p.Name}, p.Flags...), " "), p.Words)
	}
	fmt.Fprintf(&b, "\nGoal: at most %d cycles per row of 32 cells, the mean of all %d rows of a dense tick, in the model that is nearest to the A78AE, %s: %.0f, **%s**.\n\n", Goal, field.Channels*field.Side*field.Side, Processors()[len(Processors())-1].Name, last(mean.Cycles), verdict)
	fmt.Fprintf(&b, "| channels | instructions per row |%s\n|---|---|%s\n", heads(" cycles, %s |"), strings.Repeat("---|", len(Processors())))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %.0f |%s\n", strings.Join(row.Channels, ", "), row.Instructions, figures(row.Cycles))
	}
	fmt.Fprintf(&b, "| **mean row** | %.0f |%s\n", mean.Instructions, figures(mean.Cycles))
	fmt.Fprintf(&b, "\nA dense tick on one core, by that arithmetic alone:")
	sep := " "
	for _, c := range clocks {
		fmt.Fprintf(&b, "%s%s at %.1f GHz %.1f ms", sep, c.board, c.ghz, last(mean.Cycles)*field.Channels*field.Side*field.Side/c.ghz/1e6)
		sep = ", "
	}
	fmt.Fprintf(&b, ".\n\n## Loops\n\n| function | loop | times per row | instructions |%s\n|---|---|---|---|%s\n", heads(" cycles, %s |"), strings.Repeat("---|", len(Processors())))
	for _, l := range r.Loops {
		fmt.Fprintf(&b, "| %s | %s | %g | %d |%s\n", l.Entry, l.Name, l.PerRow, l.Instructions, figures(l.Cycles))
	}
	return b.String()
}

// heads are the columns of the processors.
func heads(format string) string {
	var b strings.Builder
	for _, p := range Processors() {
		fmt.Fprintf(&b, format, p.Name)
	}
	return b.String()
}

// figures are the cells of these columns.
func figures(cycles []float64) string {
	var b strings.Builder
	for _, c := range cycles {
		fmt.Fprintf(&b, " %.1f |", c)
	}
	return b.String()
}
