package daemon

import (
	"fmt"
	"path/filepath"
	"time"
)

// A MemoryStatus describes the brain on disk.
type MemoryStatus struct {
	Folder   string    `json:"folder"`
	From     string    `json:"from,omitempty"`   // file the daemon restored, empty when the brain began fresh
	FromTick uint64    `json:"from_tick"`        // ticks it had lived
	FromAt   time.Time `json:"from_at,omitzero"` // wall time at which it was saved
	Fresh    string    `json:"fresh,omitempty"`  // why the brain began fresh
	Saves    uint64    `json:"saves"`            // since start
	Failed   uint64    `json:"failed"`           // saves that failed, since start
	PutOff   uint64    `json:"put_off"`          // periods in which no tick had the time
	Last     string    `json:"last,omitempty"`   // newest file
	LastTick uint64    `json:"last_tick"`        // ticks it has lived
	LastAt   time.Time `json:"last_at,omitzero"` // wall time at which it was saved
	Error    string    `json:"error,omitempty"`  // why the newest save failed
}

// Line returns the state of the saved brain in one line.
func (m MemoryStatus) Line() string {
	begun := "began fresh"
	if m.From != "" {
		begun = fmt.Sprintf("from %s, tick %d", filepath.Base(m.From), m.FromTick)
	}
	line := fmt.Sprintf("brain %s  saved %d in %s", begun, m.Saves, m.Folder)
	if m.Failed+m.PutOff > 0 {
		line += fmt.Sprintf("  failed %d  put off %d", m.Failed, m.PutOff)
	}
	return line
}
