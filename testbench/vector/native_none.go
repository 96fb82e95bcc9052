//go:build !(cgo && !cuda && linux && (amd64 || arm64))

package vector

func nativeISAs() []string { return nil }

func newNative(string) stepper { return nil }

// Count counts nothing here.
func (f *Fleet) Count(int) (all, wide int, ok bool) { return 0, 0, false }

// Peak executes nothing here.
func (f *Fleet) Peak(int) int { return 0 }
