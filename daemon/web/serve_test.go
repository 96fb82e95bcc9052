package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/daemon/web"
	"fieldbrain/robot/safety"
)

// What a browser sends arrives at the control socket as every other client's does, and
// the daemon's words arrive at the browser.
func TestOrdersArrive(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true, Note: "noted"})
	for _, body := range []string{`{"command":"arm"}`, `{"command":"go","order":"goal 1.20 -0.40"}`, `{"command":"outcome","value":-1}`} {
		if text, code := r.post("/api/order", body); code != 200 || !strings.Contains(text, `"note":"noted"`) {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
	if text, code := r.post("/api/stop", "{}"); code != 200 {
		t.Errorf("stop: %d %s", code, text)
	}
	want := []daemon.Request{{Command: "arm"}, {Command: "go", Order: "goal 1.20 -0.40"}, {Command: "outcome", Value: -1}, {Command: "estop"}}
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := cmp.Diff(r.heard, want); d != "" {
		t.Errorf("the daemon heard -, want +:\n%s", d)
	}
}

// What is no order never reaches the daemon.
func TestBadRequests(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	for _, body := range []string{
		"", "arm", "[]", "{}", `{"command":"status"}`, `{"command":"arm","more":1}`, `{"command":"arm"}{"command":"arm"}`, `{"command":"arm"} x`,
		`{"command":"outcome","value":2}`, `{"command":"outcome","value":NaN}`, `{"command":"outcome"}`, `{"command":` + strings.Repeat("[", 3000),
		`{"command":"go","order":"` + strings.Repeat("x", 5000) + `"}`,
	} {
		if text, code := r.post("/api/order", body); code != http.StatusBadRequest || !strings.Contains(text, "error") {
			t.Errorf("%.60q: %d %s", body, code, text)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.heard) > 0 {
		t.Errorf("the daemon heard %v", r.heard)
	}
}

// Without a daemon an order fails with the remedy, and what the car was is still shown.
func TestOrderWithoutDaemon(t *testing.T) {
	r := newRig(t, nil)
	r.end()
	if text, code := r.post("/api/order", `{"command":"arm"}`); code != http.StatusServiceUnavailable || !strings.Contains(text, "fieldbrain run") {
		t.Errorf("arm: %d %s", code, text)
	}
}

// A listener reads events of a stream.
type listener struct {
	t      *testing.T
	lines  *bufio.Scanner
	cancel context.CancelFunc
}

func (r *rig) listen(t *testing.T) *listener { return r.listenAs(t, "") }

// listenAs reads events with a token.
func (r *rig) listenAs(t *testing.T, token string) *listener {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	q, _ := http.NewRequestWithContext(ctx, "GET", r.url("/api/stream"), nil)
	if token != "" {
		q.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil || a.StatusCode != 200 || a.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("stream: %v %v", a, err)
	}
	t.Cleanup(func() { cancel(); a.Body.Close() })
	l := &listener{t, bufio.NewScanner(a.Body), cancel}
	l.lines.Buffer(nil, 1<<20)
	return l
}

// until reads events until one of a name satisfies a test.
func (l *listener) until(name string, is func(data map[string]any) bool) map[string]any {
	l.t.Helper()
	at := ""
	for l.lines.Scan() {
		line := l.lines.Text()
		if n, ok := strings.CutPrefix(line, "event: "); ok {
			at = n
		}
		text, ok := strings.CutPrefix(line, "data: ")
		if !ok || at != name {
			continue
		}
		if strings.HasPrefix(text, "[") {
			text = `{"all":` + text + `}`
		}
		if v := object[map[string]any](l.t, text); is(v) {
			return v
		}
	}
	l.t.Fatalf("the stream ended without such a %s: %v", name, l.lines.Err())
	return nil
}

// A page gets whose run it is, the way so far, what happened, and the newest tick; and
// everything that comes after. A new run begins anew.
func TestStream(t *testing.T) {
	r := newRig(t, nil)
	for range 60 {
		r.tick(nil)
	}
	l := r.listen(t)
	l.until("run", func(v map[string]any) bool { return v["world"] == "room" })
	l.until("trail", func(v map[string]any) bool { return len(v["points"].([]any)) > 5 })
	r.tick(func(t *telemetry.Tick) {
		t.Flags |= telemetry.TickArmed
		t.Level, t.Causes = uint8(safety.Normal), 0
	})
	r.tick(func(t *telemetry.Tick) {
		t.Flags |= telemetry.TickArmed
		t.Level, t.Causes, t.Asked, t.Order, t.GoalX = uint8(safety.Hold), uint32(safety.Obstacle), uint8(brain.AskGo), uint8(brain.DoGoal), 2
	})
	told := ""
	l.until("journal", func(v map[string]any) bool {
		text, _ := json.Marshal(v)
		told += string(text)
		return strings.Contains(told, "goal 2")
	})
	for _, want := range []string{`"armed"`, "HOLD: something is close ahead (obstacle)", "order: goal 2"} {
		if !strings.Contains(told, want) {
			t.Errorf("the journal lacks %q: %s", want, told)
		}
	}
	l.until("tick", func(v map[string]any) bool { return v["level"] == "HOLD" && v["armed"] == true && v["alive"] == true })
	r.end()
	l.until("tick", func(v map[string]any) bool { return v["alive"] == false })
	l.until("status", func(v map[string]any) bool { return v["page"].(map[string]any)["ended"] != nil })
	r.begin()
	l.until("run", func(v map[string]any) bool { return v["world"] == "room" })
	l.until("tick", func(v map[string]any) bool { return v["alive"] == true && v["number"] == 0.0 })
}

// Health is 200 while the brain ticks, and says why when it does not.
func TestHealth(t *testing.T) {
	r := newRig(t, nil)
	var text string
	var code int
	for n := 0; code != 200 && n < 100; n++ { // on a busy machine more than a second may pass in between
		r.tick(nil)
		text, code = r.get("/healthz")
	}
	if h := object[map[string]any](t, text); code != 200 || h["healthy"] != true || h["failsafe"] != "STOPPED" {
		t.Errorf("alive: %d %s", code, text)
	}
	time.Sleep(1100 * time.Millisecond)
	if text, code := r.get("/healthz"); code != 503 || !strings.Contains(text, "no tick for") || !strings.Contains(text, `"alive":true`) {
		t.Errorf("standing: %d %s", code, text)
	}
	r.end()
	if text, code := r.get("/healthz"); code != 503 || !strings.Contains(text, "in order") || !strings.Contains(text, `"alive":false`) {
		t.Errorf("ended: %d %s", code, text)
	}
	if err := os.Truncate(telemetry.PagePath(r.socket), 5000); err != nil {
		t.Fatal(err)
	}
	if text, code := r.get("/healthz"); code != 503 || !strings.Contains(text, "damaged") {
		t.Errorf("cut short: %d %s", code, text)
	}
	if text, code := r.get("/metrics"); code != 200 || !strings.Contains(text, "fieldbrain_up 0") {
		t.Errorf("metrics of a page that is cut short: %d %s", code, text)
	}
}

// TestHealthOfAPageThatNobodyCanRead: where the only page cannot be read health says why,
// and not that there is none.
func TestHealthOfAPageThatNobodyCanRead(t *testing.T) {
	folder := t.TempDir()
	socket := filepath.Join(folder, "control.sock")
	if err := os.WriteFile(telemetry.PagePath(socket), []byte("somebody else's"), 0o600); err != nil {
		t.Fatal(err)
	}
	set := config.DefaultWeb()
	set.Listen = "127.0.0.1:0"
	server, err := web.New(web.Options{Settings: set, Sockets: []string{socket}, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	}()
	r := &rig{t: t, server: server}
	want, text := "control.page: ", ""
	for n := 0; !strings.Contains(text, want) && n < 100; n++ { // the first look may be yet to come
		time.Sleep(20 * time.Millisecond)
		text, _ = r.get("/healthz")
	}
	if !strings.Contains(text, want) || strings.Contains(text, "has left") {
		t.Errorf("%s", text)
	}
}

// Metrics are Prometheus' text, by its own rules for names, and of the page as it is at
// the scrape.
func TestMetrics(t *testing.T) {
	r := newRig(t, nil)
	for range 200 {
		r.tick(nil)
	}
	text, code := r.get("/metrics")
	if code != 200 {
		t.Fatal(code, text)
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	for _, want := range []string{
		"fieldbrain_up 1\n", "fieldbrain_front_range_meters 1.25\n", "fieldbrain_failsafe_level 3\n",
		`fieldbrain_failsafe_cause{cause="disarmed"} 1`, `fieldbrain_stage_seconds_bucket{stage="step",le="0.0001"} 0`,
		`fieldbrain_run_info{body="sim",version="test"} 1`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("a scrape lacks %q", want)
		}
	}
	if n := r.n; !strings.Contains(text, "fieldbrain_ticks_total") || !strings.Contains(text, `fieldbrain_stage_seconds_count{stage="step"}`) {
		t.Errorf("after %d ticks: %s", n, text)
	}
	before := strings.Count(text, "\n")
	for range 500 {
		r.tick(func(t *telemetry.Tick) { t.Causes = uint32(r.n) })
	}
	if again, _ := r.get("/metrics"); strings.Count(again, "\n") != before {
		t.Errorf("a scrape grew from %d to %d lines", before, strings.Count(again, "\n"))
	}
}

// TestLateCard: a scrape has the numbers of a card, none of one that is not there, and
// health names a late one.
func TestLateCard(t *testing.T) {
	r := newRig(t, nil)
	if text, _ := r.get("/metrics"); strings.Contains(text, "fieldbrain_card_late") || strings.Contains(text, "fieldbrain_card_memory") || strings.Contains(text, "fieldbrain_card_rays") {
		t.Errorf("numbers of no card: %s", text)
	}
	c := telemetry.Nothing()
	c.Late = telemetry.Late{Recent: 3, Window: 64, Behind: 2, Ticks: 17, Share: 0.25}
	c.Rays = telemetry.Rays{Wanted: 1, Answered: 900, Late: 3, Busy: 4, Absent: 50}
	c.Card.Memory, c.Card.Room, c.Card.Clock, c.Card.Load, c.Card.Temperature = 1<<30, 1<<33, 625e6, 0.5, 48
	c.NumConditions = 1
	telemetry.SetText(c.Conditions[0].Name[:], "gpu late")
	telemetry.SetText(c.Conditions[0].Value[:], "card late (3 of 64)")
	r.w.Car(&c)
	r.w.Publish()
	text, _ := r.get("/metrics")
	for _, want := range []string{
		"late_answers 3", "behind_ticks 2", "late_ticks_total 17", "processor_share_ratio 0.25", "memory_bytes 1.073741824e+09",
		"rays_ticks_total 900", "rays_missed_ticks_total 7", "memory_room_bytes 8.589934592e+09", "frequency_hertz 6.25e+08", "load_ratio 0.5", "temperature_celsius 48",
	} {
		if !strings.Contains(text, "fieldbrain_card_"+want+"\n") {
			t.Errorf("a scrape lacks %q", want)
		}
	}
	r.tick(nil)
	if text, code := r.get("/healthz"); code != 200 || !strings.Contains(text, "gpu late") || !strings.Contains(text, "card late (3 of 64)") {
		t.Errorf("%d %s", code, text)
	}
	if _, code := r.get("/healthz?strict"); code != 503 {
		t.Errorf("strict: %d, want 503", code)
	}
}

// Recordings are regular files of the folder under names of recordings; nothing else
// leaves the machine.
func TestRecordings(t *testing.T) {
	folder := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.mcap")
	for path, text := range map[string]string{
		outside: "secret", filepath.Join(folder, "drive-1.mcap"): "0123456789", filepath.Join(folder, "notes.txt"): "notes", filepath.Join(folder, ".hidden.mcap"): "hidden",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		os.Symlink(outside, filepath.Join(folder, "link.mcap")), syscall.Mkfifo(filepath.Join(folder, "pipe.mcap"), 0o600),
		os.Mkdir(filepath.Join(folder, "folder.mcap"), 0o700), os.Link(outside, filepath.Join(folder, "..", "x")),
	} {
		if err != nil {
			t.Log(err)
		}
	}
	r := newRig(t, func(w *config.Web) { w.Recordings = folder })
	text, code := r.get("/api/recordings")
	if list := object[[]map[string]any](t, text); code != 200 || len(list) != 1 || list[0]["name"] != "drive-1.mcap" || list[0]["bytes"] != 10.0 {
		t.Errorf("list: %d %s", code, text)
	}
	text, code, head := r.ask("GET", "/recordings/drive-1.mcap", "", map[string]string{"Range": "bytes=2-4"})
	if code != http.StatusPartialContent || text != "234" || !strings.HasPrefix(head.Get("Content-Disposition"), "attachment") {
		t.Errorf("download: %d %q %v", code, text, head)
	}
	for _, name := range []string{
		"link.mcap", "pipe.mcap", "folder.mcap", ".hidden.mcap", "notes.txt", "none.mcap", "..%2fsecret.mcap", "%2e%2e%2fsecret.mcap", "..%5csecret.mcap",
		"drive-1.mcap%00", "%2fetc%2fpasswd", "../../etc/passwd", "drive-1.mcap%2f..%2flink.mcap", strings.Repeat("a", 300) + ".mcap",
	} {
		if text, code := r.get("/recordings/" + name); code != http.StatusNotFound || strings.Contains(text, "secret\n") || text == "secret" {
			t.Errorf("%s: %d %.100q", name, code, text)
		}
	}
}

// Every file of the page is embedded, nothing comes from elsewhere, and nothing stands
// in the text that the policy would refuse.
func TestAssets(t *testing.T) {
	r := newRig(t, nil)
	index, _ := r.get("/")
	for _, wrong := range []string{"onclick", "<style", "style=", "javascript:", "//cdn"} {
		if strings.Contains(index, wrong) {
			t.Errorf("the page has %q, which its policy refuses", wrong)
		}
	}
	files, err := filepath.Glob("page/*")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			continue
		}
		text, code := r.get("/" + name)
		if code != 200 {
			t.Errorf("%s: %d", name, code)
		}
		for _, wrong := range []string{"https://", "http://", "innerHTML", "eval("} {
			if strings.Contains(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), wrong) {
				t.Errorf("%s has %q", name, wrong)
			}
		}
	}
	for path, want := range map[string]int{"/page/": 404, "/page/vendor": 404, "/page/../server.go": 404, "/page/nothing.js": 404, "/server.go": 404} {
		if _, code := r.get(path); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
	}
}
