package gpu

import (
	"errors"
	"fmt"
)

// The shape of a plan's questions: that of packages brain/belief and brain/plan,
// which a test of gpu/worker compares.
const (
	PlanPoses   = 13
	PlanSteps   = 20
	PlanMarks   = 5
	PlanRows    = 32  // elevations
	PlanColumns = 128 // azimuths of a fan
	PlanTurn    = 256 // azimuths of a turn
	PlanPadded  = 34  // cells along an axis of the grid, border included
	PlanCells   = PlanPadded * PlanPadded * PlanPadded
	PlanSeen    = (PlanCells + 31) / 32 // words of a set of cells
	PlanLimit   = 123                   // largest log-odds
	PlanBorder  = -128

	planFirst = 4     // rows after which an adaptive fan knows how many it takes
	planOne   = 32767 // one bit of entropy
	planLong  = 3 * PlanPadded
)

// Parts of a job, in PlanJob.Parts. Every one left out costs nothing.
const (
	PlanTakesGrid   uint32 = 1 << iota // Grid replaces the one on the device
	PlanTakesSeen                      // Seen is the fans' overlay, else there is none
	PlanTakesScan                      // Scan is inserted before any fan is cast
	PlanTakesMotion                    // Motion is propagated
	PlanGivesGrid                      // the answer has the grid after the scan

	planParts = 1<<iota - 1
)

// A PlanJob is what a planner asks of the device, all of it at once: propagate
// actions, insert a scan, cast fans. Grid and rays are those of package
// brain/belief, in its integers; its package comment is the contract.
type PlanJob struct {
	Sequence uint64 // number of the job, from 1; Engine.Plan writes it
	Parts    uint32
	NumFans  int32
	Fans     [PlanPoses]PlanFan
	Motion   PlanMotion
	Scan     PlanScan
	Seen     [PlanSeen]uint32 // bit i: cell i counts as known
	Grid     [PlanCells]int8  // log-odds, the border included
}

// A PlanOrigin is a place in the grid: the index of its cell and how far into the
// cell it lies along each axis, in Q10.
type PlanOrigin struct {
	At   int32
	Part [3]int32
}

// A PlanFan is a set of rays: PlanColumns azimuths from First on, and of the
// elevations every Stride-th from Row on, Count of them. Stride 0 is adaptive:
// rows spread over all elevations, at most Count of them, and the cells that the
// rays of the first four pass decide how many.
type PlanFan struct {
	Origin                    PlanOrigin
	First, Row, Stride, Count int32
}

// A PlanMotion is a body's motion and what its actions tell it: package
// brain/plan, motion.go.
type PlanMotion struct {
	From                     PlanState
	Cos, Sin                 float32            // of the heading
	Grip, Slew, Curve, Ahead float32            // the model's constants
	Angles, Speeds, Slopes   [PlanPoses]float32 // rad, m/s, tangents of the angles
}

// A PlanState is a rear axle in motion.
type PlanState struct{ X, Y, Heading, Speed, Steering float32 } // m, rad, m/s, rad

// A PlanScan is a set of measured rays from one place.
type PlanScan struct {
	Origin PlanOrigin
	First  int32
	Rows   [PlanRows]int32              // 1 for rows that have rays
	Free   [PlanRows][PlanColumns]int32 // Q12 cells up to which a ray is free
	End    [PlanRows][PlanColumns]int32 // the same for its end, 0 for no ray
	Echo   [PlanRows][PlanColumns]uint8 // mark of the cell at its end
}

// A PlanAnswer is the result of a job.
type PlanAnswer struct {
	Sequence uint64 // of the job
	Fans     [PlanPoses]PlanGain
	Paths    PlanPaths
	Grid     [PlanCells]int8
}

// A PlanGain is the information that one fan would bring.
type PlanGain struct {
	Visits int64 // cells looked at
	Total  int64 // of Gain
	Rows   int32 // cast
	_      int32
	Gain   [PlanColumns]int32 // per azimuth, bits in Q15
}

// PlanPaths are where actions lead: the reference point at every mark, and the
// rear axle in the end.
type PlanPaths struct {
	X, Y [PlanMarks][PlanPoses]float32 // m
	End  [PlanPoses]PlanState
}

// A PlanRoom is where job and answer meet. Call.Request hands over the job, and
// everything in it is the child's until Planned is the job's number.
type PlanRoom struct {
	Job     PlanJob
	_       [256]byte
	Planned uint64 // kernel: number of the newest finished job; polled
	_       [248]byte
	Answer  PlanAnswer
}

// Copy copies the parts that a job has; the others stay as they are.
func (j *PlanJob) Copy(from *PlanJob) {
	j.Sequence, j.Parts, j.NumFans = from.Sequence, from.Parts, from.NumFans
	copy(j.Fans[:], from.Fans[:from.NumFans])
	if from.Parts&PlanTakesMotion != 0 {
		j.Motion = from.Motion
	}
	if from.Parts&PlanTakesScan != 0 {
		j.Scan.copy(&from.Scan)
	}
	if from.Parts&PlanTakesSeen != 0 {
		j.Seen = from.Seen
	}
	if from.Parts&PlanTakesGrid != 0 {
		j.Grid = from.Grid
	}
}

// copy copies the rows that have rays.
func (s *PlanScan) copy(from *PlanScan) {
	s.Origin, s.First, s.Rows = from.Origin, from.First, from.Rows
	for r, used := range from.Rows {
		if used != 0 {
			s.Free[r], s.End[r], s.Echo[r] = from.Free[r], from.End[r], from.Echo[r]
		}
	}
}

// Copy copies the answer to a job with these parts.
func (a *PlanAnswer) Copy(from *PlanAnswer, parts uint32) {
	a.Sequence, a.Fans, a.Paths = from.Sequence, from.Fans, from.Paths
	if parts&PlanGivesGrid != 0 {
		a.Grid = from.Grid
	}
}

// Validate returns every reason why the kernels cannot carry a job out: they
// would read where they must not.
func (j *PlanJob) Validate() error {
	if j.Parts&^planParts != 0 {
		return fmt.Errorf("gpu: a plan of parts %#x, known are %#x; fieldbrain and fieldbrain-gpu must be of one version", j.Parts, planParts)
	}
	if j.NumFans < 0 || j.NumFans > PlanPoses {
		return fmt.Errorf("gpu: a plan of %d fans, at most %d have room", j.NumFans, PlanPoses)
	}
	var errs []error
	for i := range j.Fans[:j.NumFans] {
		if why := j.Fans[i].flaw(); why != "" {
			errs = append(errs, fmt.Errorf("gpu: fan %d of a plan: %s", i, why))
		}
	}
	if j.Parts&PlanTakesScan != 0 {
		if why := beginFlaw(&j.Scan.Origin, j.Scan.First); why != "" {
			errs = append(errs, fmt.Errorf("gpu: scan of a plan: %s", why))
		}
	}
	return errors.Join(errs...)
}

// flaw names the mistake in a fan, or nothing.
func (f *PlanFan) flaw() string {
	switch adaptive := f.Stride == 0; {
	case adaptive && (f.Count < planFirst || f.Count > PlanRows || f.Row != 0):
		return fmt.Sprintf("adaptive, of at most %d rows from %d on; want %d..%d from 0 on", f.Count, f.Row, planFirst, PlanRows)
	case !adaptive && (f.Stride < 0 || f.Row < 0 || f.Count < 0 || int64(f.Row)+int64(f.Count-1)*int64(f.Stride) >= PlanRows):
		return fmt.Sprintf("%d rows from %d on, every %d-th: there are %d", f.Count, f.Row, f.Stride, PlanRows)
	}
	return beginFlaw(&f.Origin, f.First)
}

// beginFlaw names the mistake in the place where rays begin, or nothing.
func beginFlaw(o *PlanOrigin, first int32) string {
	if first < 0 || first >= PlanTurn {
		return fmt.Sprintf("first azimuth %d, want 0..%d", first, PlanTurn-1)
	}
	for i, by := range [3]int32{PlanPadded * PlanPadded, PlanPadded, 1} {
		if cell := o.At / by % PlanPadded; o.At < 0 || o.At >= PlanCells || cell == 0 || cell == PlanPadded-1 {
			return fmt.Sprintf("cell %d is not inside the grid", o.At)
		}
		if o.Part[i] < 0 || o.Part[i] > 1023 {
			return fmt.Sprintf("begins %d of 1024 into its cell", o.Part[i])
		}
	}
	return ""
}
