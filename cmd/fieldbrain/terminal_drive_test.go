package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// hold keeps a key down, as a terminal repeats it, until a text is on the screen.
func (w *watched) hold(key, text string) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var finger sync.WaitGroup
	finger.Go(func() {
		for ctx.Err() == nil {
			_, _ = w.tty.WriteString(key)
			rest(ctx, 100*time.Millisecond)
		}
	})
	w.expect(text)
	cancel()
	finger.Wait()
}

// Largest steps of the command where the wheel changes hands, a tick of 5 ms: the brain's
// own slew, and the rate at which the steering turns then.
const (
	speedStep = 1.2*0.005 + 1e-4            // m/s
	turnStep  = 90*math.Pi/180*0.005 + 1e-4 // rad
	standBy   = 100                         // ticks, from the newest word that wanted to drive
	upArrow   = "\x1b[A"
	leftArrow = "\x1b[D"
)

// A handover tells what the ticks of a manual drive say.
type handover struct {
	stops   int // the person wanted to stand, or was gone, and the car stood in time
	changes int // of hands, the lost ones left out
	lost    int // changes to a hand that fell silent, and from it
	judged  int // of the changes, those in which no reflex had a say
}

// judgeHands goes through the ticks of a drive in their order.
func judgeHands(t *testing.T, all []telemetry.Tick) (h handover) {
	t.Helper()
	var driving, stopping *telemetry.Tick // the newest word that wanted to drive; the same while the car slows down
	for i := range all {
		tick := &all[i]
		hand := brain.Driver(tick.Hand)
		wants := brain.Driver(tick.Word) == brain.DriverPerson
		switch {
		case hand == brain.DriverBrain:
			driving, stopping = nil, nil
		case wants && tick.Throttle != 0:
			driving, stopping = tick, nil
		case driving != nil && (wants || hand == brain.DriverLost):
			driving, stopping = nil, driving
		}
		if stopping != nil && tick.Speed == 0 {
			if ticks := tick.Number - stopping.Number; ticks > standBy {
				t.Errorf("tick %d: the car stands %d ticks after the last word that wanted to drive", tick.Number, ticks)
			}
			stopping = nil
			h.stops++
		}
		if i == 0 || all[i-1].Hand == tick.Hand {
			continue
		}
		if max(brain.Driver(all[i-1].Hand), hand) == brain.DriverLost {
			h.lost++
			continue // who falls silent, as on a busy machine, is braked
		}
		h.changes++
		if max(all[i-1].Level, tick.Level) > uint8(safety.Normal) {
			continue // a busy machine slows the car down
		}
		h.judged++
		speed, turn := math.Abs(float64(tick.Speed-all[i-1].Speed)), math.Abs(float64(tick.Turn-all[i-1].Turn))
		if speed > speedStep || turn > turnStep {
			t.Errorf("tick %d: the command steps by %v m/s and %v rad as %v takes over from %v", tick.Number, speed, turn, hand, brain.Driver(all[i-1].Hand))
		}
	}
	return h
}

// hall is a world in which a person meets nothing for a while.
const hall = `
title = "An empty hall"
duration_s = 600
profile = "P1"
[start]
x = 2.0
y = 5.0
[world]
size = [12.0, 10.0]
walled = true
`

// TestDriveOnATerminal: m takes the wheel, arrows drive and steer, the car stands when
// they are let go, at space, and when the window is closed; m gives the wheel back to the
// brain, which goes on without a step in the command.
func TestDriveOnATerminal(t *testing.T) {
	s := &scene{t: t, folder: shellFolder(t)}
	if err := os.WriteFile(filepath.Join(s.folder, "hall.toml"), []byte(hall), 0o600); err != nil {
		t.Fatal(err)
	}
	s.daemon, _ = s.start("run", "--body", "sim", "--scenario", "hall.toml", "--arm", "--view", "off", "--socket", "c.sock")
	w := watch(t, s.folder, "until [ -e c.page ]; do sleep 0.1; done; ./fieldbrain top --socket $PWD/c.sock", "TERM=xterm")
	w.expect("ARMED")
	w.types("m")
	w.expect("driven by terminal")
	w.expect("motors +0.00") // what the brain drove is over, or the next line would see that
	w.hold(upArrow, "motors +0.1")
	w.hold(leftArrow, "steer +2")
	w.expect("motors +0.00") // nobody presses anything
	w.hold(upArrow, "motors +0.1")
	w.types(" ")
	w.expect("motors +0.00")
	w.hold(upArrow, "motors +0.1")
	w.types("m")
	w.expect("the brain drives")
	w.types("m")
	w.expect("driven by terminal")
	w.expect("motors +0.00") // what the brain drove is over, or the next line would see that
	w.hold(upArrow, "motors +0.1")
	w.tty.Close()
	time.Sleep(2 * time.Second)
	now := s.newest()
	if brain.Driver(now.Hand) != brain.DriverLost || now.Speed != 0 {
		t.Errorf("after its window was closed %v drives at %v m/s", brain.Driver(now.Hand), now.Speed)
	}
	if h := judgeHands(t, s.ticks()); h.stops < 3 || h.changes+h.lost < 2 {
		t.Errorf("the car stood %d times and changed hands %d times, %d times by silence", h.stops, h.changes, h.lost)
	} else {
		t.Logf("the car stood %d times in time; of %d changes of hands %d were without a reflex; %d times somebody fell silent", h.stops, h.changes, h.judged, h.lost)
	}
}
