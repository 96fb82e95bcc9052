package bench

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"

	"fieldbrain/brain/belief"
	"fieldbrain/verdict"
)

//go:embed octomap/main.cc
var program []byte

// An OctoMap is the same work done with OctoMap, or why it was not.
type OctoMap struct {
	Missing string       `json:"missing,omitempty"` // why nothing was measured
	Rows    []OctoMapRow `json:"rows,omitempty"`
}

// An OctoMapRow is one fill: OctoMap's rates, and how much longer it takes than
// our best instruction set in the same round.
type OctoMapRow struct {
	Fill        string           `json:"fill"`
	Bits        float64          `json:"bits_per_ray"` // ours must agree
	Rate        float64          `json:"rays_per_s"`
	Times       verdict.Interval `json:"times"`
	InsertRate  float64          `json:"insert_rays_per_s"`
	InsertTimes verdict.Interval `json:"insert_times"`
}

// A rival is OctoMap's program at work on one fill. It takes a turn for every
// byte that it is sent.
type rival struct {
	cmd          *exec.Cmd
	in           io.WriteCloser
	out          *bufio.Reader
	bits         float64
	cast, insert []float64 // ms of every round
}

// rivals are one for each fill.
type rivals []*rival

// challenge compiles the program and starts it on every fill. The error says why
// there is nobody to compare with; the rivals must be closed all the same.
func challenge(ours *subject) (rivals, error) {
	folder, err := os.MkdirTemp("", "fieldbrain-octomap")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) // what runs keeps its file
	source, path := filepath.Join(folder, "main.cc"), filepath.Join(folder, "main")
	if err := os.WriteFile(source, program, 0o600); err != nil {
		return nil, err
	}
	if !compiles(folder) {
		return nil, errors.New("g++ or liboctomap-dev missing (apt install g++ liboctomap-dev)")
	}
	if text, err := exec.Command("g++", "-O3", "-std=c++17", "-o", path, source, "-loctomap", "-loctomath").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("octomap/main.cc does not compile: %w\n%s", err, text)
	}
	var all rivals
	for i := range fills {
		r := &rival{cmd: exec.Command(path)}
		if r.in, err = r.cmd.StdinPipe(); err != nil {
			return all, err
		}
		out, err := r.cmd.StdoutPipe()
		if err != nil {
			return all, err
		}
		r.out = bufio.NewReader(out)
		if err := r.cmd.Start(); err != nil {
			return all, fmt.Errorf("the OctoMap program does not start: %w", err)
		}
		all = append(all, r)
		if _, err := r.in.Write(question(ours.grids[i])); err != nil {
			return all, fmt.Errorf("the OctoMap program takes no map: %w", err)
		}
	}
	return all, nil
}

// turn lets every rival take its turn.
func (all rivals) turn() error {
	for _, r := range all {
		if _, err := r.in.Write([]byte{'\n'}); err != nil {
			return fmt.Errorf("the OctoMap program ended: %w", err)
		}
		var cast, insert float64 // s
		if _, err := fmt.Fscanln(r.out, &cast, &r.bits, &insert); err != nil {
			return fmt.Errorf("the OctoMap program's answer: %w", err)
		}
		r.cast, r.insert = append(r.cast, cast*1e3), append(r.insert, insert*1e3)
	}
	return nil
}

// close ends the rivals, which end with their input.
func (all rivals) close() {
	for _, r := range all {
		_ = r.in.Close()
		_ = r.cmd.Wait() // its answers were read and judged
	}
}

// report compares our times with theirs, unless something is missing.
func (all rivals) report(ours *subject, missing error) OctoMap {
	if missing != nil {
		return OctoMap{Missing: missing.Error()}
	}
	var o OctoMap
	for i, r := range all {
		row := OctoMapRow{
			Fill: fills[i].name, Bits: r.bits,
			Rate: Poses * Rays / verdict.Median(r.cast) * 1e3, InsertRate: Rays / verdict.Median(r.insert) * 1e3,
		}
		var err, err2 error
		row.Times, err = verdict.Pairs(r.cast, ours.cast[i])
		row.InsertTimes, err2 = verdict.Pairs(r.insert, ours.insert)
		if err = errors.Join(err, err2); err != nil {
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
