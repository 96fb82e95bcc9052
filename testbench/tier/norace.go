//go:build !race

package tier

// Race says whether this build has the race detector.
const Race = false
