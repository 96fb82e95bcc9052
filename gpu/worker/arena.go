package worker

import (
	"fmt"
	"strings"

	"fieldbrain/gpu/kernels"
)

// alignment of every region, in bytes: what the driver itself promises for an
// allocation, and two cache lines.
const alignment = 256

// A Place is where a region of the arena lies.
type Place struct {
	Name          string
	Offset, Bytes int
}

// An Arena is the layout of the device's memory: one allocation in which every
// region has its place. It is only a layout until the worker allocates it.
type Arena struct {
	Places []Place
	Bytes  int // of the allocation
	base   kernels.Address
}

// NewArena places regions one after the other. Those without bytes keep their
// line in the map: a later part will fill them.
func NewArena(regions []kernels.Region) *Arena {
	a := new(Arena)
	for _, r := range regions {
		a.Places = append(a.Places, Place{Name: r.Name, Offset: a.Bytes, Bytes: r.Bytes})
		a.Bytes += (r.Bytes + alignment - 1) / alignment * alignment
	}
	return a
}

// Address returns where a region lies on the device, 0 if it has no bytes: what
// reads it by mistake fails at once. A name without a place is the caller's
// mistake and panics.
func (a *Arena) Address(name string) kernels.Address {
	for _, p := range a.Places {
		if p.Name != name {
			continue
		}
		if p.Bytes == 0 {
			return 0
		}
		return a.base + kernels.Address(p.Offset)
	}
	panic(fmt.Sprintf("worker: the arena has no region %q", name))
}

// reserved reports whether a later part of the pipeline will fill a region.
func reserved(name string) bool {
	switch name {
	case "prediction", "patterns", "belief", "planner":
		return true
	}
	return false
}

// String returns the map: a line per region.
func (a *Arena) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%12s %12s  %s\n", "offset", "bytes", "region")
	for _, p := range a.Places {
		size := fmt.Sprint(p.Bytes)
		switch {
		case p.Bytes == 0 && reserved(p.Name):
			size = "later"
		case p.Bytes == 0:
			size = "none"
		}
		fmt.Fprintf(&b, "%12d %12s  %s\n", p.Offset, size, p.Name)
	}
	fmt.Fprintf(&b, "%12d %12s  %s\n", a.Bytes, "", "end")
	return b.String()
}
