package main

import (
	"fmt"
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
// without the flag there is none.
func (c simCmd) keepPage(e *env, d *drive.Drive, settings config.Config, world string) (*keptPage, error) {
	switch {
	case c.Page == "":
		return nil, nil
	case filepath.Ext(c.Page) != pageSuffix:
		return nil, config.Usagef("--page: %s: a page's file ends in %s", c.Page, pageSuffix)
	case c.Pilot != "brain":
		return nil, config.Usagef("--page: only the brain's ticks are written; leave out --pilot %s", c.Pilot)
	}
	if err := writable("--page", c.Page); err != nil {
		return nil, err
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
	d.Page.Program, d.Page.Ring = thisBuild().Version, o.Length
	return &keptPage{w, d.Page, e.err}, nil
}

// A keptPage is the page of a drive that is over.
type keptPage struct {
	*telemetry.Writer
	page *drive.Page
	warn io.Writer
}

// end gives the files up, and says what is not in them. Those of a drive that failed go,
// and what they had replaced comes back.
func (k *keptPage) end(failed bool) error {
	switch {
	case k == nil:
		return nil
	case failed:
		return k.Withdraw()
	}
	if err := k.page.Err(); err != nil {
		fmt.Fprintf(k.warn, "fieldbrain: --page: the flight ring cannot be replayed from its newest part: %v; --record keeps all of it\n", err)
	}
	return k.Close()
}
