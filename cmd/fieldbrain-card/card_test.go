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
	said([]string{"FIELDBRAIN_CARD_LIBRARY=" + library, "PYTHONPATH=" + modules, "PYTHONDONTWRITEBYTECODE=1", "SOFTCUDA_NO_DEVICE=1"},
		python, "testdata/nocard.py")
}

// driven returns the checksum of drive.py's drive on the processor.
func driven(t *testing.T) (sum uint32) {
	t.Helper()
	var sites []vector.Site
	for i := range uint64(4) {
		sc, err := family.Make([]string{"room", "movers"}[i%2], family.Train, 1+i)
		if err != nil {
			t.Fatal(err)
		}
		w, start, err := sc.Build(1 + i)
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
