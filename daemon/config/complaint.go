package config

import (
	"fmt"

	"fieldbrain/strict"
)

// Complaint and Complaints name the mistakes of a configuration.
type (
	Complaint  = strict.Complaint
	Complaints = strict.Complaints
)

// A UsageError is a mistake of the person at the keyboard: an unknown name, a
// flag out of range, a file that is not there.
type UsageError struct{ Err error }

// Usagef returns a UsageError with a formatted message.
func Usagef(format string, args ...any) error {
	return UsageError{Err: fmt.Errorf(format, args...)}
}

// Error returns the mistake.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the error behind the mistake.
func (e UsageError) Unwrap() error { return e.Err }
