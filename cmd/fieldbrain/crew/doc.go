// Package crew starts the processes of a sweep on this machine: workers, each a
// process of its own that is started again when it dies, and for the bench a server
// that can be killed.
//
// A drive that brings its process down takes no other drive with it. Workers hold the
// reading end of a pipe whose other end is the crew's: when the crew's process ends,
// however it ends, they end too.
//
// # Concurrency
//
// A Crew may be used by several goroutines. Close waits for all of its processes.
//
// # Errors
//
// Failed delivers the error of workers that die as soon as they are started, with
// what they said last. Another death is counted and mended.
package crew
