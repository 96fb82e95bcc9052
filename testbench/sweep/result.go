package sweep

import (
	"fmt"
	"time"

	"fieldbrain/testbench"
)

// A Result is what one run of a job came to, and who drove it.
type Result struct {
	Job
	Machine    string            `json:"machine"`              // its name
	Platform   string            `json:"platform"`             // operating system and processor
	Worker     string            `json:"worker"`               // a process on it
	Version    string            `json:"version"`              // of the program, to the byte
	Deliveries uint64            `json:"deliveries"`           // how often the job was handed out until somebody finished it
	Ended      time.Time         `json:"ended"`                // by the worker's clock
	Took       float64           `json:"took_s"`               // of the worker's time
	Drawn      string            `json:"drawn,omitempty"`      // Name of the world's text as the worker's program has it
	Recording  string            `json:"recording,omitempty"`  // its name in the store
	Unrecorded string            `json:"unrecorded,omitempty"` // why a recording that was asked for is not there
	Error      string            `json:"error,omitempty"`      // why there is no drive
	Drive      *testbench.Result `json:"drive,omitempty"`
}

// Digest is what two runs of one job must have in common, whoever drove: the whole
// field and the whole way, bit for bit.
func (r *Result) Digest() string {
	if r.Drive == nil {
		return "none: " + r.Error
	}
	return fmt.Sprintf("field %s, way %s", r.Drive.FieldHash, r.Drive.Trajectory)
}

// kind returns the family that the world was made from, or else the world.
func (r *Result) kind() string {
	if r.Family != "" {
		return r.Family
	}
	return r.World
}

// By names who drove, for a person.
func (r *Result) By() string {
	engine := r.Engine
	if r.Drive != nil && r.Drive.Engine != "" {
		engine = r.Drive.Engine
	}
	return fmt.Sprintf("%s (%s), engine %s, program %s", r.Machine, r.Platform, engine, r.Version)
}
