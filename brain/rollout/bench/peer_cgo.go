//go:build cgo && !cuda && linux && (amd64 || arm64)

package bench

/*
#cgo CXXFLAGS: -O3 -g1 -std=c++17 -Wall
#include "peer.h"
*/
import "C"

// A peer is the retold controller.
type peer struct{ at *C.Peer }

// newPeer returns one with its noise, nil where the machine cannot run it.
func newPeer(trajectories, steps int, chart []float32) *peer {
	if C.peer_supported() == 0 {
		return nil
	}
	return &peer{C.peer_new(C.int(trajectories), C.int(steps), (*C.float)(&chart[0]))}
}

func (p *peer) close() { C.peer_free(p.at) }

// plan returns the first angle of a plan from the map's middle towards a goal, in m
// from the map's corner.
func (p *peer) plan(speed, goalX, goalY float32) float32 {
	return float32(C.peer_plan(p.at, 2, 2, 0, C.float(speed), C.float(goalX), C.float(goalY)))
}
