package testbench

import (
	"sync"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench/plant"
)

// rowPeriod is the time between two rows of a track.
const rowPeriod = 50 * time.Millisecond

// A Row is one line of a track's table: where the car truly was, and what its
// pilot knew and wanted then.
type Row struct {
	At       time.Duration // since the start
	Pose     plant.Pose    // the truth
	Speed    float64       // m/s, the truth
	Steering float64       // rad, wheel angle, the truth
	Sensed   robot.State   // the pilot's last readings
	Peak     Peak          // where its field decided to go
	Command  robot.Command // its last command
}

// A Peak is where a pilot's field has its heading peak.
type Peak struct {
	Bearing float64 // rad, positive left
	Mass    float64 // output in cells; 0 is no peak
}

// An account is what the pilot's goroutine leaves for the rows, which the plant's
// steps take. It stays empty unless rows are kept.
type account struct {
	keep bool // set before anything runs

	mu      sync.Mutex // held for copies only
	sensed  robot.State
	command robot.Command
	peak    Peak

	next time.Duration // the plant's: when a row is due
	rows []Row
}

// KeepRows makes the rig keep a row of its track every 50 ms of a run of this
// length. Call it before the car drives.
func (r *Rig) KeepRows(length time.Duration) {
	a := &r.recorder.account
	a.keep, a.next = true, r.start
	a.rows = make([]Row, 0, int(length/rowPeriod)+2)
}

// note is what a Vehicle's pilot calls with its peak.
func (a *account) note(p Peak) {
	if !a.keep {
		return
	}
	a.mu.Lock()
	a.peak = p
	a.mu.Unlock()
}

func (a *account) sense(s *robot.State) {
	if !a.keep {
		return
	}
	a.mu.Lock()
	a.sensed = *s
	a.mu.Unlock()
}

func (a *account) act(c robot.Command) {
	if !a.keep {
		return
	}
	a.mu.Lock()
	a.command = c
	a.mu.Unlock()
}

// step adds a row when one is due. A run that lasts longer than the caller said
// keeps no more.
func (a *account) step(c *plant.Car, start time.Duration) {
	if !a.keep || c.Now < a.next || len(a.rows) == cap(a.rows) {
		return
	}
	a.next += rowPeriod
	a.rows = append(a.rows, Row{At: c.Now - start, Pose: c.Pose, Speed: c.Speed, Steering: c.Steering})
	row := &a.rows[len(a.rows)-1]
	a.mu.Lock()
	row.Sensed, row.Command, row.Peak = a.sensed, a.command, a.peak
	a.mu.Unlock()
}
