package behave_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/testbench/behave"
	"fieldbrain/testbench/tier"
)

// TestEveryJudgeCanFail spoils a brain, or its field, in the way that each
// behaviour is there to find, and wants the named check to fail. Where the spoilt
// brain shows it at once, the beginnings of the drives are enough. S1's lease is the
// driver's, which no brain can spoil (TestLateStopFails); B8, B9 and the original's
// O1 have no brain (TestNoLearningFailsB8AndB9).
func TestEveryJudgeCanFail(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	lamed := spoil{body: func(b robot.Body) robot.Body { return lame{b} }}
	forgetful := spoil{field: func(p *field.Params) {
		for c := range p.Table {
			p.Table[c].Regime.Excitation *= 0.3
		}
	}}
	mirror := spoil{body: func(b robot.Body) robot.Body { return mirrored{b} }}
	for _, tt := range []struct {
		id, why, metric string
		long            bool // drives for minutes
		longest         bool // for many of them
		length          time.Duration
		spoil           spoil
	}{
		{id: "B1", why: "sees obstacles too late", metric: "collisions", long: true, length: 30 * time.Second, spoil: spoil{body: func(b robot.Body) robot.Body { return farsighted{b} }}},
		{id: "B2", why: "stands", metric: "distance_m", length: 10 * time.Second, spoil: lamed},
		{id: "B3", why: "steers into walls", metric: "exit_s", long: true, spoil: mirror},
		{id: "B4", why: "cliffs are off", metric: "wheels_past", spoil: spoil{params: func(p *brain.Params) { p.Safety.Cliff.Enabled = false }}},
		{id: "B5", why: "steers off the line", metric: "line_lost_s", long: true, spoil: mirror},
		{id: "B6", why: "stands", metric: "exit_s", length: 10 * time.Second, spoil: lamed},
		{id: "B7", why: "has no goal", metric: "goal_s", long: true, length: 20 * time.Second, spoil: spoil{params: func(p *brain.Params) { p.SeekGoal = false }}},
		{id: "B10", why: "too little excitation", metric: "survives_60_s", spoil: forgetful},
		{id: "B11", why: "too little excitation", metric: "single_peak", spoil: forgetful},
		{id: "B12", why: "swings its wheels", metric: "reversals_per_s", long: true, length: 20 * time.Second, spoil: spoil{body: func(b robot.Body) robot.Body { return &shaky{Body: b} }}},
		{id: "B13", why: "stands", metric: "coverage", long: true, length: 10 * time.Second, spoil: lamed},
		{id: "B14", why: "chooses no arm", metric: "rewarded_share_recall_off", longest: true, length: 5 * time.Second, spoil: lamed},
		{id: "B15", why: "stands", metric: "failed_limits", longest: true, length: 10 * time.Second, spoil: lamed},
		{id: "S2", why: "looks for no frozen sensor", metric: "flagged_after_s", long: true, spoil: spoil{params: func(p *brain.Params) { p.Safety.Freeze.RangeReads = 0 }}},
		{id: "S3", why: "believes what is no number", metric: "changed_commands", longest: true, spoil: spoil{body: func(b robot.Body) robot.Body { return gullible{b} }}},
		{id: "S4", why: "the standby is lost, too", metric: "ticks_without_output", spoil: spoil{bare: func(n int, e field.Engine) field.Engine {
			if n == 2 {
				return broken{e}
			}
			return e
		}}},
		{id: "S5", why: "allocates", metric: "allocations", long: true, spoil: spoil{body: func(b robot.Body) robot.Body { return &wasteful{Body: b} }}},
		{id: "O4", why: "computes nothing", metric: "fall_from_1_m_to_0.3_m_mps", spoil: spoil{bare: func(_ int, e field.Engine) field.Engine { return kill(e) }}},
		{id: "O5", why: "computes nothing", metric: "heading_obstacle_right_rad", spoil: spoil{bare: func(_ int, e field.Engine) field.Engine { return kill(e) }}},
	} {
		t.Run(tt.id, func(t *testing.T) {
			if tt.long {
				tier.Heavy(t, "the behaviour's drives take more than a second")
			}
			if tt.longest {
				tier.Long(t, "the behaviour's drives take more than four seconds")
			}
			o := tt.spoil.options(tt.id)
			o.Length = tt.length
			b := result(t, o)
			i := slices.IndexFunc(b.Checks, func(c behave.Check) bool { return c.Metric == tt.metric && !c.Passed })
			if b.Passed || i < 0 {
				t.Errorf("passed %v although the brain %s; checks %+v", b.Passed, tt.why, b.Checks)
			}
		})
	}
}

// broken never steps.
type broken struct{ field.Engine }

func (broken) Step(*field.Input) (*field.Output, error) { return nil, errors.New("broken") }

// TestMissingPartsFail: a behaviour whose part the build lacks fails with the
// words that say so; the suite never passes it over.
func TestMissingPartsFail(t *testing.T) {
	for id, part := range map[string]string{
		"S6": "saving and loading what was learned",
	} {
		b := result(t, spoil{}.options(id))
		if b.Passed || !slices.Contains(b.Needs, part) {
			t.Errorf("%s: passed %v, needs %q; want it to fail for %q", id, b.Passed, b.Needs, part)
		}
	}
}

// saveHalves saves a state of two halves again and again, and is killed after so many
// of them. A careful one gives a file its name when it is whole.
func saveHalves(folder string, careful bool, halves int) error {
	name := filepath.Join(folder, "state")
	written := name
	if careful {
		written += ".new"
	}
	for n := range halves {
		half := []string{"first ", "first second"}[n%2]
		if err := os.WriteFile(written, []byte(half), 0o600); err != nil {
			return err
		}
		if whole := n%2 == 1; whole && careful {
			if err := os.Rename(written, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// loadWhole refuses a state that is not whole.
func loadWhole(_ *behave.Mind, folder string) error {
	text, err := os.ReadFile(filepath.Join(folder, "state"))
	if err == nil && !strings.HasSuffix(string(text), "second") {
		err = errors.New("half a state")
	}
	return err
}

// TestS6Harness: a process that saves carelessly is caught, one that saves carefully is
// not; each is killed after 2 to 9 halves. (A careful one that has finished no state yet
// leaves none: the harness waits for the first file.)
func TestS6Harness(t *testing.T) {
	for _, careful := range []bool{true, false} {
		o := spoil{}.options("S6")
		o.Seeds, o.Scratch = 8, t.TempDir()
		o.Parts.Load = loadWhole
		o.Parts.Save = func(*behave.Mind, string) error { return nil }
		var kills atomic.Int64
		o.Parts.Saver = func(folder string) (func() error, error) {
			halves := 1 + int(kills.Add(1))
			return func() error { return nil }, saveHalves(folder, careful, halves)
		}
		b := result(t, o)
		if b.Passed != careful {
			t.Errorf("careful %v: passed %v, %d of %d loaded", careful, b.Passed, b.Checks[0].Held, b.Checks[0].Runs)
		}
		if kills.Load() != 8 || !careful && b.Checks[0].Held != 4 {
			t.Errorf("careful %v: killed %d times, %d loaded", careful, kills.Load(), b.Checks[0].Held)
		}
	}
}
