package suite

import (
	"context"
	"sync"
)

// Each calls do(0) to do(n-1) on that many workers and returns when all calls
// that began have ended: with the first error, or the context's. Progress is
// called after each, one call at a time; it may be nil.
func Each(ctx context.Context, workers, n int, progress func(done, total int), do func(i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	next, done := 0, 0
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil || next == n {
			return -1
		}
		next++
		return next - 1
	}
	ended := func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		if progress != nil {
			progress(done, n)
		}
	}
	var group sync.WaitGroup
	for range max(workers, 1) {
		group.Go(func() {
			for i := take(); i >= 0; i = take() {
				if err := do(i); err != nil {
					cancel(err)
					return
				}
				ended()
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
