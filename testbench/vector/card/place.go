//go:build cuda

package card

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/env"
)

// take allocates memory of the device.
func (c *Card) take(what string, bytes int) (cu.DevicePtr, error) {
	at, err := cu.MemAlloc(int64(max(bytes, 8)))
	if err != nil {
		free, total, _ := cu.MemInfo() // 0 of 0 if even that fails
		return 0, fmt.Errorf("card: allocate %d bytes for the %s of %d cars, %d of %d MiB are free: %w; choose fewer %s",
			bytes, what, c.fleet.Cars(), free>>20, total>>20, err, fewer(what))
	}
	c.later(func() error { return cu.MemFree(at) })
	return at, nil
}

// fewer says what takes less memory.
func fewer(what string) string {
	switch what {
	case "maps", "routes", "places", "starts", "geometry", "sites", "parameters":
		return "worlds"
	}
	return "cars"
}

// put copies a slice to the device, and get one from there.
func put[T any](to cu.DevicePtr, from []T) error {
	if len(from) == 0 {
		return nil
	}
	return cu.MemcpyHtoD(to, unsafe.Pointer(&from[0]), int64(len(from))*int64(unsafe.Sizeof(from[0])))
}

func get[T Number](to []T, from cu.DevicePtr) error {
	if len(to) == 0 {
		return nil
	}
	return cu.MemcpyDtoH(unsafe.Pointer(&to[0]), from, int64(len(to))*int64(unsafe.Sizeof(to[0])))
}

// placed allocates memory for a slice and copies it there.
func placed[T any](c *Card, what string, from []T) (cu.DevicePtr, error) {
	at, err := c.take(what, len(from)*int(unsafe.Sizeof(*new(T))))
	if err != nil {
		return 0, err
	}
	if err := put(at, from); err != nil {
		return 0, fmt.Errorf("card: copy the %s to the device: %w", what, err)
	}
	return at, nil
}

// A putter places slices until one fails.
type putter struct {
	card *Card
	err  error
}

// beside places a slice and returns where.
func beside[T any](p *putter, what string, from []T) (at cu.DevicePtr) {
	if p.err == nil {
		at, p.err = placed(p.card, what, from)
	}
	return at
}

// matrix places an empty one.
func matrix[T Number](p *putter, columns int) Matrix {
	rows := p.card.fleet.Cars()
	at := beside(p, "matrices", make([]T, rows*columns))
	return Matrix{At: uint64(at), Rows: rows, Columns: columns, Kind: kind[T]()}
}

// place puts the fleet into the device's memory.
func (c *Card) place(o *Options, m *vector.Memory) error {
	p := &putter{card: c}
	c.fields, c.keys, c.feet = beside(p, "fields", m.Fields), beside(p, "keys", m.Keys), beside(p, "movers", m.Feet)
	c.common = beside(p, "blocks", m.Common)
	numbers, params, index := beside(p, "geometry", m.Numbers), beside(p, "parameters", m.Params), beside(p, "sites", m.Index)
	for _, want := range []struct {
		on      bool
		to      *Matrix
		columns int
	}{{o.Actions, &c.actions, C.FLEET_ACTION}, {o.Readings, &c.readings, C.FLEET_READING}, {o.States, &c.states, C.FLEET_STATE}} {
		if want.on {
			*want.to = matrix[float64](p, want.columns)
		}
	}
	c.host.fleet = C.FleetJob{
		fields: pointer[C.double](c.fields), keys: pointer[C.uint64_t](c.keys), actions: pointer[C.double](cu.DevicePtr(c.actions.At)),
		readings: pointer[C.double](cu.DevicePtr(c.readings.At)), states: pointer[C.double](cu.DevicePtr(c.states.At)),
	}
	s := &c.host.fleet.shape
	s.cars, s.most, s.sonars, s.shares = C.int32_t(m.Cars), C.int32_t(m.Movers), C.int32_t(len(m.Bearings)), C.int32_t(m.Shares)
	if m.Sensing {
		s.sensing = 1
	}
	for i, b := range m.Bearings {
		s.bearings[i] = C.double(b)
	}
	s.feet, s.numbers, s.params = pointer[C.double](c.feet), pointer[C.double](numbers), pointer[C.double](params)
	s.index, s.common = pointer[C.int32_t](index), pointer[C.int32_t](c.common)
	c.starts(p, m.Names)
	c.job = beside(p, "job", []C.LearnJob{c.host})
	if p.err != nil {
		return p.err
	}
	return c.show()
}

// starts places what cars begin with.
func (c *Card) starts(p *putter, names []string) {
	fresh, job := c.fleet.Starts(), &c.host
	job.keys = pointer[C.uint64_t](c.keys)
	job.fresh, job.feet = pointer[C.double](beside(p, "starts", fresh.Fields)), pointer[C.double](beside(p, "starts", fresh.Feet))
	job.spreads = pointer[C.double](beside(p, "starts", c.fleet.Spreads()))
	c.seeds, c.mask = matrix[uint64](p, 1), matrix[uint8](p, 1)
	job.seeds, job.mask = pointer[C.uint64_t](cu.DevicePtr(c.seeds.At)), pointer[C.uint8_t](cu.DevicePtr(c.mask.At))
	for i, name := range slices.Concat(names, []string{vector.UnitName, env.EpisodesName, env.BeaconName}) {
		for k := range name {
			job.names[i][k] = C.char(name[k])
		}
	}
}

// Restart puts the cars of Mask back at the starts of their sites, with the noise of
// Seeds: as both lie on the card now. The matrices show them then. It returns at once.
func (c *Card) Restart() error {
	if c.home == nil {
		return errClosed
	}
	return errors.Join(c.launch(&c.book, C.LEARN_RESET|C.LEARN_SEEDED|C.LEARN_MASKED), c.launch(&c.kernel, 0))
}

// pointer is an address of the device as C has it in a struct. Nobody follows it here.
func pointer[T any](at cu.DevicePtr) *T { return *(**T)(unsafe.Pointer(&at)) }

// settle waits for copies: the stream of the steps waits for no other.
func (c *Card) settle() error {
	if err := cu.Synchronize(); err != nil {
		return fmt.Errorf("card: copy to the device: %w", err)
	}
	return nil
}

// show lets the matrices say what the cars now do and sense: no step is taken.
func (c *Card) show() error {
	if err := c.settle(); err != nil {
		return err
	}
	return errors.Join(c.launch(&c.kernel, 0), c.wait())
}

// Send takes the fleet's cars to the card, with what Reset, Act and Restore changed; the
// matrices show them then.
func (c *Card) Send() error {
	return c.within(func() error {
		if err := c.wait(); err != nil {
			return err
		}
		m := c.fleet.Memory()
		if err := errors.Join(put(c.fields, m.Fields), put(c.keys, m.Keys), put(c.feet, m.Feet), put(c.common, m.Common)); err != nil {
			return fmt.Errorf("card: copy %d cars to the device: %w", m.Cars, err)
		}
		return c.show()
	})
}

// Fetch waits for all steps and brings the cars back into the fleet.
func (c *Card) Fetch() error {
	return c.within(func() error {
		if err := c.wait(); err != nil {
			return err
		}
		m := c.fleet.Memory()
		if err := errors.Join(get(m.Fields, c.fields), get(m.Feet, c.feet), get(m.Keys, c.keys)); err != nil {
			return fmt.Errorf("card: copy %d cars from the device: %w", m.Cars, err)
		}
		c.fleet.Changed()
		return nil
	})
}
