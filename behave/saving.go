package behave

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fieldbrain/field"
	"fieldbrain/testbench"
)

// surviving is S6: whenever a saving process is killed, its folder holds a state
// that loads.
func surviving() entry {
	const id, name, scene = "S6", "killed while saving", "a process that saves without pause is killed after 1 to 200 ms; its folder is loaded"
	return entry{id: id, name: name, scene: scene, seeds: 20, plan: func(l *lab, n int) plan {
		if l.Parts.Saver == nil || l.Parts.Load == nil {
			return plan{judge: func() []Check { return []Check{lacking("loadable", atLeast, 1, needSaving)} }}
		}
		loads := make(values, n)
		var p plan
		for i := range n {
			p.jobs = append(p.jobs, func() error {
				ok, err := l.killSaving(uint64(i + 1))
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
func (l *lab) killSaving(seed uint64) (loadable bool, err error) {
	folder := filepath.Join(l.Scratch, fmt.Sprint("save-", seed))
	if err = os.MkdirAll(folder, 0o700); err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	kill, err := l.Parts.Saver(folder)
	if err != nil {
		return false, fmt.Errorf("behave: S6: start a saving process: %w", err)
	}
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if files, err := os.ReadDir(folder); err == nil && len(files) > 0 {
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
	return l.loads(folder)
}

// loads reports whether a fresh mind can load a folder.
func (l *lab) loads(folder string) (ok bool, err error) {
	rig, err := testbench.NewRig(l.newCourse(1, "room").sc[0], 1, nil)
	if err != nil {
		return false, fmt.Errorf("behave: S6: %w", err)
	}
	m, err := l.Make(rig.Seat(l.Period), Variant{})
	if err != nil {
		return false, err
	}
	ok = l.Parts.Load(m, folder) == nil
	return ok, m.Close()
}
