package film_test

import (
	"bytes"
	"fmt"
	"image/gif"
	"math"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench"
	"fieldbrain/testbench/film"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
)

// seat drives a scenario with a brain that a reel watches.
func seat(reel *film.Reel, length time.Duration) (*testbench.Result, error) {
	sc, err := scenarios.Load("goal")
	if err != nil {
		return nil, err
	}
	var engine field.Engine
	pilot := func(s testbench.Vehicle) (func(now time.Duration), error) {
		p := field.Default()
		if engine, err = cpu.New(p, cpu.DefaultOptions()); err != nil {
			return nil, err
		}
		b, err := brain.New(s.Body, engine, s.Clock, brain.Default())
		return func(now time.Duration) {
			b.Tick(now)
			reel.Watch(now, b, engine)
			_ = b.Arm() // refused until the car is ready
		}, err
	}
	r, err := testbench.Run(sc, 1, pilot, testbench.Options{Length: length})
	if err == nil {
		err = engine.Close()
	}
	return r, err
}

// TestMoments: the reel keeps what the field does, at equal steps of time.
func TestMoments(t *testing.T) {
	reel := film.NewReel(100 * time.Millisecond)
	if _, err := seat(reel, 3*time.Second); err != nil {
		t.Fatal(err)
	}
	all := reel.Moments()
	if len(all) < 29 || len(all) > 31 {
		t.Fatalf("%d moments of 3 s", len(all))
	}
	for i, m := range all {
		if d := m.At - time.Duration(i)*100*time.Millisecond; d < 0 || d > 5*time.Millisecond {
			t.Errorf("moment %d is of %v", i, m.At)
		}
		if len(m.Input) != field.Side || len(m.Activation) != field.Side || len(m.Output) != field.Side {
			t.Fatalf("moment %d has %d, %d and %d bearings", i, len(m.Input), len(m.Activation), len(m.Output))
		}
	}
	last := all[len(all)-1]
	if len(last.Peaks) != 1 || len(last.Beams) == 0 {
		t.Fatalf("%d peaks and %d beams after 3 s", len(last.Peaks), len(last.Beams))
	}
	bin := int(math.Round(field.BearingBin(last.Peaks[0]))) % field.Side
	if last.Activation[bin] <= 0 || last.Output[bin] < 0.5 {
		t.Errorf("activation %.2f and output %.2f where the peak is", last.Activation[bin], last.Output[bin])
	}
}

func Example() {
	reel := film.NewReel(200 * time.Millisecond)
	r, err := seat(reel, 2*time.Second)
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	a := picture.Animation{Title: "Two seconds of a drive", Delay: 200 * time.Millisecond}
	if err := a.Write(&b, r, reel.Moments()); err != nil {
		fmt.Println(err)
		return
	}
	moving, err := gif.DecodeAll(&b)
	fmt.Println(len(moving.Image), "pictures of", moving.Config.Width, "x", moving.Config.Height, err)
	// Output: 10 pictures of 800 x 428 <nil>
}
