package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
)

// commands returns what the daemon heard so far.
func (r *rig) commands() (all []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range r.heard {
		all = append(all, q.Command)
	}
	return all
}

// page opens a stream and returns the name that the server gave it.
func (r *rig) page(t *testing.T) (*listener, string) {
	l := r.listen(t)
	for l.lines.Scan() {
		if text, is := strings.CutPrefix(l.lines.Text(), "data: "); is {
			return l, object[string](t, text)
		}
	}
	t.Fatal("a stream without a name")
	return nil, ""
}

// A page that is being shown takes the wheel, drives and lets it go; the daemon hears
// every word over one connection.
func TestWheel(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	_, page := r.page(t)
	say := func(what, more string, want int) {
		t.Helper()
		if text, code := r.post("/api/wheel/"+what, `{"page":"`+page+`"`+more+`}`); code != want {
			t.Errorf("%s %s: %d %s", what, more, code, text)
		}
	}
	say("drive", `,"number":1,"throttle":0.5`, 409)
	say("take", "", 200)
	say("drive", `,"number":1,"throttle":0.5,"steering":-0.25`, 200)
	for _, wrong := range []string{`,"throttle":1.01`, `,"steering":-2`, `,"throttle":1e999`, `,"throttle":"fast"`, `,"speed":1`} {
		say("drive", wrong, 400)
	}
	say("release", "", 200)
	say("drive", `,"number":2,"throttle":0.5`, 409)
	if got := strings.Join(r.commands(), " "); got != "take drive release" {
		t.Errorf("the daemon heard %q", got)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if q := r.heard[0]; q.Source != "browser" {
		t.Errorf("the source is called %q", q.Source)
	}
	if q := r.heard[1]; q.Throttle != 0.5 || q.Steering != -0.25 {
		t.Errorf("the daemon heard %+v", q)
	}
}

// Nobody drives through a page that is not shown, and without the token.
func TestWheelNeedsAPage(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	for _, page := range []string{"", "nobody", strings.Repeat("x", 100)} {
		if text, code := r.post("/api/wheel/take", `{"page":"`+page+`"}`); code != 400 {
			t.Errorf("%q: %d %s", page, code, text)
		}
	}
	_, page := r.page(t)
	if _, code, _ := r.ask("POST", "/api/wheel/take", `{"page":"`+page+`"}`, map[string]string{"Content-Type": asJSON}); code != 401 {
		t.Errorf("without the token: %d", code)
	}
	if got := r.commands(); len(got) > 0 {
		t.Errorf("the daemon heard %q", got)
	}
}

// A page whose connection ends, and one that falls silent, have the wheel no more: the
// connection to the daemon has ended, which stops the car.
func TestWheelEndsWithItsPage(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	await := func(why, page string, code int) {
		t.Helper()
		for range 300 {
			if _, got := r.post("/api/wheel/drive", `{"page":"`+page+`"}`); got == code {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("%s: the page may drive still", why)
	}
	l, page := r.page(t)
	if text, code := r.post("/api/wheel/take", `{"page":"`+page+`"}`); code != 200 {
		t.Fatal(code, text)
	}
	l.cancel() // the cable is pulled
	await("the stream has ended", page, 400)

	_, page = r.page(t)
	if text, code := r.post("/api/wheel/take", `{"page":"`+page+`"}`); code != 200 {
		t.Fatal(code, text)
	}
	time.Sleep(1500 * time.Millisecond) // no word
	if _, code := r.post("/api/wheel/drive", `{"page":"`+page+`","number":1}`); code != 409 {
		t.Errorf("after a second of silence: %d", code)
	}
}

// A word that a later one has overtaken is not passed on: what the person wants is the
// later one. With the wheel taken anew the numbers begin anew.
func TestOvertakenWord(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	_, page := r.page(t)
	for _, q := range []struct {
		what, more string
		code       int
	}{
		{"take", "", 200},
		{"drive", `,"number":1,"throttle":1`, 200},
		{"drive", `,"number":3,"throttle":0`, 200},
		{"drive", `,"number":2,"throttle":1`, 409},
		{"drive", `,"number":3,"throttle":1`, 409},
		{"drive", `,"throttle":1`, 409},
		{"drive", `,"number":4,"throttle":0.25`, 200},
		{"take", "", 200},
		{"drive", `,"number":1,"throttle":0.5`, 200},
	} {
		if text, code := r.post("/api/wheel/"+q.what, `{"page":"`+page+`"`+q.more+`}`); code != q.code {
			t.Errorf("%s %s: %d %s, want %d", q.what, q.more, code, text, q.code)
		}
	}
	var throttles []float64
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range r.heard {
		if q.Command == "drive" {
			throttles = append(throttles, q.Throttle)
		}
	}
	if want := []float64{1, 0, 0.25, 0.5}; !slices.Equal(throttles, want) {
		t.Errorf("the daemon heard throttles %v, want %v", throttles, want)
	}
}

// When the daemon ends, whoever drives from a page is told so in words for people.
func TestWheelOfADaemonThatEnds(t *testing.T) {
	r := newRig(t, nil)
	stop := r.daemon(daemon.Answer{OK: true})
	_, page := r.page(t)
	if text, code := r.post("/api/wheel/take", `{"page":"`+page+`"}`); code != 200 {
		t.Fatal(code, text)
	}
	stop()
	for number, want := range []string{1: "the daemon has ended or does not answer", 2: "has not got the wheel"} {
		if want == "" {
			continue
		}
		text, code := r.post("/api/wheel/drive", fmt.Sprintf(`{"page":"%s","number":%d,"throttle":0.5}`, page, number))
		if code != 409 || !strings.Contains(text, want) || strings.Contains(text, r.socket) {
			t.Errorf("word %d: %d %s", number, code, text)
		}
	}
}
