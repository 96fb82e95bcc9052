package guardbench

import (
	"errors"
	"path/filepath"
	"sync/atomic"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// Channels of the motors' outputs, HAT P12 and P13.
const (
	rightMotor = 12
	leftMotor  = 13
)

// hardware is the real-time priority of the thread that stands for the reset line,
// which no load delays: above everything ordinary, and below loop and guard, which a
// thread of Go's must never keep waiting.
const hardware = 40

// A stand is the simulated car that survives its daemon.
type stand struct {
	rig         *testbench.Rig
	server      *hat.Server
	start       plant.Pose
	wires, line string // sockets

	duty     atomic.Uint64 // of both motors together, in millionths
	watching atomic.Bool
	at       atomic.Int64 // since when it is zero
}

// newStand puts a car into a room and lends its HAT out.
func newStand(folder string) (*stand, error) {
	sc, err := scenarios.Open("room")
	if err != nil {
		return nil, err
	}
	s := &stand{wires: filepath.Join(folder, "h.sock"), line: filepath.Join(folder, "l.sock")}
	if s.rig, err = testbench.NewRig(sc, 7, robot.NewMonotonic()); err != nil {
		return nil, err
	}
	s.rig.Truth(func(c *plant.Car, _ *world.World) { s.start = c.Pose })
	s.server, err = s.rig.Board.Serve(s.wires, s.line, s.look, func() { _ = loop.Raise(hardware) })
	return s, err
}

// look follows the outputs.
func (s *stand) look(now time.Duration, out *hat.Outputs) {
	duty := uint64((out.Duty[leftMotor] + out.Duty[rightMotor]) * 1e6)
	s.duty.Store(duty)
	if duty == 0 && s.watching.Load() {
		s.at.CompareAndSwap(0, int64(now))
	}
}

// place puts the car back to where it began.
func (s *stand) place() {
	s.watching.Store(false)
	s.rig.Lift(s.start)
}

var (
	errStands = errors.New("the motors are off")
	errRuns   = errors.New("the motors are on")
)

// moving returns nil when the motors are on.
func (s *stand) moving() error {
	if s.duty.Load() == 0 {
		return errStands
	}
	return nil
}

// watch waits for zero from now on, and returns the duty and the instant.
func (s *stand) watch() (duty float64, now time.Duration) {
	s.at.Store(0)
	s.watching.Store(true)
	return float64(s.duty.Load()) / 1e6, s.rig.Clock().Now()
}

// stopped returns nil when they have been off since watch.
func (s *stand) stopped() error {
	if s.at.Load() == 0 {
		return errRuns
	}
	return nil
}

// held returns nil when they are off, or the line is low that keeps a real
// controller in reset from that instant.
func (s *stand) held() error {
	if since, _ := s.server.Pulled(); since != 0 {
		return nil
	}
	return s.stopped()
}

// zero returns when that was and who did it: the process guard, or the daemon's own
// driver. A line that is low has stopped the motors when it went low, however late
// this process learned it.
func (s *stand) zero(guard int) (time.Duration, string) {
	at := time.Duration(s.at.Load())
	pulled, process := s.server.Pulled()
	switch {
	case pulled == 0 || pulled > at:
		return at, "driver"
	case process != guard:
		return pulled, "driver"
	}
	return pulled, "guard"
}

// close takes the HAT back.
func (s *stand) close() error { return s.server.Close() }
