//go:build !cuda

package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fieldbrain/gpu/softcuda"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/env"
)

// TestPython: what a learner in Python is given on the software driver, by the CUDA array
// interface and DLPack, drives the cars as testbench/vector drives them on the processor.
func TestPython(t *testing.T) {
	tier.Heavy(t, "compiles the software driver and the library for it")
	tier.Native(t, "a library for this machine")
	tier.Alone(t, "another program's threads")
	if !tier.Cgo || runtime.GOOS != "linux" {
		t.Skip("no C compiler made this build, so none can make the library")
	}
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skipf("%v: apt install g++", err)
	}
	python := "python3"
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		if python = "/usr/bin/python3"; exec.Command(python, "-c", "import numpy").Run() != nil {
			t.Skip("no python3 with NumPy: apt install python3-numpy")
		}
	}
	driver, err := softcuda.Build(t.Context(), softcuda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(t.TempDir(), "libfieldbrain_card.so")
	said := func(env []string, name string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), name, args...)
		c.Env = append(driver.Env(), env...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", c.Args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	said(driver.CgoEnv(), "go", "build", "-tags", "cuda", "-buildmode=c-shared", "-o", library, ".")
	modules, err := filepath.Abs("../../testbench/vector/env/python")
	if err != nil {
		t.Fatal(err)
	}
	have := said([]string{"FIELDBRAIN_CARD_LIBRARY=" + library, "PYTHONPATH=" + modules, "PYTHONDONTWRITEBYTECODE=1"},
		python, "testdata/drive.py")
	if want := fmt.Sprintf("%08x ", driven(t)); !strings.HasPrefix(have, want) || strings.HasSuffix(have, " 0") {
		t.Errorf("Python on the card says %q, the processor %q", have, want)
	}
	have = said([]string{"FIELDBRAIN_CARD_LIBRARY=" + library, "PYTHONPATH=" + modules, "PYTHONDONTWRITEBYTECODE=1"},
		python, "testdata/learn.py")
	if want := learned(t); have != want || strings.HasSuffix(have, " 0") {
		t.Errorf("Python says of an environment on the card %q, of the processor's it is %q", have, want)
	}
	said([]string{"FIELDBRAIN_CARD_LIBRARY=" + library, "PYTHONPATH=" + modules, "PYTHONDONTWRITEBYTECODE=1", "SOFTCUDA_NO_DEVICE=1"},
		python, "testdata/nocard.py")
}

// driven returns the checksum of drive.py's drive on the processor.
func driven(t *testing.T) (sum uint32) {
	t.Helper()
	var sites []vector.Site
	for i := range uint64(4) {
		sc, err := family.Make([]string{"room", "movers"}[i%2], family.Train, 1+i/2)
		if err != nil {
			t.Fatal(err)
		}
		w, start, err := sc.Build(1 + i/2)
		if err != nil {
			t.Fatal(err)
		}
		sites = append(sites, vector.Site{World: w, Car: sc.Car, Start: start})
	}
	f, err := vector.New(vector.Options{Cars: 70, Sites: sites, Profile: plant.P1, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	for turn := range 12 {
		for i := range 70 {
			f.Act(i, vector.Action{Left: 0.2 + float64(i%8)/10, Right: 0.3 + float64(i%5)/10, Pulse: 1e-6 * float64(1300+(i*37+turn*50)%400)})
		}
		f.Step(40)
		var readings, states []byte
		add := func(to *[]byte, list ...float64) {
			for _, v := range list {
				*to = binary.NativeEndian.AppendUint64(*to, math.Float64bits(v))
			}
		}
		for i := range 70 {
			r, s, e := f.Read(i), f.Truth(i), f.Episode(i)
			add(&readings, r.Range[:]...)
			add(&readings, r.Floor[:]...)
			add(&states, s.At.X, s.At.Y, s.Heading, s.Speed, s.Steering, s.Yaw, float64(e.Contacts), e.Odometer)
		}
		sum = crc32.Update(crc32.Update(sum, crc32.IEEETable, readings), crc32.IEEETable, states)
		for i := range 70 {
			if turn == 6 && i%3 == 0 {
				f.Reset(i, f.Site(i), sites[f.Site(i)].Start, uint64(100+i))
			}
		}
	}
	return sum
}

// learned returns what learn.py says, of the environment on the processor.
func learned(t *testing.T) string {
	t.Helper()
	const cars = 60
	e, err := env.New(env.Options{Task: env.Goal, Cars: cars, Families: []string{"skewed", "crossing"}, Worlds: 4, Hold: 120, Limit: 30})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	must(t, e.ResetAll(9))
	m, n, ends, sum := e.Memory(), len(e.Observations()), 0, uint32(0)
	for turn := range 70 {
		for i := range cars {
			m.Actions[2*i], m.Actions[2*i+1] = float32(float64(i%7)/20), float32(float64((i+turn)%9)/20-0.2)
			if i%2 == 1 {
				m.Actions[2*i+1] = m.Observations[i*n+n-2]
			}
		}
		must(t, e.Step())
		for _, part := range []any{m.Observations, m.Rewards, m.Terminated, m.Truncated, m.Returns, m.Lengths, m.Causes} {
			bytes, err := binary.Append(nil, binary.NativeEndian, part)
			must(t, err)
			sum = crc32.Update(sum, crc32.IEEETable, bytes)
		}
		for _, cause := range m.Causes {
			ends += int(min(cause, 1))
		}
		again(t, e, turn)
	}
	return fmt.Sprintf("%08x %d", sum, ends)
}

// again resets as learn.py does.
func again(t *testing.T, e *env.Env, turn int) {
	t.Helper()
	seeds, mask := make([]uint64, 60), make([]uint8, 60)
	set := func(first, step uint64, every int) {
		for i := range seeds {
			seeds[i], mask[i] = first+step*uint64(i), 0
			if i%every == 0 {
				mask[i] = 1
			}
		}
	}
	switch turn {
	case 20:
		set(100, 1, 3)
		must(t, e.Reset(seeds, mask))
	case 40:
		set(0, 7, 5)
		must(t, e.Reset(seeds, mask))
	case 50:
		must(t, e.Reset(nil, nil))
	case 60:
		set(1<<64-3, 1, 1)
		must(t, e.Reset(seeds, nil))
	}
}

// must fails the test at an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
