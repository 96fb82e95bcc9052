package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"fieldbrain/daemon/loop"
)

// How long the page of run --web waits before it starts again: the first time, and at most
// when it ends again and again. One that has lasted counts as the first.
const (
	pageAgain  = time.Second
	pageRarely = 30 * time.Second
	pageLasts  = time.Minute
)

// A pageKeeper starts the page of run --web again when it ends: people stop the car there.
type pageKeeper struct {
	page  *webPage
	start func(ctx context.Context, before string) (*webPage, error)
}

// run keeps the page until ctx ends. Its thread is of the ordinary class, which the page
// inherits, and ends with this goroutine because nobody unlocks it.
func (k *pageKeeper) run(ctx context.Context, note func(c loop.Condition, holds bool)) error {
	runtime.LockOSThread()
	loop.Lower()
	return k.keep(ctx, note)
}

// keep starts the page again whenever it ends, until ctx ends. note hears that it is gone,
// and that it is there again.
func (k *pageKeeper) keep(ctx context.Context, note func(c loop.Condition, holds bool)) error {
	wait := pageAgain
	for {
		began := time.Now()
		select {
		case <-ctx.Done():
			return nil
		case <-k.page.ended:
		}
		if time.Since(began) >= pageLasts {
			wait = pageAgain
		}
		for why := k.page.why; why != nil; wait = min(2*wait, pageRarely) {
			note(pageCondition(why, wait), true)
			if !rest(ctx, wait) {
				return nil
			}
			var page *webPage
			if page, why = k.start(ctx, k.page.url); why == nil {
				k.page = page
			}
		}
		note(pageCondition(nil, 0), false)
	}
}

// end ends the page, if there is one.
func (k *pageKeeper) end() {
	if k != nil {
		k.page.end()
	}
}

// pageCondition says that nobody sees the page, and when it is tried again.
func pageCondition(why error, wait time.Duration) loop.Condition {
	c := loop.Condition{
		Name: "page", Value: "the page of run --web is gone, and its STOP with it",
		Remedy: fmt.Sprintf("it is started again in %v; until then fieldbrain estop stops the car, fieldbrain status and fieldbrain top show it", wait),
	}
	if why != nil {
		c.Cause = why.Error()
	}
	return c
}
