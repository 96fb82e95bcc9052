package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A meter is a progress bar with the time that is left. It writes nothing into a
// pipe or a file.
type meter struct {
	to    io.Writer
	bar   *progressbar.ProgressBar
	total int
}

// newMeter returns a meter on a terminal, or a silent one.
func newMeter(to io.Writer, terminal bool) *meter {
	if !terminal {
		to = nil
	}
	return &meter{to: to}
}

// show draws how many of a total are done; another total begins a new bar.
func (m *meter) show(done, total int, text string) {
	if m.to == nil {
		return
	}
	if m.bar == nil || m.total != total {
		m.end()
		m.total = total
		m.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(m.to), progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetElapsedTime(true), progressbar.OptionSetPredictTime(true))
	}
	m.bar.Describe(text)
	_ = m.bar.Set(done) // a bar that cannot be drawn is no reason to stop
}

// runs counts runs.
func (m *meter) runs(done, total int) { m.show(done, total, fmt.Sprintf("%d of %d runs", done, total)) }

// rounds counts a bench's rounds.
func (m *meter) rounds(done, total int) {
	m.show(done, total, fmt.Sprintf("round %d of %d", done, total))
}

// time counts simulated time.
func (m *meter) time(done, total time.Duration) {
	m.show(int(done/time.Millisecond), int(total/time.Millisecond), fmt.Sprintf("%.0f of %.0f s", done.Seconds(), total.Seconds()))
}

// end removes the bar.
func (m *meter) end() {
	if m.bar != nil {
		_ = m.bar.Clear()
	}
	m.bar = nil
}
