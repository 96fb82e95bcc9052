//go:build cuda

package main

/*
#define FIELDBRAIN_CARD_GO
#include "fieldbrain_card.h"
*/
import "C"

import (
	"fmt"
	"runtime/cgo"
	"strings"
	"unsafe"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector/env"
)

// find returns a handle's client, nil for one that there is not.
func find(handle C.fieldbrain_card) (c *client) {
	defer func() {
		if recover() != nil { // what cgo says to a wrong handle
			c = nil
		}
	}()
	c, _ = cgo.Handle(handle).Value().(*client)
	return c
}

// A note is where a call leaves its words.
type note struct {
	to   *C.char
	room C.size_t
}

// put writes text and its end, cut to the room.
func (n note) put(text string) {
	if n.to == nil || n.room == 0 {
		return
	}
	into := unsafe.Slice((*byte)(unsafe.Pointer(n.to)), int(n.room))
	into[copy(into[:n.room-1], text)] = 0
}

// says notes an error and returns its code.
func (n note) says(code C.int32_t, err error) C.int32_t {
	if err == nil {
		n.put("")
		return C.FIELDBRAIN_CARD_OK
	}
	n.put(err.Error())
	return code
}

// caught notes what a call panicked with; a caller in C has no other word of it.
func (n note) caught(code *C.int32_t) {
	if broken := recover(); broken != nil {
		n.put(fmt.Sprint("card: ", broken))
		*code = C.FIELDBRAIN_CARD_FAILED
	}
}

// word returns a string of C's, and what NULL means.
func word(s *C.char, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return C.GoString(s)
}

// taken are C's options.
func taken(o *C.fieldbrain_card_options) options {
	to := options{
		cars: int(o.cars), worlds: int(o.worlds),
		profile: plant.Profile(word(o.profile, string(plant.P1))), set: family.Train, first: max(uint64(o.first), 1), seed: uint64(o.seed),
		task: env.Task(word(o.task, "")), hold: int(o.hold), limit: int(o.limit),
	}
	if o.families != nil {
		to.families = strings.Split(C.GoString(o.families), ",")
	}
	to.tasked = o.task != nil
	if o.worlds == 0 {
		to.worlds = 32
	}
	if o.test != 0 {
		to.set = family.Test
	}
	return to
}

//export fieldbrain_card_version
func fieldbrain_card_version() C.int32_t { return C.FIELDBRAIN_CARD_VERSION }

//export fieldbrain_card_open
func fieldbrain_card_open(o *C.fieldbrain_card_options, handle *C.fieldbrain_card, message *C.char, room C.size_t) (code C.int32_t) {
	n := note{message, room}
	defer n.caught(&code)
	switch {
	case o == nil || handle == nil:
		return n.says(C.FIELDBRAIN_CARD_MEMORY, fmt.Errorf("card: options and card must not be NULL"))
	case uintptr(o.size) != unsafe.Sizeof(*o):
		return n.says(C.FIELDBRAIN_CARD_SIZE, fmt.Errorf("card: options of %d bytes; this library, version %d, has %d: set .size = sizeof options and compile against its header",
			o.size, C.FIELDBRAIN_CARD_VERSION, unsafe.Sizeof(*o)))
	}
	c, wrong, err := open(taken(o))
	if err != nil {
		if wrong {
			return n.says(C.FIELDBRAIN_CARD_OPTIONS, err)
		}
		return n.says(C.FIELDBRAIN_CARD_FAILED, err)
	}
	*handle = C.fieldbrain_card(cgo.NewHandle(c))
	return n.says(C.FIELDBRAIN_CARD_OK, nil)
}

//export fieldbrain_card_close
func fieldbrain_card_close(handle C.fieldbrain_card, message *C.char, room C.size_t) C.int32_t {
	c := find(handle)
	if c == nil {
		return C.FIELDBRAIN_CARD_HANDLE
	}
	cgo.Handle(handle).Delete()
	return note{message, room}.says(C.FIELDBRAIN_CARD_FAILED, c.close())
}

//export fieldbrain_card_get_matrix
func fieldbrain_card_get_matrix(handle C.fieldbrain_card, which C.int32_t, to *C.fieldbrain_card_matrix) C.int32_t {
	c := find(handle)
	switch {
	case c == nil:
		return C.FIELDBRAIN_CARD_HANDLE
	case to == nil:
		return C.FIELDBRAIN_CARD_MEMORY
	case uintptr(to.size) != unsafe.Sizeof(*to):
		return C.FIELDBRAIN_CARD_SIZE
	}
	m := c.matrix(int(which))
	if m.At == 0 {
		return C.FIELDBRAIN_CARD_OPTIONS
	}
	to.device, to.address, to.rows, to.columns = C.int32_t(c.Device.Number), C.uint64_t(m.At), C.int64_t(m.Rows), C.int64_t(m.Columns)
	to.kind, to.bytes = C.int32_t(m.Kind), C.int32_t(m.Kind.Bytes())
	return C.FIELDBRAIN_CARD_OK
}

//export fieldbrain_card_step
func fieldbrain_card_step(handle C.fieldbrain_card, steps C.int32_t, message *C.char, room C.size_t) C.int32_t {
	c := find(handle)
	switch {
	case c == nil:
		return C.FIELDBRAIN_CARD_HANDLE
	case steps < 0:
		return note{message, room}.says(C.FIELDBRAIN_CARD_OPTIONS, fmt.Errorf("card: %d steps; choose 0 and more", steps))
	}
	return note{message, room}.says(C.FIELDBRAIN_CARD_FAILED, c.step(int(steps)))
}

//export fieldbrain_card_wait
func fieldbrain_card_wait(handle C.fieldbrain_card, message *C.char, room C.size_t) C.int32_t {
	c := find(handle)
	if c == nil {
		return C.FIELDBRAIN_CARD_HANDLE
	}
	return note{message, room}.says(C.FIELDBRAIN_CARD_FAILED, c.Wait())
}
