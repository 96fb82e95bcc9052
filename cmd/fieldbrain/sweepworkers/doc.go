// Package sweepworkers starts the processes of a sweep on this machine: workers, each a
// process of its own that is started again when it dies, and a server, which is too, and
// which the bench can kill.
//
// A drive that brings its process down takes no other drive with it. Workers hold the
// reading end of a pipe whose other end is that of the process that started them: when it
// ends, however it does, they end too.
//
// # Concurrency
//
// Workers and a Server may be used by several goroutines. Close waits for all of their
// processes.
//
// # Errors
//
// Failed delivers the error of workers that die as soon as they are started, with
// what they said last. Another death is counted and mended. A Server's Failed delivers the
// error of one that has ended and is not started again.
package sweepworkers
