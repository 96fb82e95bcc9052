//go:build !(cgo && !cuda && linux && (amd64 || arm64))

package rollout

func nativeISAs() []string { return nil }

func newNative(string) engine { return nil }
