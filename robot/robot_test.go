package robot_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
)

func ExampleLimits_Clamp() {
	c := robot.DefaultLimits().Clamp(robot.Command{Speed: 2, Steering: -1})
	fmt.Printf("%.2f m/s, %.0f deg\n", c.Speed, c.Steering*180/math.Pi)
	// Output: 0.35 m/s, -30 deg
}

func ExampleReading_Fresh() {
	r := robot.Reading{Value: 0.8, At: 2 * time.Second, OK: true}
	fmt.Println(r.Fresh(2100*time.Millisecond, 120*time.Millisecond), r.Fresh(3*time.Second, 120*time.Millisecond))
	// Output: true false
}

func TestReadingThatIsNotOKIsNeverFresh(t *testing.T) {
	r := robot.Reading{Value: 0.02, At: time.Second}
	if r.Fresh(time.Second, time.Hour) {
		t.Error("a reading that is not OK is fresh: a missing echo would be a short distance")
	}
	if got := r.Age(3 * time.Second); got != 2*time.Second {
		t.Errorf("age %v, want 2s", got)
	}
}

func TestFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	tests := []struct {
		name string
		c    robot.Command
		want bool
	}{
		{"zero", robot.Command{}, true},
		{"largest", robot.Command{Speed: math.MaxFloat32}, true},
		{"speed", robot.Command{Speed: nan}, false},
		{"steering", robot.Command{Steering: inf}, false},
		{"pan", robot.Command{Pan: nan}, false},
		{"tilt", robot.Command{Tilt: inf}, false},
	}
	for _, tt := range tests {
		if got := tt.c.Finite(); got != tt.want {
			t.Errorf("%s: finite %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestClampKeepsWhatIsInside(t *testing.T) {
	l := robot.DefaultLimits()
	c := robot.Command{Speed: -0.2, Steering: 0.3, Pan: -1, Tilt: 0.5, Enable: true, At: 7}
	if got := l.Clamp(c); got != c {
		t.Errorf("clamped %+v to %+v", c, got)
	}
	wild := l.Clamp(robot.Command{Speed: -9, Steering: 9, Pan: 9, Tilt: -9})
	if wild.Speed != -l.Speed || wild.Steering != l.Steering || wild.Pan != l.Pan || wild.Tilt != l.TiltDown {
		t.Errorf("clamped to %+v, want the limits %+v", wild, l)
	}
}

func TestLinkNames(t *testing.T) {
	for link, want := range map[robot.Link]string{
		robot.LinkUp: "up", robot.LinkDegraded: "degraded", robot.LinkDown: "down", robot.LinkLate: "late", 99: "unknown",
	} {
		if got := link.String(); got != want {
			t.Errorf("link %d is %q, want %q", link, got, want)
		}
	}
}

// TestSectorNames: a sector's name says where it looks.
func TestSectorNames(t *testing.T) {
	for sector, name := range robot.SectorNames() {
		degrees := float64(robot.SectorBearing(sector)) * 180 / math.Pi
		want := fmt.Sprintf("left%.0f", degrees)
		switch {
		case sector == robot.Front:
			want = "front"
		case sector == robot.Rear:
			want = "rear"
		case degrees < 0:
			want = fmt.Sprintf("right%.0f", -degrees)
		}
		if name != want {
			t.Errorf("the sector at %.0f degrees is called %s, want %s", degrees, name, want)
		}
	}
}
