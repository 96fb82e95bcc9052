package behave

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldbrain/field"
	"fieldbrain/testbench"
)

// surviving is S6: whenever a saving process is killed, its folder holds a state
// that loads.
func surviving() entry {
	const id, name, scene = "S6", "killed while saving", "a process that saves without pause is killed after 1 to 200 ms; its folder is loaded"
	return entry{id: id, name: name, scene: scene, seeds: 20, prepare: func(run *runner, n int) experiment {
		if run.Parts.Saver == nil || run.Parts.Load == nil {
			return experiment{judge: func() []Check { return []Check{lacking("loadable", atLeast, 1, needSaving)} }}
		}
		loads := make(values, n)
		var p experiment
		for i := range n {
			p.jobs = append(p.jobs, func() error {
				ok, err := run.killSaving(uint64(i + 1))
				loads[i] = of(yes(ok))[0]
				return err
			})
		}
		p.judge = func() []Check { return []Check{check("loadable", atLeast, 1, loads)} }
		return p
	}}
}

// firstSave is how long a process may take until its folder holds anything.
const firstSave = 20 * time.Second

// killSaving kills one saving process at an instant of the seed's and loads what
// it left.
func (run *runner) killSaving(seed uint64) (loadable bool, err error) {
	folder := filepath.Join(run.Scratch, fmt.Sprint("save-", seed))
	if err = os.MkdirAll(folder, 0o700); err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	kill, err := run.Parts.Saver(folder)
	if err != nil {
		return false, fmt.Errorf("behave: S6: start a saving process: %w", err)
	}
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if files, err := os.ReadDir(folder); err == nil && slices.ContainsFunc(files, complete) {
			break
		}
		if time.Since(begun) > firstSave {
			return false, errors.Join(fmt.Errorf("behave: S6: nothing was saved to %s within %v", folder, firstSave), kill())
		}
	}
	time.Sleep(time.Duration(1+field.Mix(uint32(seed))%200) * time.Millisecond)
	if err := kill(); err != nil {
		return false, fmt.Errorf("behave: S6: kill the saving process: %w", err)
	}
	return run.loads(folder)
}

// complete reports whether a file counts: names with a dot belong to locks and
// to unfinished files.
func complete(file os.DirEntry) bool { return !strings.HasPrefix(file.Name(), ".") }

// loads reports whether a fresh mind can load a folder.
func (run *runner) loads(folder string) (ok bool, err error) {
	rig, err := testbench.NewRig(run.newCourse(1, "room").sc[0], 1, nil)
	if err != nil {
		return false, fmt.Errorf("behave: S6: %w", err)
	}
	m, err := run.Make(rig.Vehicle(run.Period), Variant{})
	if err != nil {
		return false, err
	}
	ok = run.Parts.Load(m, folder) == nil
	return ok, m.Close()
}
