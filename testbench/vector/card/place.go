//go:build cuda

package card

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"fieldbrain/testbench/vector"
)

// take allocates memory of the device.
func (c *Card) take(what string, bytes int) (cu.DevicePtr, error) {
	at, err := cu.MemAlloc(int64(max(bytes, 8)))
	if err != nil {
		free, total, _ := cu.MemInfo() // 0 of 0 if even that fails
		return 0, fmt.Errorf("card: allocate %d bytes for the %s of %d cars, %d of %d MiB are free: %w; choose fewer cars",
			bytes, what, c.fleet.Cars(), free>>20, total>>20, err)
	}
	c.later(func() error { return cu.MemFree(at) })
	return at, nil
}

// put copies a slice to the device, and get one from there.
func put[T float64 | uint64 | int32](to cu.DevicePtr, from []T) error {
	if len(from) == 0 {
		return nil
	}
	return cu.MemcpyHtoD(to, unsafe.Pointer(&from[0]), int64(len(from))*int64(unsafe.Sizeof(from[0])))
}

func get[T float64](to []T, from cu.DevicePtr) error {
	if len(to) == 0 {
		return nil
	}
	return cu.MemcpyDtoH(unsafe.Pointer(&to[0]), from, int64(len(to))*int64(unsafe.Sizeof(to[0])))
}

// placed allocates memory for a slice and copies it there.
func placed[T float64 | uint64 | int32](c *Card, what string, from []T) (cu.DevicePtr, error) {
	at, err := c.take(what, len(from)*int(unsafe.Sizeof(*new(T))))
	if err != nil {
		return 0, err
	}
	if err := put(at, from); err != nil {
		return 0, fmt.Errorf("card: copy the %s to the device: %w", what, err)
	}
	return at, nil
}

// place puts the fleet into the device's memory.
func (c *Card) place(o *Options, m *vector.Memory) error {
	var numbers, params, index cu.DevicePtr
	var errs [7]error
	c.fields, errs[0] = placed(c, "fields", m.Fields)
	c.keys, errs[1] = placed(c, "keys", m.Keys)
	c.feet, errs[2] = placed(c, "movers", m.Feet)
	c.common, errs[3] = placed(c, "blocks", m.Common)
	numbers, errs[4] = placed(c, "geometry", m.Numbers)
	params, errs[5] = placed(c, "parameters", m.Params)
	index, errs[6] = placed(c, "sites", m.Index)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	for _, want := range []struct {
		on      bool
		to      *Matrix
		columns int
	}{{o.Actions, &c.actions, C.FLEET_ACTION}, {o.Readings, &c.readings, C.FLEET_READING}, {o.States, &c.states, C.FLEET_STATE}} {
		if !want.on {
			continue
		}
		at, err := placed(c, "matrix", make([]float64, m.Cars*want.columns))
		if err != nil {
			return err
		}
		*want.to = Matrix{At: uint64(at), Rows: m.Cars, Columns: want.columns}
	}
	job := C.FleetJob{
		fields: pointer[C.double](c.fields), keys: pointer[C.uint64_t](c.keys), actions: pointer[C.double](cu.DevicePtr(c.actions.At)),
		readings: pointer[C.double](cu.DevicePtr(c.readings.At)), states: pointer[C.double](cu.DevicePtr(c.states.At)),
	}
	s := &job.shape
	s.cars, s.most, s.sonars, s.shares = C.int32_t(m.Cars), C.int32_t(m.Movers), C.int32_t(len(m.Bearings)), C.int32_t(m.Shares)
	if m.Sensing {
		s.sensing = 1
	}
	for i, b := range m.Bearings {
		s.bearings[i] = C.double(b)
	}
	s.feet, s.numbers, s.params = pointer[C.double](c.feet), pointer[C.double](numbers), pointer[C.double](params)
	s.index, s.common = pointer[C.int32_t](index), pointer[C.int32_t](c.common)
	var err error
	if c.job, err = c.take("job", C.sizeof_FleetJob); err != nil {
		return err
	}
	if err := cu.MemcpyHtoD(c.job, unsafe.Pointer(&job), C.sizeof_FleetJob); err != nil {
		return fmt.Errorf("card: copy the job to the device: %w", err)
	}
	return c.show()
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
	return errors.Join(c.launch(0), c.wait())
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
		if err := errors.Join(get(m.Fields, c.fields), get(m.Feet, c.feet)); err != nil {
			return fmt.Errorf("card: copy %d cars from the device: %w", m.Cars, err)
		}
		return nil
	})
}
