//go:build !(cgo && !cuda && linux && (amd64 || arm64))

package cpu

func nativeISAs() []string { return nil }

// newNative is never called: no native instruction set is in the list.
func newNative(*Engine, string, int) (*store, backend, error) { return nil, nil, ErrISA }

// Peak returns 0: a build without C has no yardstick for vector instructions.
func Peak(string) float64 { return 0 }

func scale(values []float32, by float32) {
	for i := range values {
		values[i] *= by
	}
}
