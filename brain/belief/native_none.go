//go:build !(cgo && !cuda && linux && (amd64 || arm64))

package belief

func nativeISAs() []string { return nil }

func newNative(string) caster { return nil }
