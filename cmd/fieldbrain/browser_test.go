package main

import (
	"bufio"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
	"fieldbrain/testbench/tier"
)

// A scene is a daemon, and fieldbrain serve beside it.
type scene struct {
	t      *testing.T
	folder string
	daemon *exec.Cmd
	server *exec.Cmd
	url    string // with the token
}

// newScene starts both in a folder of the test's.
func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, folder: shellFolder(t)}
	s.daemon, _ = s.start("run", "--body", "sim", "--scenario", "explore", "--seed", "8", "--view", "off", "--socket", "c.sock", "--record", "drives")
	var out io.Reader
	s.server, out = s.start("serve", "--socket", "c.sock", "--listen", "127.0.0.1:0", "--recordings", "drives")
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	s.url = strings.TrimSpace(line)
	return s
}

// start starts the program; the test's end kills it.
func (s *scene) start(words ...string) (*exec.Cmd, io.Reader) {
	s.t.Helper()
	cmd := exec.Command("./fieldbrain", words...)
	cmd.Dir, cmd.Env = s.folder, shellEnv(s.folder)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd, out
}

// newest returns the newest tick: less work than the ring, beside which the page drives.
func (s *scene) newest() telemetry.Tick {
	s.t.Helper()
	page, err := telemetry.OpenPage(filepath.Join(s.folder, "c.page"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer page.Close()
	newest, err := page.Newest()
	if err != nil {
		s.t.Fatal(err)
	}
	return newest.Tick
}

// ticks returns the ring's ticks.
func (s *scene) ticks() (all []telemetry.Tick) {
	s.t.Helper()
	ring, err := telemetry.OpenRing(filepath.Join(s.folder, "c.ring"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer ring.Close()
	flight, err := ring.Flight(0)
	if err != nil {
		s.t.Fatal(err)
	}
	for t := range flight.Ticks() {
		all = append(all, *t)
	}
	return all
}

// TestBrowser looks at the page as people do: at a desk, with a mouse, and on a phone,
// with a finger. FIELDBRAIN_PICTURES names a folder for what it saw (make webpictures).
func TestBrowser(t *testing.T) {
	tier.Heavy(t, "a browser, and a daemon beside it in real time")
	tier.Alone(t, "processes of their own")
	tier.Native(t, "a browser")
	driver := webdriver(t)
	s := newScene(t)

	desk := open(t, driver, device{name: "desk", width: 1400, height: 1000})
	desk.call("POST", "/url", map[string]string{"url": s.url})
	desk.await("life", "live")
	desk.click("[data-command=arm]")
	desk.await("armed", "ARMED")
	desk.click("[data-order=explore]")
	desk.await("order", "explore")
	ordersByMap(t, desk)
	stopsAndGoesOn(desk)
	sets(t, s, desk)
	byKeysAndPad(t, s, desk)
	wishes(t, desk)
	stopsInACrowd(t, desk)
	byCentimetres(t, desk)
	downloads(t, s, desk)
	silenced(t, s, desk)
	driven(t, s, desk)
	hidden(t, s, desk)
	stopsByPad(desk)
	desk.click("[data-order=explore]")
	desk.await("answer", "explore: done")
	time.Sleep(lookedAt)
	desk.picture("web-desk", true)
	filmed(desk)
	noScroll(t, desk)

	phone := open(t, driver, device{name: "phone", width: 390, height: 844, touch: true, dark: true})
	phone.call("POST", "/url", map[string]string{"url": s.url})
	phone.await("life", "live")
	time.Sleep(lookedAt)
	phone.picture("web-phone", false)
	noScroll(t, phone)
	if shade := phone.run("return getComputedStyle(document.body).backgroundColor"); shade != "rgb(16, 21, 27)" {
		t.Errorf("in the dark the ground is %v", shade)
	}
	byFinger(phone)
	phone.tap("#estop")
	phone.await("level", "LATCHED")
	desk.await("level", "LATCHED")
	unnamed(t, desk)

	died(t, s, desk)
	for _, b := range []*browser{desk, phone} {
		for _, wrong := range b.complaints() {
			// A refused order and a cut connection are the test's own.
			if !strings.Contains(wrong, "/api/") {
				t.Errorf("the browser complains: %s", wrong)
			}
		}
	}
}

// filmed takes a moving picture of an armed car. A busy machine disarms one now and then.
func filmed(b *browser) {
	b.t.Helper()
	for range 5 {
		if b.text("armed") != "ARMED" {
			b.click("[data-command=arm]")
			b.await("armed", "ARMED")
		}
		b.film("web", movie{width: 1000, height: 660, pictures: 36, every: 330 * time.Millisecond, before: func() {
			b.click("#fit") // the map stands, and the car moves on it
			b.click("#zoom-out")
		}})
		if b.text("armed") == "ARMED" {
			return
		}
	}
}

// lookedAt is how long a page gets to fill before its picture is taken.
const lookedAt = 8 * time.Second

// ordersByMap sends the car to a place by two clicks, the first of which moves nothing.
func ordersByMap(t *testing.T, b *browser) {
	t.Helper()
	x, y := b.at("#map", 0.6, 0.35)
	b.point("mouse", x, y, true)
	b.await("goal-at", "Goal ")
	if strings.Contains(b.text("order"), "goal") {
		t.Error("one click on the map sent the car off")
	}
	b.click("#goal-go")
	b.await("order", "Order goal ")
}

// stopsAndGoesOn stops the car, and shows that it stays stopped until a reset.
func stopsAndGoesOn(b *browser) {
	b.t.Helper()
	b.click("#estop")
	b.await("level", "LATCHED")
	b.click("[data-command=arm]")
	b.await("answer", "Arm: ")
	b.await("armed", "disarmed")
	b.armAnew()
}

// sets changes parameters by slider, number and choice, and shows that the limits hold.
func sets(t *testing.T, s *scene, b *browser) {
	t.Helper()
	for range 10 { // a banner that comes or goes moves what is below it
		b.click("[aria-label='brain.cruise, slider']")
		time.Sleep(time.Second)
		if strings.Contains(b.text("answer"), "brain.cruise = ") {
			break
		}
	}
	b.await("answer", "brain.cruise = 0.2 m/s: done")
	b.await("journal", "set brain.cruise = 0.2 m/s")
	b.run("const e = document.getElementById('p-brain-cruise'); e.focus(); e.select()")
	b.devtools("Input.insertText", map[string]any{"text": "0.9"})
	const tab = "\ue004"
	b.press(tab)
	b.letGo()
	b.await("answer", "brain.cruise: 0.9 m/s is out of range: choose 0.05 .. 0.35 m/s")
	b.click("[aria-label='brain.cruise as at the start']")
	b.await("answer", "brain.cruise = 0.35 m/s: done")
	b.run("const e = document.getElementById('p-engine-quality'); e.value = '1'; e.dispatchEvent(new Event('change'))")
	b.await("answer", "engine.quality = full: done")
	var values []float32
	for _, tick := range s.ticks() {
		if brain.Ask(tick.Asked) == brain.AskSet {
			values = append(values, tick.Setting)
		}
	}
	if !slices.Equal(values, []float32{0.2, 0.35, 1}) {
		t.Errorf("the ticks were told %v", values)
	}
}

// drives does something that shall move the wheel, and waits for the word. A page that
// gets no processor for a second loses the wheel, as it should: it takes it again.
func (b *browser) drives(do func(), word string) {
	b.t.Helper()
	for range 10 {
		if b.text("take") != "Let go" {
			b.push("#take")
			b.await("take", "Let go")
		}
		do()
		for range 40 {
			if strings.Contains(b.text("word"), word) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		b.letGo()
	}
	b.t.Fatalf("the wheel says %q, want %q: %q", b.text("word"), word, b.text("drive-answer"))
}

// byKeysAndPad drives with the arrow keys and with a gamepad, and gives the wheel back:
// the brain goes on without a step in the command.
func byKeysAndPad(t *testing.T, s *scene, b *browser) {
	t.Helper()
	const arrowUp = "\ue013"
	b.drives(func() { b.press(arrowUp) }, "throttle 0.70, steering 0.00")
	b.letGo()
	b.await("word", "throttle 0.00")
	b.drives(func() {
		b.run(padAt("n++ < 2 ? [0, 0] : [-0.56, -1]")) // one that was pushed before counts once it has come back
	}, "throttle 1.00, steering 0.50")
	b.await("gamepad", "a pad of the test")
	b.await("gamepad", "no word for 2 s") // as one out of range: its stick stays where it was
	b.await("word", "throttle 0.00")
	b.run("navigator.getGamepads = () => []")
	b.click("#take")
	b.await("take", "Take the wheel")
	b.await("facts", "driverbrain")
	for range 10 { // a page that gets no processor lets the car stand, which is no hand-over
		if judgeHands(t, s.ticks()).changes > 1 {
			return
		}
		b.takes()
		b.click("#take")
		b.await("facts", "driverbrain")
	}
	t.Error("the wheel never went from hand to hand")
}

// byFinger drives on a phone: the pad goes back to the middle when the finger is lifted.
func byFinger(phone *browser) {
	phone.t.Helper()
	phone.drives(func() {
		x, y := phone.at("#pad", 0.5, 0.05)
		phone.point("touch", x, y, false)
	}, "throttle 1.00")
	phone.letGo()
	phone.await("word", "throttle 0.00")
	phone.tap("#take")
	phone.await("take", "Take the wheel")
}

// driven takes the wheel, drives, and pulls the browser's cable: the car stands within
// the ticks of half a second after the last word.
func driven(t *testing.T, s *scene, b *browser) {
	t.Helper()
	b.click("#take")
	b.await("take", "Let go")
	b.await("facts", "browser")
	x, y := b.at("#pad", 0.5, 0.2)
	b.point("mouse", x, y, false)
	moving := func(tick *telemetry.Tick) bool {
		return brain.Driver(tick.Hand) == brain.DriverPerson && math.Abs(float64(tick.Speed)) > 0.1
	}
	moved := false
	for range 200 { // something may stand before it: then it turns away
		if now := s.newest(); moving(&now) {
			moved = true
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if !moved {
		t.Logf("the car did not move forwards: %s", b.text("level"))
	}
	b.devtools("Network.enable", map[string]any{})
	b.devtools("Network.emulateNetworkConditions", map[string]any{"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
	time.Sleep(2 * time.Second)
	var last, stood *telemetry.Tick
	all := s.ticks()
	for i := range all {
		switch tick := &all[i]; {
		case brain.Driver(tick.Word) == brain.DriverPerson:
			last, stood = tick, nil
		case last != nil && stood == nil && tick.Speed == 0:
			stood = tick
		}
	}
	if last == nil || stood == nil {
		t.Fatalf("no word was heard, or the car never stood after it: %v %v", last != nil, stood != nil)
	}
	if ticks := stood.Number - last.Number; ticks > uint64(brain.MaxDeadman/testbench.DefaultPeriod) || !moved {
		t.Errorf("moved %v, and stood %d ticks after the last word", moved, ticks)
	}
	b.letGo()
	b.devtools("Network.emulateNetworkConditions", map[string]any{"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
	b.await("life", "live")
	if now := all[len(all)-1]; safety.Level(now.Level) == safety.Latched {
		t.Error("a cut cable latches")
	}
}

// noScroll holds the page within its window's width.
func noScroll(t *testing.T, b *browser) {
	t.Helper()
	v := b.run("return [document.documentElement.scrollWidth, innerWidth]").([]any)
	if v[0].(float64) > v[1].(float64) {
		t.Errorf("the page is %v wide in a window of %v", v[0], v[1])
	}
}

// unnamed finds what a screen reader could not name, by the browser's own tree.
func unnamed(t *testing.T, b *browser) {
	t.Helper()
	b.devtools("Accessibility.enable", map[string]any{})
	nodes := b.devtools("Accessibility.getFullAXTree", map[string]any{}).(map[string]any)["nodes"].([]any)
	seen := 0
	for _, n := range nodes {
		node := n.(map[string]any)
		role, _ := node["role"].(map[string]any)
		switch role["value"] {
		case "button", "checkbox", "textbox", "spinbutton", "slider", "combobox", "link", "image", "application", "meter":
		default:
			continue
		}
		if node["ignored"] == true {
			continue
		}
		seen++
		name, _ := node["name"].(map[string]any)
		if text, _ := name["value"].(string); text == "" {
			t.Errorf("a %v has no name: %v", role["value"], node["properties"])
		}
	}
	if seen < 20 {
		t.Errorf("only %d things to name", seen)
	}
}

// TestWebPicturesAreThere: the documents show what make webpictures and make screenshot make.
func TestWebPicturesAreThere(t *testing.T) {
	for _, name := range []string{"web-desk.png", "web-phone.png", "web.gif", "top.svg", "top-moving.svg"} {
		if info, err := os.Stat(filepath.Join(root, "docs/pictures", name)); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}
