//go:build cgo && !cuda && linux && (amd64 || arm64)

package bench

/*
#cgo CFLAGS: -O3 -Wall
#cgo LDFLAGS: -lm
#include "peers.h"
*/
import "C"

// peers says whether this build has the models in C.
const peers = true

func cartpole(n, rounds int) float64 { return float64(C.peer_cartpole(C.int(n), C.int(rounds))) }

func oneCar(n, steps int, sensors bool) float64 {
	on := C.int(0)
	if sensors {
		on = 1
	}
	return float64(C.peer_car(C.int(n), C.int(steps), on))
}
