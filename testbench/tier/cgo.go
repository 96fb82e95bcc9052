//go:build cgo

package tier

// Cgo says whether a C compiler made the engines of this build.
const Cgo = true
