package pilots

import (
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
)

// A helm puts a driver into the bench's seat: it senses, reckons, maps, asks
// the driver, and lets the reflexes of robot/safety judge the wish, as the
// brain's. The driver sees the view and nothing else.
type helm struct {
	view
	body     robot.Body
	driver   driver
	reflexes *safety.Reflexes
	state    robot.State
	armed    bool
	period   float64 // s
	seen     [robot.NumSectors]time.Duration
	stall    stall
	escape   escape
	fade     time.Duration // of the next forgetting
	truth    func(v *view) // the oracle's eyes; nil for all others
}

// newHelm prepares the seat without a driver. The scenario's task is read here
// and nowhere else: goal, speed and edges, no place of anything.
func newHelm(s testbench.Vehicle) (*helm, error) {
	reflexes, err := s.Reflexes()
	if err != nil {
		return nil, err
	}
	h := &helm{body: s.Body, reflexes: reflexes, period: s.Period.Seconds()}
	h.task = task{
		cruise: s.Scenario.Brain.Cruise, lock: float64(s.Params.Limits.Steering),
		axles: s.Params.Cal.Body.Wheelbase, face: s.Params.Cal.Sonar.Ahead,
		wanted: s.Scenario.Brain.Goal, seed: s.Seed,
	}
	h.odometer.base = h.axles
	return h, nil
}

// tick is one period.
func (h *helm) tick(now time.Duration) {
	h.body.Sense(&h.state)
	h.odometer.step(float64(h.state.CommandedSpeed), float64(h.state.CommandedSteering), h.period)
	fresh := h.look(&h.state, now, &h.seen)
	if h.truth != nil {
		h.truth(&h.view)
	} else if h.grid != nil {
		h.enter(&fresh)
	}
	edges := h.reflexes.Edges()
	want := h.decide(edges)
	command, _ := h.reflexes.Apply(&h.state, robot.Command{
		At: now, SensedAt: h.state.Now, Enable: true,
		Speed: float32(want.speed), Steering: float32(want.steering),
	})
	_ = h.body.Act(command) // the reflexes let nothing pass that is not finite
	if !h.armed {
		h.armed = h.reflexes.Arm() == nil
		h.escape.rest(&h.view)
	}
}

// enter puts the new readings and where the body stands into the grid.
func (h *helm) enter(fresh *[robot.NumSectors]bool) {
	for i, is := range fresh {
		if !is {
			continue
		}
		bearing := float64(robot.SectorBearing(i))
		face := pose{h.pose.place(h.task.face, 0), h.heading + bearing}
		h.grid.beam(face, h.beams[i].r, h.beams[i].echo)
	}
	h.grid.stand(h.pose.body())
	if h.forget > 0 && h.now >= h.fade {
		h.fade = h.now + h.forget
		h.grid.forget()
	}
}

// decide asks the driver, unless the car touched something, stands before an
// edge, or is backing out already.
func (h *helm) decide(edges [robot.NumFloor]bool) wish {
	v := &h.view
	switch {
	case h.escape.busy(v):
	case edges != [robot.NumFloor]bool{}:
		h.enterEdge(edges)
		h.escape.begin(v, h.away(edges), true)
	case h.stall.notice(v):
		h.enterContact()
		h.escape.begin(v, h.escape.freer(v), false)
	}
	if h.escape.busy(v) {
		return h.escape.drive(v)
	}
	want := h.driver.drive(v)
	if !h.escape.hopeless(v, want) {
		return want
	}
	side := h.escape.freer(v)
	if want.trapped && want.steering != 0 {
		side = math.Copysign(1, want.steering)
	}
	h.escape.begin(v, side, false)
	return h.escape.drive(v)
}

// away returns the side to turn to from an edge: the one whose sensor still
// sees floor, else the last one.
func (h *helm) away(edges [robot.NumFloor]bool) float64 {
	left, right := edges[robot.FloorLeft], edges[robot.FloorRight]
	switch {
	case h.escape.edge > 0 && h.now-h.escape.edge < 5*time.Second:
		return h.escape.side // a turn that was begun is finished
	case left && !right:
		return -1
	case right && !left:
		return 1
	}
	return h.escape.freer(&h.view)
}

// enterEdge marks the ground before the dark sensors.
func (h *helm) enterEdge(edges [robot.NumFloor]bool) {
	if h.grid == nil || h.grid.fixed {
		return
	}
	for i, dark := range edges {
		if dark {
			left := float64(floorPitch * float64(robot.FloorMiddle-i))
			h.grid.disc(h.pose.place(floorAhead+0.03, left), 0.04, certain)
		}
	}
}

// enterContact marks what the body touched: no sensor saw it, so it is beside
// the front beam, on the side the car was turning to.
func (h *helm) enterContact() {
	if h.grid == nil || h.grid.fixed || h.escape.backing {
		return
	}
	side := math.Copysign(1, h.steering)
	const off = 45 * math.Pi / 180
	at := h.pose.body().toward(h.heading+float64(side*off), bodyRadius+0.02)
	h.grid.disc(at, 0.03, certain)
}
