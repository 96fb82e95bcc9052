package brain

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/steer"
	"fieldbrain/robot"
)

// A meeting is a beam's view of something while the car drives: ranges come every 40 ms.
type meeting struct {
	sector int
	speed  float64                       // m/s of the car
	yaw    float64                       // rad/s
	at     func(seconds float64) float64 // m, the range
	came   func(seconds float64) bool    // it ends on floor known free
	yields func(seconds, yields float64) // is shown what follows
	silent func(seconds float64) bool    // it hears nothing; nil for never
}

// watchMeeting drives for some seconds and returns what the senses carry then.
func watchMeeting(m *meeting, seconds float64) *senses {
	p := Default()
	s := senses{speed: m.speed, yaw: m.yaw}
	const ping = 40 * time.Millisecond
	for now := ping; now.Seconds() < seconds; now += ping {
		s.Valid = 0
		r := robot.Reading{Value: float32(m.at(now.Seconds())), At: now, OK: true}
		r.AtLeast = m.silent != nil && m.silent(now.Seconds())
		s.newRange(m.sector, &r, float64(p.Cone))
		s.Set(m.sector, r.Value/4)
		s.watch(m.sector, m.came(now.Seconds()), float32(ping.Seconds()))
		m.yields(now.Seconds(), s.yields())
	}
	return &s
}

// always is a meeting on floor known free.
func always(float64) bool { return true }

// TestYieldsToWhatComes: the car stands before something that comes over free floor meets
// it, from ahead and from the side, and goes on when it has stopped.
func TestYieldsToWhatComes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		sector int
		comes  float64 // m/s
	}{
		{"ahead", robot.Front, 0.2}, {"ahead, fast", robot.Front, 0.5}, {"left", robot.Left30, 0.3}, {"right", robot.Right60, 0.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const speed, stops = 0.3, 0.3 // m/s, m before the car
			closing := tt.comes + float64(speed*math.Cos(float64(robot.SectorBearing(tt.sector))))
			end := (1.5 - stops) / closing
			least, last := 1.0, 0.0
			watchMeeting(&meeting{
				sector: tt.sector, speed: speed,
				at:   func(s float64) float64 { return math.Max(1.5-closing*s, stops) },
				came: always,
				yields: func(s, y float64) {
					if s < end {
						least = math.Min(least, y)
					}
					last = y
					if r := 1.5 - closing*s; y == 0 && r > closing*1.1+0.05 {
						t.Errorf("the car stands %.2f m before what comes with %.2f m/s", r, closing)
					}
				},
			}, end+1.5)
			if wanted := math.Max(0, ((stops-nearingBody)/closing-nearingStop)/nearingEase) + 0.15; least > wanted {
				t.Errorf("before they meet the car still takes %.2f of its speed, want at most %.2f", least, wanted)
			}
			if last != 1 {
				t.Errorf("when it has stopped the car takes %.2f of its speed, want all", last)
			}
		})
	}
}

// TestYieldsToNothingThatStands: a wall that the car drives at or turns to, a range that
// jumps, and what comes from where nobody looked before slow nothing down.
func TestYieldsToNothingThatStands(t *testing.T) {
	const speed = 0.33
	for _, tt := range []struct {
		name  string
		m     meeting
		floor bool // the echo ends on floor known free
	}{
		{"a wall ahead", meeting{sector: robot.Front, speed: speed, at: func(s float64) float64 { return 1.2 - speed*s }}, true},
		{"with noise", meeting{sector: robot.Front, speed: speed, at: func(s float64) float64 { return 1.2 - speed*s + 0.01*math.Sin(90*s) }}, true},
		{"a wall aslant", meeting{sector: robot.Left30, speed: speed, yaw: 0.5, at: func(s float64) float64 { return 1.2 - 0.6*s }}, true},
		{"poles in turn", meeting{sector: robot.Right60, speed: speed, at: func(s float64) float64 { return 0.3 + 0.4*math.Mod(math.Floor(8*s), 3) }}, true},
		{"a wall that turns up", meeting{sector: robot.Front, speed: speed, at: func(s float64) float64 { return 1.2 - 0.7*s }}, false},
		{"what goes away", meeting{sector: robot.Front, speed: 0, at: func(s float64) float64 { return 0.2 + 0.3*s }}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.m.came = func(float64) bool { return tt.floor }
			tt.m.yields = func(s, y float64) {
				if y != 1 {
					t.Errorf("after %.2f s the car takes %.2f of its speed", s, y)
				}
			}
			watchMeeting(&tt.m, 1.4)
		})
	}
}

// TestWhoCameIsAbout: who was heard to come is about for a second and a half after he has
// stopped, whether his beam hears him or nothing, and as long as he is right before the car;
// in the echo of the beam that heard him. A wall that the car drives at never is, nor what
// came in one reading.
func TestWhoCameIsAbout(t *testing.T) {
	const speed, stops = 0.2, 1.0 // m/s, s
	own := speed * math.Cos(float64(robot.SectorBearing(robot.Right30)))
	for _, tt := range []struct {
		name    string
		from    float64 // m
		comes   float64 // m/s
		seconds float64
		silent  bool // from when he stops
		want    bool
	}{
		{"while he comes", 1.2, 0.4, stops, false, true},
		{"a moment later", 1.2, 0.4, stops + 1.2, false, true},
		{"long after", 1.2, 0.4, stops + 2.5, false, false},
		{"a moment of silence", 1.2, 0.4, stops + 1.2, true, true},
		{"long silence", 1.2, 0.4, stops + 2.5, true, false},
		{"right before the car", 0.65, 0.4, stops + 2.5, false, true},
		{"a wall", 1.2, 0, stops, false, false},
	} {
		s := watchMeeting(&meeting{
			sector: robot.Right30, speed: speed, came: always, yields: func(float64, float64) {},
			at:     func(s float64) float64 { return tt.from - (tt.comes+own)*math.Min(s, stops) },
			silent: func(s float64) bool { return tt.silent && s > stops },
		}, tt.seconds)
		e := s.echoes(s.seen[robot.Right30])
		if got := e[robot.Right30].About; got != tt.want || e[robot.Left30].About {
			t.Errorf("%s: about is %v, want %v; on the other side %v", tt.name, got, tt.want, e[robot.Left30].About)
		}
		if want := float64(s.ranges[robot.Right30]); e[robot.Right30].Range != want || !e[robot.Right30].Known || e[robot.Left30] != (steer.Echo{Bearing: e[robot.Left30].Bearing}) {
			t.Errorf("%s: the beams hear %+v, want %.2f m at %d only", tt.name, e, want, robot.Right30)
		}
		if late := s.echoes(s.seen[robot.Right30] + rangeAge + 1); late[robot.Right30].Known || late[robot.Right30].Range != 0 {
			t.Errorf("%s: what was heard long ago is known: %+v", tt.name, late[robot.Right30])
		}
	}
	var n nearing
	for k, fell := range []float32{0.1, -0.1, 0, 0.12, -0.1, 0.1, 0.16} {
		if n.hear(fell, 0.04, 0); n.times >= nearingTimes {
			t.Errorf("reading %d: what comes in one reading and is gone in the next is somebody", k)
		}
	}
}
