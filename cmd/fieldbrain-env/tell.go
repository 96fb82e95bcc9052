//go:build cgo

package main

/*
#define FIELDBRAIN_ENV_GO
#include "fieldbrain_env.h"
*/
import "C"

import (
	"unsafe"

	"fieldbrain/testbench/vector/env"
)

//export fieldbrain_env_get_shape
func fieldbrain_env_get_shape(handle C.fieldbrain_env, s *C.fieldbrain_env_shape) C.int32_t {
	c := find(handle)
	switch {
	case c == nil:
		return C.FIELDBRAIN_ENV_HANDLE
	case s == nil:
		return C.FIELDBRAIN_ENV_MEMORY
	case uintptr(s.size) != unsafe.Sizeof(*s):
		return C.FIELDBRAIN_ENV_SIZE
	}
	o := c.Options()
	s.cars, s.actions, s.observations = C.int32_t(o.Cars), env.ActionSize, C.int32_t(len(c.Observations()))
	s.hold, s.limit, s.worlds, s.threads = C.int32_t(o.Hold), C.int32_t(o.Limit), C.int32_t(o.Worlds), C.int32_t(o.Threads)
	s.autoreset = C.FIELDBRAIN_ENV_NEXT_STEP
	put(c.ISA(), &s.isa[0], C.size_t(len(s.isa)))
	return C.FIELDBRAIN_ENV_OK
}

//export fieldbrain_env_get_channel
func fieldbrain_env_get_channel(handle C.fieldbrain_env, observation, n C.int32_t, to *C.fieldbrain_env_channel) C.int32_t {
	c := find(handle)
	if c == nil {
		return C.FIELDBRAIN_ENV_HANDLE
	}
	list := env.Actions()
	if observation != 0 {
		list = c.Observations()
	}
	if to == nil {
		return C.FIELDBRAIN_ENV_MEMORY
	}
	if n < 0 || int(n) >= len(list) {
		return C.FIELDBRAIN_ENV_OPTIONS
	}
	put(list[n].Name, &to.name[0], C.size_t(len(to.name)))
	put(list[n].Unit, &to.unit[0], C.size_t(len(to.unit)))
	to.low, to.high = C.float(list[n].Low), C.float(list[n].High)
	return C.FIELDBRAIN_ENV_OK
}

//export fieldbrain_env_poses
func fieldbrain_env_poses(handle C.fieldbrain_env, poses *C.float) C.int32_t {
	c, code := enter(handle)
	if c == nil {
		return code
	}
	defer c.leave()
	if poses == nil {
		return C.FIELDBRAIN_ENV_MEMORY
	}
	rows := unsafe.Slice((*[4]float32)(unsafe.Pointer(poses)), c.Options().Cars)
	for i := range rows {
		p := c.Pose(i)
		rows[i] = [4]float32{p.X, p.Y, p.Heading, p.Speed}
	}
	return C.FIELDBRAIN_ENV_OK
}

//export fieldbrain_env_world
func fieldbrain_env_world(handle C.fieldbrain_env, car C.int32_t, family *C.char, room C.size_t, seed *C.uint64_t) C.int32_t {
	c, code := enter(handle)
	if c == nil {
		return code
	}
	defer c.leave()
	switch {
	case seed == nil:
		return C.FIELDBRAIN_ENV_MEMORY
	case car < 0 || int(car) >= c.Options().Cars:
		return C.FIELDBRAIN_ENV_OPTIONS
	}
	_, name, member := c.World(int(car))
	put(name, family, room)
	*seed = C.uint64_t(member)
	return C.FIELDBRAIN_ENV_OK
}

//export fieldbrain_env_cause_name
func fieldbrain_env_cause_name(cause C.int32_t, name *C.char, room C.size_t) C.int32_t {
	if cause < 0 || cause > C.int32_t(env.Time) {
		return C.FIELDBRAIN_ENV_OPTIONS
	}
	put(env.Cause(cause).String(), name, room)
	return C.FIELDBRAIN_ENV_OK
}
