package car

import (
	"context"
	"errors"
	"time"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/guard"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench"
)

// A Car is a body, an engine and a brain put together; a daemon runs it.
type Car struct {
	*Mind
	Body    robot.Body                      // its Halt is safe from any goroutine, beside Sense and Act
	Driver  *picarx.Car                     // behind the body: statistics and threads
	Work    func(ctx context.Context) error // runs the driver's threads until ctx is done
	Guard   *guard.Ward                     // whose line stops the real car, nil where there is none
	Rig     *testbench.Rig                  // the bench that a simulated car stands on, nil for the real one
	release func() error                    // gives up what the body holds
}

// New builds the configured body, engine and brain on the given clock. tune
// adds to the settings of a graphics card.
func New(c config.Config, clock robot.Clock, tune func(*gpu.Options)) (*Car, error) {
	if c.Body.Kind == "picarx" {
		return realCar(c, clock, tune)
	}
	return simulated(c, clock, tune)
}

// Pace tells the car when ticks are released; see picarx.Car.Pace.
func (c *Car) Pace(first, period time.Duration) {
	if c.Rig != nil {
		c.Rig.Pace(first, period)
		return
	}
	c.Driver.Pace(first, period)
}

// Close ends the engine's threads and releases the body.
func (c *Car) Close() error { return errors.Join(c.Mind.Close(), c.release()) }
