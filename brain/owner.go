package brain

import (
	"fmt"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/plan"
	"fieldbrain/brain/reckoning"
	"fieldbrain/field"
	"fieldbrain/robot/safety"
)

// Remote returns the handle that other goroutines use.
func (b *Brain) Remote() *Remote { return &b.remote }

// Arm lets the motors run, or says what stands against it. Owner only.
func (b *Brain) Arm() error {
	b.coming.act(Call{Do: CallArm})
	return b.reflexes.Arm()
}

// Disarm makes the motors inert with the next tick. Owner only.
func (b *Brain) Disarm() {
	b.coming.act(Call{Do: CallDisarm})
	b.reflexes.Disarm()
}

// Trip disarms for a reason only the caller can see, which Status then shows as
// what disarmed the car. Owner only.
func (b *Brain) Trip(why safety.Causes) {
	b.coming.act(Call{Do: CallTrip, Causes: why})
	b.reflexes.Trip(why)
}

// Strained tells the brain whether its loop misses too many periods: while it
// does, the reflexes cap the speed and refuse to arm. Owner only.
func (b *Brain) Strained(on bool) {
	b.strain = 0
	if on {
		b.strain = safety.Overrun
	}
}

// Guarded tells the brain whether somebody would stop the motors if its process
// died: while nobody would, the car stands disarmed. Owner only.
func (b *Brain) Guarded(is bool) {
	b.guard = 0
	if !is {
		b.guard = safety.Unguarded
	}
}

// Go gives the car an order, as Remote.Go does. Owner only.
func (b *Brain) Go(o Order) error {
	if err := b.remote.takes(o); err != nil {
		return fmt.Errorf("brain: %w", err)
	}
	b.coming.act(Call{Do: CallGo, Order: o})
	b.order(o, b.trace.Now)
	return nil
}

// Missions returns the order that the car is about, and the one before. Owner only.
func (b *Brain) Missions() (now, before Mission) { return b.missions.now, b.missions.last }

// Effort sets how much is planned on the best rung, of which others take a share;
// zero pauses planning and keeps the belief. It does nothing while nobody asks for
// plans. Owner only.
func (b *Brain) Effort(e plan.Effort) {
	b.coming.act(Call{Do: CallEffort, Effort: e})
	b.full = e
	b.take(b.governor.Choice().Rung)
}

// Lend lets somebody else cast the planner's rays, nil for nobody; what the brain does
// stays the same, bit for bit (plan.Tree.Lend). Imagined drives cast none. Owner only.
func (b *Brain) Lend(c plan.Caster) { b.explorer.planner.Lend(c) }

// Safety returns how the failsafe stands after the newest tick. Owner only.
func (b *Brain) Safety() safety.Status { return b.reflexes.Status() }

// Output returns what the field answered last. It belongs to the engine and is valid
// until the next tick. Owner only.
func (b *Brain) Output() *field.Output { return b.out }

// DriverState returns who drives. Owner only.
func (b *Brain) DriverState() DriverState { return b.manual.DriverState }

// Fix returns where the car is in the frame of its start. Owner only.
func (b *Brain) Fix() reckoning.Fix { return b.reckoning.Fix() }

// Ticks returns how many ticks there were, those of a restored life included. Owner
// only.
func (b *Brain) Ticks() uint64 { return b.tick }

// Around returns the ground around the car, and where the car is in its frame. The
// grid belongs to the brain. Owner only.
func (b *Brain) Around() (*ground.Grid, ground.Pose) { return b.terrain.grid, b.odometry.axle() }
