package brain

import (
	"reflect"
	"strings"
	"testing"
)

// whole says of everything a Brain has whether a State keeps it (+), or why not.
const whole = `
body engine reflexes clock params dt: given to New
strain: told by the loop
guard: told by the daemon
carried: the reflexes'
idle aloft: a restored brain begins disarmed and anew
raw state in out: made by the next tick; of out the row of GOAL_MEM is kept
input: for a recording, written before it is read
coming: calls of the owner, of this start
trace remote: shown, not read; the instant of the trace is what ages refer to
ladder: given by the configuration
governor: about this machine's load, judged anew
tick+
senses.seen+ senses.ranges+ senses.close+ senses.near+ senses.floor+ senses.speed+ senses.steering+ senses.framed+ senses.told+
senses.oldest senses.yaw senses.Senses senses.newest: made by the next tick
line.offset+ line.lost+ line.found+ line.gap+ line.met+ line.left+ line.course+ line.crossing+ line.detour+ line.corner+
line.confidence line.following line.forget line.blind line.bearing line.weight: made by the next tick
goal.bearing+
goal.seen goal.sight goal.confidence goal.distance goal.far goal.weight goal.point: made by the next tick
points.heading+ points.throttle+ points.gaze+ points.confidence+ points.desired+
points.far+
points.steer points.drive points.look points.reach: constants
ahead.front+
ahead.lean: made by the next tick
ahead.near ahead.reach: constants
law+
order: made by the next tick
guide.finder+ guide.x+ guide.y+ guide.placed+ guide.gx+ guide.gy+
guide.table+
guide.bearing guide.left guide.far guide.weight guide.close guide.known guide.shut guide.back guide.floorEdges guide.shores: made by the next tick
guide.walls: heard anew; a save forgets it too
stall.driven+ stall.was+ stall.beside+ stall.at+ stall.vain+ stall.begun+ stall.from+ stall.lost+ stall.held+ stall.turned+ stall.wiggle+ stall.first+ stall.most+ stall.mute+ stall.stuck+ stall.count+ stall.touch+ stall.rest+
limiter.speed+ limiter.slew+ wheels.angle+
odometry.x+ odometry.y+ odometry.turn+
odometry.way odometry.bend: made by the next tick
terrain.grid+ terrain.seen+ terrain.next+
terrain.heard terrain.beam terrain.from terrain.since terrain.last terrain.came: made by the next tick
explorer: what it carries is in Explored
outcomes.at+ outcomes.backing+ outcomes.free+ outcomes.stalls+ outcomes.escapes+ outcomes.edge+
causes: of the reflexes, which begin anew
full: given to New
stall.deaf stall.silence stall.frontSilence stall.steady: of half a second, of a way in silence or in vain that begins anew
stall.hit stall.behind: where a saved stall.from and stall.lost have it
progress.monitor progress.advice progress.number progress.hemmed: patience begins anew, as the order does
manual.DriverState: nobody but the brain drives after a restart
reckoning: the frame of the start is this start's
parameters.turned parameters.now: what was set counts until the program ends; the configuration is the start
missions.now missions.last missions.origin missions.since missions.began: an order ends with the program; the parameters are the start
`

// TestStateIsWhole: an author who gives the brain something to carry from tick to
// tick decides here whether it survives a restart. If so, it goes into State, Save,
// Restore and Check, and StateVersion counts up.
func TestStateIsWhole(t *testing.T) {
	known := map[string]bool{}
	for line := range strings.Lines(whole) {
		names, _, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(names) {
			known[strings.TrimSuffix(name, "+")] = true
		}
	}
	look := func(name string) {
		if !known[name] {
			t.Errorf("%s is new: say above whether a saved state keeps it", name)
		}
		delete(known, name)
	}
	brain := reflect.TypeFor[Brain]()
	for _, f := range reflect.VisibleFields(brain) { // those of encoder and decoder too
		switch {
		case f.Anonymous || len(f.Index) > 1 && !brain.Field(f.Index[0]).Anonymous:
		case known[f.Name] || f.Type.Kind() != reflect.Struct:
			look(f.Name)
		default:
			for j := range f.Type.NumField() {
				look(f.Name + "." + f.Type.Field(j).Name)
			}
		}
	}
	for name := range known {
		t.Errorf("%s is gone: take it out above, and out of State", name)
	}
}
