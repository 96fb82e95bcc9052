package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
)

// leftElsewhere adds to an error about a page or a flight ring that is not there those of this
// user's runs, and of the service, that are: a run by hand mostly has another folder than
// the service, which the documents name.
func leftElsewhere(e *env, wanted string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if there := leftBy(e, filepath.Ext(strings.TrimSuffix(wanted, ".before"))); len(there) > 0 {
		return fmt.Errorf("%w; there is %s", err, strings.Join(there, ", "))
	}
	return fmt.Errorf("%w; a run leaves its page and its flight ring beside its control socket, and there are none beside %s",
		err, strings.Join(daemon.Sockets(e.getenv, e.uid), " or "))
}

// leftBy returns the pages of all runs where a daemon's control socket may be, or their
// rings.
func leftBy(e *env, ext string) (there []string) {
	for _, socket := range daemon.Sockets(e.getenv, e.uid) {
		path := telemetry.PagePath(socket)
		if ext == ".ring" {
			path = telemetry.RingPath(socket)
		}
		for _, path := range []string{path, telemetry.Before(path)} {
			if _, err := os.Lstat(path); err == nil {
				there = append(there, path)
			}
		}
	}
	return there
}
