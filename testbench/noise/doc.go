// Package noise draws reproducible random numbers for the bench: the same
// numbers on every machine, for every sensor its own stream.
//
// # Equation
//
// The n-th number of a stream is mix(key + n golden), where key hashes the
// seed and the stream's name and mix is SplitMix64's finaliser. There is no
// state but the counter n, so nothing outside a stream can disturb it.
//
// # Concurrency
//
// A Stream belongs to one goroutine, or to whoever holds its owner's lock.
package noise
