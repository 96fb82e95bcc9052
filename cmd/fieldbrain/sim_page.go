package main

import (
	"io"
	"path/filepath"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
)

// pageSuffix is what the name of a page ends in.
const pageSuffix = ".page"

// keepPage makes the telemetry page and the flight ring of --page, for the drive to write;
// without the flag there is nothing to close.
func (c simCmd) keepPage(d *drive.Drive, settings config.Config, world string) (io.Closer, error) {
	switch {
	case c.Page == "":
		return io.NopCloser(nil), nil
	case filepath.Ext(c.Page) != pageSuffix:
		return nil, config.Usagef("--page: %s: a page's file ends in %s", c.Page, pageSuffix)
	case c.Pilot != "brain":
		return nil, config.Usagef("--page: only the brain's ticks are written; leave out --pilot %s", c.Pilot)
	}
	o := telemetry.Options{
		Page: c.Page, Length: time.Duration(settings.Telemetry.Length),
		Identity: telemetry.Identity{
			Program: thisBuild().Version, Body: "sim", World: world,
			Period: time.Duration(settings.Loop.Period), Now: robot.NewMonotonic().Now(),
		},
	}
	if o.Length > 0 {
		o.Ring = telemetry.RingOf(c.Page)
	}
	w, err := telemetry.New(o)
	if err != nil {
		return nil, err
	}
	d.Page = drive.NewPage(w)
	return w, nil
}
