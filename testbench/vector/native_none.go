//go:build !(cgo && !cuda && linux && (amd64 || arm64))

package vector

func nativeISAs() []string { return nil }

func newNative(string) stepper { return nil }
