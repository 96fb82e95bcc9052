//go:build cuda

package main

/*
#define FIELDBRAIN_CARD_GO
#include "fieldbrain_card.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"fieldbrain/testbench/vector/card"
	"fieldbrain/testbench/vector/env"
)

// The kinds are the same in both languages: these would not compile.
var (
	_ [C.FIELDBRAIN_CARD_FLOAT32]struct{} = [card.Float32]struct{}{}
	_ [C.FIELDBRAIN_CARD_UINT64]struct{}  = [card.Uint64]struct{}{}
	_ [C.FIELDBRAIN_CARD_INT32]struct{}   = [card.Int32]struct{}{}
	_ [C.FIELDBRAIN_CARD_UINT8]struct{}   = [card.Uint8]struct{}{}
)

//export fieldbrain_card_get_channel
func fieldbrain_card_get_channel(handle C.fieldbrain_card, observation, n C.int32_t, to *C.fieldbrain_card_channel) C.int32_t {
	c := find(handle)
	switch {
	case c == nil:
		return C.FIELDBRAIN_CARD_HANDLE
	case to == nil:
		return C.FIELDBRAIN_CARD_MEMORY
	case c.env == nil:
		return C.FIELDBRAIN_CARD_OPTIONS
	}
	list := env.Actions()
	if observation != 0 {
		list = c.env.Channels()
	}
	if n < 0 || int(n) >= len(list) {
		return C.FIELDBRAIN_CARD_OPTIONS
	}
	note{&to.name[0], C.size_t(len(to.name))}.put(list[n].Name)
	note{&to.unit[0], C.size_t(len(to.unit))}.put(list[n].Unit)
	to.low, to.high = C.float(list[n].Low), C.float(list[n].High)
	return C.FIELDBRAIN_CARD_OK
}

//export fieldbrain_card_reset
func fieldbrain_card_reset(handle C.fieldbrain_card, seeds *C.uint64_t, mask *C.uint8_t, message *C.char, room C.size_t) (code C.int32_t) {
	n := note{message, room}
	defer n.caught(&code)
	c := find(handle)
	if c == nil {
		return C.FIELDBRAIN_CARD_HANDLE
	}
	var err error
	if c.env == nil && (seeds == nil || mask == nil) {
		return n.says(C.FIELDBRAIN_CARD_MEMORY, fmt.Errorf("%w: neither may be NULL", errBoth))
	}
	if seeds != nil {
		err = card.Put(c.Card, c.Seeds(), unsafe.Slice((*uint64)(seeds), c.Seeds().Rows))
	}
	if mask != nil {
		err = errors.Join(err, card.Put(c.Card, c.Mask(), unsafe.Slice((*uint8)(mask), c.Mask().Rows)))
	}
	if err == nil {
		err = errors.Join(c.restart(seeds != nil, mask != nil), c.Wait())
	}
	return n.says(C.FIELDBRAIN_CARD_FAILED, err)
}

//export fieldbrain_card_reset_there
func fieldbrain_card_reset_there(handle C.fieldbrain_card, seeded, masked C.int32_t, message *C.char, room C.size_t) (code C.int32_t) {
	n := note{message, room}
	defer n.caught(&code)
	c := find(handle)
	if c == nil {
		return C.FIELDBRAIN_CARD_HANDLE
	}
	err := c.restart(seeded != 0, masked != 0)
	if errors.Is(err, errBoth) {
		return n.says(C.FIELDBRAIN_CARD_OPTIONS, err)
	}
	return n.says(C.FIELDBRAIN_CARD_FAILED, err)
}
