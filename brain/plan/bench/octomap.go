package bench

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"

	"fieldbrain/brain/belief"
	"fieldbrain/field/cpu/bench"
)

//go:embed octomap/main.cc
var program []byte

// An OctoMap is the same work done with OctoMap, or why it was not.
type OctoMap struct {
	Missing string       `json:"missing,omitempty"` // why nothing was measured
	Rows    []OctoMapRow `json:"rows,omitempty"`
}

// An OctoMapRow is one fill: the best rates of its rounds, and how many times as
// high the medians of ours are.
type OctoMapRow struct {
	Fill        string  `json:"fill"`
	Bits        float64 `json:"bits_per_ray"` // ours must agree
	Rate        float64 `json:"rays_per_s"`
	Times       float64 `json:"times"` // our rate over it
	InsertRate  float64 `json:"insert_rays_per_s"`
	InsertTimes float64 `json:"insert_times"`
}

// runOctoMap compiles the program and gives it every fill.
func runOctoMap(ours *subject) OctoMap {
	folder, err := os.MkdirTemp("", "fieldbrain-octomap")
	if err != nil {
		return OctoMap{Missing: err.Error()}
	}
	defer os.RemoveAll(folder)
	source, binary := filepath.Join(folder, "main.cc"), filepath.Join(folder, "main")
	if err := os.WriteFile(source, program, 0o600); err != nil {
		return OctoMap{Missing: err.Error()}
	}
	if !compiles(folder) {
		return OctoMap{Missing: "g++ or liboctomap-dev missing (apt install g++ liboctomap-dev)"}
	}
	if text, err := exec.Command("g++", "-O3", "-std=c++17", "-o", binary, source, "-loctomap", "-loctomath").CombinedOutput(); err != nil {
		return OctoMap{Missing: fmt.Sprintf("octomap/main.cc does not compile: %v\n%s", err, text)}
	}
	var o OctoMap
	for i := range fills {
		row, err := octoMapRow(binary, ours, i)
		if err != nil {
			return OctoMap{Missing: err.Error()}
		}
		o.Rows = append(o.Rows, row)
	}
	return o
}

// compiles reports whether there are a compiler and OctoMap's headers.
func compiles(folder string) bool {
	test := filepath.Join(folder, "test.cc")
	if os.WriteFile(test, []byte("#include <octomap/octomap.h>\n"), 0o600) != nil {
		return false
	}
	return exec.Command("g++", "-std=c++17", "-fsyntax-only", test).Run() == nil
}

// octoMapRow runs the program on one fill.
func octoMapRow(path string, ours *subject, fill int) (row OctoMapRow, err error) {
	cmd := exec.Command(path)
	cmd.Stdin = bytes.NewReader(question(ours.grids[fill]))
	out, err := cmd.Output()
	if err != nil {
		return row, fmt.Errorf("the OctoMap program failed: %w", err)
	}
	var cast, bits, insert float64
	if _, err := fmt.Sscan(string(out), &cast, &bits, &insert); err != nil {
		return row, fmt.Errorf("the OctoMap program answered %q: %w", out, err)
	}
	const rays = Poses * Rays
	row = OctoMapRow{Fill: fills[fill].name, Bits: bits, Rate: rays / cast, InsertRate: Rays / insert}
	row.Times = rays / bench.Median(ours.cast[fill]) * 1e3 / row.Rate
	row.InsertTimes = Rays / bench.Median(ours.insert) * 1e3 / row.InsertRate
	return row, nil
}

// question is the program's input: the grid, the poses and the rays of the fans.
func question(b *belief.Belief) []byte {
	var q bytes.Buffer
	put := func(v any) { _ = binary.Write(&q, binary.LittleEndian, v) } // a buffer takes everything
	put([3]int32{belief.Side, Poses, Rays})
	put(float32(belief.Cell))
	const half = belief.Side / 2 * belief.Cell
	for x := range belief.Side {
		for y := range belief.Side {
			for z := range belief.Side {
				put(int8(b.Odds((float32(x)+0.5)*belief.Cell-half, (float32(y)+0.5)*belief.Cell-half, z+1)))
			}
		}
	}
	for _, p := range poses() {
		put([3]float32{p.X + half, p.Y + half, p.Z + belief.Cell})
	}
	for r := range belief.Rows {
		up := belief.Elevation(r)
		for c := range belief.Columns {
			a := (float64(c) + 0.5) * belief.Turn
			put([3]float32{float32(math.Cos(up) * math.Cos(a)), float32(math.Cos(up) * math.Sin(a)), float32(math.Sin(up))})
		}
	}
	for r := range belief.Rows {
		for c := range belief.Columns {
			put(length(r, c))
		}
	}
	return q.Bytes()
}
