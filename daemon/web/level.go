package web

import (
	"fmt"

	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// Level changes that the journal tells one by one, and how long one that was told takes
// until there is room for another.
const (
	levelBurst = 8
	levelEvery = quietPeriod
)

// A story is what the journal says of the failsafe's level. A car that is driven against
// a wall goes from NORMAL to HOLD and back many times a second: told one by one, these
// would leave no room in the journal for anything else.
type story struct {
	told    safety.Level // last
	changes int          // since then, of those that are worth telling
	used    int          // lines of the burst
	freed   int64        // ns, when one of them was given back
}

// leveled tells that the level has changed: a stop that is worse than what was told last
// at any rate, everything else while there is room, then together.
func (d *digest) leveled(t *telemetry.Tick) {
	l, now := &d.level, safety.Level(t.Level)
	if free := (t.End - l.freed) / int64(levelEvery); free > 0 {
		l.used, l.freed = max(0, l.used-int(min(free, levelBurst))), t.End
	}
	if was := safety.Level(d.was.Level); now != was && max(now, was) >= safety.Hold {
		l.changes++
	}
	worse := now >= safety.Stopped && now > l.told
	if l.changes == 0 || !worse && l.used >= levelBurst {
		return
	}
	text := ""
	if l.changes > 1 {
		text = fmt.Sprintf(" (%d changes)", l.changes)
	}
	causes := safety.Causes(t.Causes)
	d.tell(t, event{Kind: "level", Text: now.String() + because(causes) + text, Bad: now >= safety.Stopped && causes != safety.Disarmed})
	l.told, l.changes, l.used = now, 0, min(l.used+1, levelBurst)
}
