package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// stopAll stops the cars of all daemons whose control socket is one of paths, at the same
// time. A path where none runs counts for nothing as long as one runs somewhere. That
// somebody else's daemon may run at a further path, of which this process may not ask
// anything, stands in the note: a stranger shall not make a stop look like a failure.
func stopAll(ctx context.Context, paths []string) (Answer, error) {
	answers, errs := make([]Answer, len(paths)), make([]error, len(paths))
	passed := make([]bool, len(paths))
	var all sync.WaitGroup
	for i, path := range paths {
		if errs[i] = mayAsk(path); i > 0 && errs[i] != nil {
			passed[i] = true
			continue
		}
		all.Go(func() {
			answers[i], errs[i] = Stop(ctx, path)
			if errs[i] == nil && !answers[i].OK {
				errs[i] = errors.New(answers[i].Error)
			}
		})
	}
	all.Wait()
	var stopped []string
	var failed, unasked []error
	for i, err := range errs {
		switch {
		case err == nil:
			stopped = append(stopped, paths[i])
		case passed[i]:
			unasked = append(unasked, err)
		case !errors.Is(err, ErrNoDaemon):
			failed = append(failed, err)
		}
	}
	if len(stopped) == 0 {
		return Answer{}, cmp.Or(errors.Join(append(failed, unasked...)...), errs[0])
	}
	if err := errors.Join(failed...); err != nil {
		return Answer{}, fmt.Errorf("stopped at %s, but another car may drive on: %w", strings.Join(stopped, " and "), err)
	}
	return noted(answers[slices.Index(errs, nil)], stopped, errors.Join(unasked...)), nil
}

// noted adds to an answer which daemons stopped, where there were several, and who was not
// asked.
func noted(a Answer, stopped []string, unasked error) Answer {
	if len(stopped) > 1 {
		a.Note = "stopped the cars of the daemons at " + strings.Join(stopped, " and ") + "; clear each with fieldbrain reset --socket PATH, then fieldbrain arm --socket PATH"
	}
	if unasked != nil {
		a.Note = cmp.Or(a.Note, "stopped; clear with fieldbrain reset, then fieldbrain arm") + "; not asked: " + unasked.Error()
	}
	return a
}

// From returns sockets with the one that is meant at the beginning.
func From(meant string, sockets []string) []string {
	all := []string{meant}
	for _, s := range sockets {
		if s != meant {
			all = append(all, s)
		}
	}
	return all
}

// mayAsk says why this process can ask nobody behind a socket; nil where it can, or where
// nobody is.
func mayAsk(path string) error {
	if err := cmp.Or(checkPath(path), trustFolder(path)); err != nil {
		return err
	}
	for _, name := range []string{StopSocket(path), path} {
		if err := unix.Access(name, unix.W_OK); !errors.Is(err, fs.ErrPermission) {
			return nil
		}
	}
	return Refusal(path, fmt.Errorf("daemon: control socket %s: %w", path, fs.ErrPermission))
}
