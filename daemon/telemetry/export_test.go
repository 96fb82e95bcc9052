package telemetry

import "unsafe"

// Reseal makes the sum of a file's header right, as somebody would who means harm.
func Reseal(file []byte) {
	var h header
	if len(file) < int(unsafe.Sizeof(h)) {
		return
	}
	copy(bytesOf(&h), file)
	h.Sum = h.sum()
	copy(file, bytesOf(&h))
}
