package brain

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestParseOrder(t *testing.T) {
	for _, tt := range []struct {
		words string
		want  Order
		wrong string // part of the complaint
	}{
		{"explore", Order{Do: DoExplore}, ""},
		{" line ", Order{Do: DoLine}, ""},
		{"goal 2 -1.5", Order{Do: DoGoal, X: 2, Y: -1.5}, ""},
		{"goal 0 0", Order{Do: DoGoal}, ""},
		{"home", Order{Do: DoHome}, ""},
		{"hold", Order{Do: DoHold}, ""},
		{"", Order{}, "an order is missing"},
		{"start", Order{}, `order "start" is not known`},
		{"fly", Order{}, `order "fly" is not known`},
		{"goal 2", Order{}, "Y is missing"},
		{"goal 2 1 3", Order{}, `"3" is too much`},
		{"hold 1", Order{}, `hold: "1" is too much`},
		{"goal two 1", Order{}, `X is "two", which is no number`},
		{"goal 2 one", Order{}, `Y is "one", which is no number`},
		{"goal 0x1p2 1", Order{}, `X is "0x1p2", which is no number`},
		{"goal 1 1_0", Order{}, `Y is "1_0", which is no number`},
		{"goal NaN 1", Order{}, "X is NaN m"},
		{"goal 1 -Inf", Order{}, "Y is -Inf m"},
		{"goal 1e400 1", Order{}, "X is +Inf m"},
		{"goal 1 100.5", Order{}, "Y is 100.5 m: choose -100 .. 100 m"},
	} {
		got, err := ParseOrder(tt.words)
		switch {
		case tt.wrong == "":
			if err != nil || got != tt.want {
				t.Errorf("%q: %+v, %v, want %+v", tt.words, got, err, tt.want)
			}
			if again, err := ParseOrder(got.String()); again != got || err != nil {
				t.Errorf("%q prints as %q, which means %+v", tt.words, got, again)
			}
		case err == nil || !strings.Contains(err.Error(), tt.wrong):
			t.Errorf("%q: %v, want a complaint with %q", tt.words, err, tt.wrong)
		}
	}
	if err := (Order{Do: DoHome, X: 1}).Check(); !errors.Is(err, ErrOrder) {
		t.Errorf("home with an X: %v", err)
	}
}

// drive lets a mission go on for some seconds at one distance from its goal.
func drive(e *missions, seconds, left float64, driving, line bool) {
	for range int(seconds * 20) {
		e.update(&leg{now: time.Minute, dt: 0.05, driving: driving, left: left, near: 0.12, line: line})
	}
}

// TestMissions: an order waits for the car to be armed, ends where it is reached, is
// given up with its reason while it is carried out and not while it waits, and
// another one cancels it.
func TestMissions(t *testing.T) {
	var e missions
	e.begin(&Params{FollowLine: true, SeekGoal: true})
	if w := e.wishes(); !w.line || !w.beacon || w.explore {
		t.Errorf("the start wants %+v", w)
	}
	e.take(Order{Do: DoGoal, X: 2}, time.Second, 7)
	if w := e.wishes(); w != (wishList{}) {
		t.Errorf("a goal wants %+v", w)
	}
	if e.last.Standing != Cancelled || e.last.Number != 0 {
		t.Errorf("the start became %+v", e.last)
	}
	drive(&e, 300, 2, false, false)
	if e.now.Standing != Waiting || e.now.Driving != 0 {
		t.Errorf("disarmed for 300 s: %+v", e.now)
	}
	drive(&e, 239, 2, true, false)
	if e.now.Standing != Underway || e.holds() {
		t.Errorf("on its way: %+v", e.now)
	}
	e.update(&leg{now: time.Minute, dt: 0.05, driving: true, left: 1.8, why: NoNearer})
	if e.now.Standing != GivenUp || e.now.Why != NoNearer || !e.holds() || e.now.Ended == 0 {
		t.Errorf("hopeless: %+v", e.now)
	}
	e.take(Order{Do: DoHome}, time.Minute, 9)
	if e.last.Standing != GivenUp || e.now.Number != 2 {
		t.Errorf("the next order: %+v after %+v", e.now, e.last)
	}
	drive(&e, 0.05, 0.1, true, false)
	if e.now.Standing != Reached || !e.holds() {
		t.Errorf("at home: %+v", e.now)
	}
	e.take(Order{Do: DoLine}, time.Minute, 9)
	drive(&e, 29, 0, true, false)
	drive(&e, 0.05, 0, true, true)
	drive(&e, 29, 0, true, false)
	if e.now.Standing != Underway {
		t.Errorf("a line now and then: %+v", e.now)
	}
	if drive(&e, 2, 0, true, false); e.now.Why != NoLine {
		t.Errorf("no line for 30 s: %+v", e.now)
	}
	e.take(Order{Do: DoExplore}, time.Minute, 9)
	if w := e.wishes(); !w.explore || e.holds() {
		t.Errorf("explore wants %+v", w)
	}
	e.update(&leg{now: time.Minute, dt: 0.05, driving: true, why: NothingNew})
	if e.now.Standing != GivenUp || e.now.Why != NothingNew || !e.holds() {
		t.Errorf("all is explored: %+v", e.now)
	}
	var start missions
	start.begin(&Params{SeekGoal: true})
	start.update(&leg{now: time.Minute, dt: 0.05, driving: true, why: NoNearer})
	if start.holds() {
		t.Errorf("what the parameters say is given up: %+v", start.now)
	}
}

// TestLeftBehindTheEnd: what is left goes on being told while the car rolls on; what came
// of the order stays.
func TestLeftBehindTheEnd(t *testing.T) {
	for _, end := range []leg{
		{now: time.Second, dt: 0.1, driving: true, way: 1, left: 0.12, near: 0.12, off: 0.02},
		{now: time.Second, dt: 0.1, driving: true, way: 1, left: 2, near: 0.12, off: 0.02, why: NoWay},
	} {
		var e missions
		e.begin(&Params{})
		e.take(Order{Do: DoGoal, X: 1}, 0, 0)
		e.update(&end)
		want := e.now
		if !want.Standing.Over() || want.Left != end.left {
			t.Fatalf("%+v", want)
		}
		e.update(&leg{now: 2 * time.Second, dt: 0.1, driving: true, way: 1.1, left: 0.05, near: 0.12, off: 0.03})
		want.Left, want.Off = 0.05, 0.03
		if e.now != want {
			t.Errorf("behind its end:\n%+v\nwant\n%+v", e.now, want)
		}
		e.take(Order{Do: DoHold}, 3*time.Second, 1.1)
		e.update(&leg{now: 4 * time.Second, left: 7})
		if e.last != want || e.now.Left != 0 {
			t.Errorf("behind the next order: %+v after %+v", e.now, e.last)
		}
	}
}

// TestReachedByDriving: a car that may not drive has reached nothing, wherever it stands; it has
// as soon as it may.
func TestReachedByDriving(t *testing.T) {
	var e missions
	e.take(Order{Do: DoHome}, 0, 0)
	l := leg{dt: 0.005, near: 0.12}
	if e.update(&l); e.now.Standing != Waiting {
		t.Errorf("disarmed at home: %v", e.now.Standing)
	}
	l.driving = true
	if e.update(&l); e.now.Standing != Reached {
		t.Errorf("armed at home: %v", e.now.Standing)
	}
}

// TestLineAndMore: where the line of a start ends that asked for more, the car goes on with
// that, and the mission says why; a start for a line alone is given up.
func TestLineAndMore(t *testing.T) {
	var e missions
	e.begin(&Params{FollowLine: true, SeekGoal: true})
	e.update(&leg{dt: 0.1, driving: true, ended: true})
	if w := e.wishes(); w.line || !w.beacon || e.now.Standing != Underway || e.now.Why != LineEnds {
		t.Errorf("wishes %+v, %v, %q", w, e.now.Standing, e.now.Why)
	}
	e = missions{}
	e.begin(&Params{FollowLine: true})
	e.update(&leg{dt: 0.1, driving: true, ended: true})
	if e.now.Standing != GivenUp || e.now.Why != LineEnds || !e.holds() {
		t.Errorf("a line alone: %v, %q", e.now.Standing, e.now.Why)
	}
}

// TestBarredLine: what stands on the line of a car that stays there ends its order, with a
// reason.
func TestBarredLine(t *testing.T) {
	for _, o := range []Order{{}, {Do: DoLine}} {
		e := missions{now: Mission{Order: o}}
		if e.update(&leg{dt: 0.1, driving: true, line: true, barred: true}); e.now.Standing != GivenUp || e.now.Why != Barred {
			t.Errorf("%v: %v, %v", o, e.now.Standing, e.now.Why)
		}
	}
}
