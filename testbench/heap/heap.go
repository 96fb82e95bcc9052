// Package heap counts what a whole program allocates, for tests.
package heap

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Allocations returns how often the whole program allocates while f runs. It
// calls warm first, in which f's like gets what it keeps and the runtime ends what
// a collection and earlier tests left it to do. Meanwhile the collector rests, one
// processor runs, and the runtime has threads to spare: it starts one whenever a
// call into C lasts on a busy machine, which costs seven allocations that are
// nobody's.
func Allocations(warm, f func()) uint64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	spare(16)
	warm()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// spare leaves n idle threads of the operating system behind.
func spare(n int) {
	var started, ended sync.WaitGroup
	release := make(chan struct{})
	started.Add(n)
	for range n {
		ended.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			started.Done()
			<-release
		})
	}
	started.Wait()
	close(release)
	ended.Wait()
}
