//go:build cgo

package main

/*
#define FIELDBRAIN_ENV_GO
#include "fieldbrain_env.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime/cgo"
	"strings"
	"sync/atomic"
	"unsafe"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector/env"
)

// A client is an environment that C has a handle of.
type client struct {
	*env.Env
	used  bool         // it has the caller's memory
	state atomic.Int32 // idle, busy or gone
}

// States of a client: calls on one come one at a time, and those that do not are refused.
const (
	idle int32 = iota
	busy
	gone
)

// enter returns a handle's client, for the caller alone until it calls leave; nil and a
// code for a handle that there is not, or while another thread's call is under way.
func enter(handle C.fieldbrain_env) (*client, C.int32_t) {
	c := find(handle)
	switch {
	case c == nil:
		return nil, C.FIELDBRAIN_ENV_HANDLE
	case c.state.CompareAndSwap(idle, busy):
		return c, C.FIELDBRAIN_ENV_OK
	case c.state.Load() == gone:
		return nil, C.FIELDBRAIN_ENV_HANDLE
	}
	return nil, C.FIELDBRAIN_ENV_BUSY
}

// leave lets the next call in.
func (c *client) leave() { c.state.Store(idle) }

// find returns a handle's client, nil for one that there is not.
func find(handle C.fieldbrain_env) (c *client) {
	defer func() {
		if recover() != nil { // what cgo says to a wrong handle
			c = nil
		}
	}()
	c, _ = cgo.Handle(handle).Value().(*client)
	return c
}

// put writes text and its end into room bytes.
func put(text string, to *C.char, room C.size_t) {
	if to == nil || room == 0 {
		return
	}
	into := unsafe.Slice((*byte)(unsafe.Pointer(to)), int(room))
	into[copy(into[:room-1], text)] = 0
}

// word returns a string of C's, empty for NULL.
func word(s *C.char) string {
	if s == nil {
		return ""
	}
	return C.GoString(s)
}

// options takes C's options.
func options(o *C.fieldbrain_env_options) env.Options {
	set := family.Train
	if o.test != 0 {
		set = family.Test
	}
	var families []string
	if list := word(o.families); list != "" {
		families = strings.Split(list, ",")
	}
	return env.Options{
		Task: env.Task(word(o.task)), Cars: int(o.cars), Families: families, Set: set, First: uint64(o.first),
		Worlds: int(o.worlds), Profile: plant.Profile(word(o.profile)), Hold: int(o.hold), Limit: int(o.limit),
		Threads: int(o.threads), ISA: word(o.isa),
	}
}

//export fieldbrain_env_version
func fieldbrain_env_version() C.int32_t { return env.Version }

//export fieldbrain_env_open
func fieldbrain_env_open(o *C.fieldbrain_env_options, handle *C.fieldbrain_env, message *C.char, room C.size_t) (code C.int32_t) {
	defer func() {
		if broken := recover(); broken != nil {
			put(fmt.Sprint("env: ", broken), message, room)
			code = C.FIELDBRAIN_ENV_FAILED
		}
	}()
	put("", message, room)
	switch {
	case o == nil || handle == nil:
		put("env: options and env must not be NULL", message, room)
		return C.FIELDBRAIN_ENV_MEMORY
	case uintptr(o.size) != unsafe.Sizeof(*o):
		put(fmt.Sprintf("env: options of %d bytes; this library, version %d, has %d: set .size = sizeof options and compile against its header",
			o.size, env.Version, unsafe.Sizeof(*o)), message, room)
		return C.FIELDBRAIN_ENV_SIZE
	}
	e, err := env.New(options(o))
	if err != nil {
		put(err.Error(), message, room)
		return C.FIELDBRAIN_ENV_OPTIONS
	}
	*handle = C.fieldbrain_env(cgo.NewHandle(&client{Env: e}))
	return C.FIELDBRAIN_ENV_OK
}

//export fieldbrain_env_close
func fieldbrain_env_close(handle C.fieldbrain_env) C.int32_t {
	c, code := enter(handle)
	if c == nil {
		return code
	}
	c.state.Store(gone)
	c.Close()
	cgo.Handle(handle).Delete()
	return C.FIELDBRAIN_ENV_OK
}

//export fieldbrain_env_use
func fieldbrain_env_use(handle C.fieldbrain_env, m *C.fieldbrain_env_memory) C.int32_t {
	c, code := enter(handle)
	if c == nil {
		return code
	}
	defer c.leave()
	switch {
	case m == nil:
		return C.FIELDBRAIN_ENV_MEMORY
	case uintptr(m.size) != unsafe.Sizeof(*m):
		return C.FIELDBRAIN_ENV_SIZE
	case m.actions == nil, m.observations == nil, m.rewards == nil, m.terminated == nil, m.truncated == nil,
		m.returns == nil, m.lengths == nil, m.causes == nil:
		return C.FIELDBRAIN_ENV_MEMORY
	}
	cars := c.Options().Cars
	err := c.Use(env.Memory{
		Actions:      unsafe.Slice((*float32)(m.actions), cars*env.ActionSize),
		Observations: unsafe.Slice((*float32)(m.observations), cars*len(c.Observations())),
		Rewards:      unsafe.Slice((*float32)(m.rewards), cars),
		Terminated:   unsafe.Slice((*uint8)(m.terminated), cars),
		Truncated:    unsafe.Slice((*uint8)(m.truncated), cars),
		Returns:      unsafe.Slice((*float32)(m.returns), cars),
		Lengths:      unsafe.Slice((*int32)(m.lengths), cars),
		Causes:       unsafe.Slice((*uint8)(m.causes), cars),
	})
	if err != nil {
		return C.FIELDBRAIN_ENV_FAILED
	}
	c.used = true
	return C.FIELDBRAIN_ENV_OK
}

//export fieldbrain_env_reset
func fieldbrain_env_reset(handle C.fieldbrain_env, seeds *C.uint64_t, mask *C.uint8_t) C.int32_t {
	c, code := enter(handle)
	if c == nil {
		return code
	}
	defer c.leave()
	if !c.used {
		return C.FIELDBRAIN_ENV_RESET
	}
	var anew []uint64
	var some []uint8
	if cars := c.Options().Cars; seeds != nil {
		anew = unsafe.Slice((*uint64)(seeds), cars)
	}
	if cars := c.Options().Cars; mask != nil {
		some = unsafe.Slice((*uint8)(mask), cars)
	}
	return meaning(c.Reset(anew, some))
}

// meaning returns the code of an error.
func meaning(err error) C.int32_t {
	switch {
	case err == nil:
		return C.FIELDBRAIN_ENV_OK
	case errors.Is(err, env.ErrReset):
		return C.FIELDBRAIN_ENV_RESET
	case errors.Is(err, env.ErrClosed):
		return C.FIELDBRAIN_ENV_HANDLE
	}
	return C.FIELDBRAIN_ENV_FAILED
}

//export fieldbrain_env_step
func fieldbrain_env_step(handle C.fieldbrain_env) C.int32_t {
	c, code := enter(handle)
	if c == nil {
		return code
	}
	defer c.leave()
	if !c.used {
		return C.FIELDBRAIN_ENV_RESET
	}
	return meaning(c.Step())
}
