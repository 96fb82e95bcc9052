package gpu

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"

	"fieldbrain/field"
)

// A Wait says how the child waits for the device, and the client for the child.
type Wait string

// The three ways to wait. The fastest costs a processor while it waits.
const (
	WaitSpin  Wait = "spin"  // look again at once
	WaitYield Wait = "yield" // look again after whatever else wants the processor
	WaitBlock Wait = "block" // sleep until woken
)

// A Setup is everything the child needs to know before it builds the field. It
// travels as JSON, once, through a pipe; both sides must hold equal ones.
type Setup struct {
	Params  field.Params
	Step    field.StepKind
	Half    bool // the field is stored in fp16
	Wait    Wait
	Profile bool // take the times of Stats.Nanos
	// Priority of the child's thread in SCHED_FIFO, 1 .. 99; 0: the ordinary
	// class. It should be below that of the loop that waits for the child.
	Priority int
}

// maxSetup bounds a setup that is read, in bytes: one has some 25 kB.
const maxSetup = 1 << 20

// Validate returns every reason why no field can be built from s.
func (s *Setup) Validate() error {
	errs := []error{s.Params.Validate(), s.Params.Whole()}
	if s.Step != field.Collapsed && s.Step != field.Dense {
		errs = append(errs, fmt.Errorf("gpu: step %d is not known: choose collapsed or dense", s.Step))
	}
	switch s.Wait {
	case WaitSpin, WaitYield, WaitBlock:
	default:
		errs = append(errs, fmt.Errorf("gpu: wait %q is not known: choose spin, yield or block", s.Wait))
	}
	if s.Priority < 0 || s.Priority > 99 {
		errs = append(errs, fmt.Errorf("gpu: priority %d is outside the kernel's 1 .. 99, or 0 for none", s.Priority))
	}
	if s.Priority > 0 && s.Wait == WaitSpin {
		errs = append(errs, fmt.Errorf("gpu: priority %d with wait spin would own a processor for ever: choose yield or block, or priority 0", s.Priority))
	}
	return errors.Join(errs...)
}

// Encode returns s as JSON. Numbers that are not finite have no JSON and are
// refused; Validate refuses them as well.
func (s *Setup) Encode() ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("gpu: encode the setup: %w", err)
	}
	return text, nil
}

// DecodeSetup reads what Encode wrote, to the end of r, bit for bit, and
// validates it. An unknown key is refused: the other side is another version.
func DecodeSetup(r io.Reader) (*Setup, error) {
	d := json.NewDecoder(io.LimitReader(r, maxSetup))
	d.DisallowUnknownFields()
	s := new(Setup)
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("gpu: read the setup: %w; are fieldbrain and fieldbrain-gpu of one version?", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("gpu: read the setup: something follows it")
	}
	return s, s.Validate()
}

// Hash returns the 64-bit hash of the encoded setup, which Head.ParamsHash
// carries. A setup that cannot be encoded has hash 0.
func (s *Setup) Hash() uint64 {
	text, err := s.Encode()
	if err != nil {
		return 0
	}
	h := fnv.New64a()
	h.Write(text) // never fails
	return h.Sum64()
}
