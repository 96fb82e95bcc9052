package forensics

import (
	"errors"
	"fmt"
	"runtime/trace"
	"strings"
	"time"
)

// ErrTrace says that Go's execution trace is not kept.
var ErrTrace = errors.New("forensics: no execution trace")

// Bounds of a trace.
const (
	traceAge    = 2 * time.Second
	traceBytes  = 2 << 20
	traceSuffix = ".trace"
)

// startTrace starts Go's flight recorder, nil where nobody wants it. A process has one
// at most.
func (i *Inspector) startTrace() (*trace.FlightRecorder, error) {
	if !i.o.Trace || i.o.Archive == nil {
		return nil, nil
	}
	f := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: traceAge, MaxBytes: traceBytes})
	if err := f.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTrace, err)
	}
	return f, nil
}

// putTrace writes the trace beside a bundle.
func (a *Archive) putTrace(bundle string, f *trace.FlightRecorder) error {
	a.text.Reset() // the bundle is on the disk
	if _, err := f.WriteTo(&a.text); err != nil {
		return fmt.Errorf("%w: %w", ErrTrace, err)
	}
	return a.write(strings.TrimSuffix(bundle, suffix)+traceSuffix, a.text.Bytes())
}
