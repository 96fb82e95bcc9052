package main

import (
	"fmt"
	"sync"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// A rider drives jobs. It keeps the worlds and settings that come again.
type rider struct {
	mu       sync.Mutex
	settings map[string]config.Config
	worlds   map[string]world
	spools   spoolFolder
}

// A world is a scenario with the name of its text.
type world struct {
	*scenarios.Scenario
	text string
}

// mostWorlds is how many a rider keeps: the members of families are never asked for
// again.
const mostWorlds = 64

func newRider() *rider {
	return &rider{settings: map[string]config.Config{}, worlds: map[string]world{}}
}

// drive drives one job.
func (r *rider) drive(job *sweep.Job, input func(name string) ([]byte, error)) (out queue.Outcome, err error) {
	settings, err := r.config(job, input)
	if err != nil {
		return out, err
	}
	w, err := r.world(job, input)
	if err != nil {
		return out, err
	}
	out.Drawn = w.text
	o := testbench.Options{Period: time.Duration(settings.Loop.Period), Length: time.Duration(job.Seconds * float64(time.Second))}
	if job.Oracle {
		if o.Map, err = oracle.Survey(w.Scenario, job.Seed); err != nil {
			return out, err
		}
	}
	if job.Record {
		err = r.record(job, settings, w, o, &out)
		return out, err
	}
	out.Drive, err = drive.Contestant(settings, job.Pilot, o).Run(w.Scenario, job.Seed)
	return out, err
}

// record drives and keeps a recording in a file that the caller removes. What this machine's
// disk refuses is no fault of the drive: its outcome says that there is no recording, and why.
func (r *rider) record(job *sweep.Job, settings config.Config, w world, o testbench.Options, out *queue.Outcome) error {
	var f spool
	f.file, f.refused = r.spools.create()
	d := drive.New(settings)
	d.Tape = drive.NewTape(&f, thisBuild().Version)
	var err error
	out.Drive, err = d.Virtual(w.Scenario, job.Seed, job.Pilot, o)
	out.Recording, out.Unrecorded = f.end(err == nil)
	return err
}

// config returns the job's settings.
func (r *rider) config(job *sweep.Job, input func(name string) ([]byte, error)) (config.Config, error) {
	r.mu.Lock()
	c, known := r.settings[job.Settings]
	r.mu.Unlock()
	if known {
		return c, nil
	}
	text, err := input(job.Settings)
	if err != nil {
		return c, err
	}
	if c, err = config.Parse("settings", text); err != nil {
		return c, err
	}
	c = moving(c)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settings[job.Settings] = c
	return c, nil
}

// world returns the job's world.
func (r *rider) world(job *sweep.Job, input func(name string) ([]byte, error)) (world, error) {
	key := fmt.Sprint(job.World, " ", job.File, " ", job.Inside)
	r.mu.Lock()
	w, known := r.worlds[key]
	r.mu.Unlock()
	if known {
		return w, nil
	}
	var text []byte
	var err error
	if job.File != "" {
		if text, err = input(job.File); err != nil {
			return w, err
		}
	}
	if w.Scenario, err = job.Scenario(text); err != nil {
		return w, err
	}
	whole, err := w.Encode()
	if err != nil {
		return w, err
	}
	w.text = sweep.Name(whole)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.worlds) >= mostWorlds {
		clear(r.worlds)
	}
	r.worlds[key] = w
	return w, nil
}
