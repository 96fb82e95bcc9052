package main

import (
	"context"
	"fmt"
	"io"
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

// A page says a line every pageBeats; one that says none for so many of them, and a bit of
// one, is stopped or hangs. Who counts looks in the same rhythm, so that a daemon that stood
// itself blames nobody.
const (
	pageBeats  = time.Second
	pageMisses = 4
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
		if !k.await(ctx, note) {
			return nil
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

// await waits until the page has ended, and reports meanwhile whether it goes on; false
// says that ctx has ended first.
func (k *pageKeeper) await(ctx context.Context, note func(c loop.Condition, holds bool)) bool {
	ticker := time.NewTicker(pageBeats)
	defer ticker.Stop()
	for missed := 0; ; {
		select {
		case <-ctx.Done():
			return false
		case <-k.page.ended:
			return true
		case <-k.page.beats:
			if missed >= pageMisses {
				note(silentPage(k.page.pid), false)
			}
			missed = 0
		case <-ticker.C:
			if missed++; missed == pageMisses && k.page.beats != nil {
				note(silentPage(k.page.pid), true)
			}
		}
	}
}

// silentPage says that the page is there and does nothing.
func silentPage(pid int) loop.Condition {
	return loop.Condition{
		Name: "page", Value: "the page of run --web stands still, and its STOP with it",
		Cause:  fmt.Sprintf("process %d, fieldbrain serve, has given no sign of life for %v: it is stopped, or this machine is too busy", pid, (pageMisses-1)*pageBeats),
		Remedy: fmt.Sprintf("kill -CONT %d lets it go on; kill -KILL %d ends it, and it is started again; until then fieldbrain estop stops the car", pid, pid),
	}
}

// beat says a line again and again, until ctx ends or nobody hears it.
func beat(ctx context.Context, out io.Writer) {
	for rest(ctx, pageBeats) {
		if _, err := fmt.Fprintln(out); err != nil {
			return
		}
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
