package loadbench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
	"fieldbrain/verdict"
)

// GoalWatched is how much longer one tick in a hundred may take while somebody watches.
const GoalWatched = 1.10

// An Audience is who watches.
type Audience struct {
	Monitors int // fieldbrain top, each on a terminal of its own
	Scrapes  int // of /metrics, a second
	Pages    int // open in browsers
}

// A Watched is what the ticks took without and with the audience.
type Watched struct {
	Audience Audience            `json:"audience"`
	Rounds   int                 `json:"rounds"` // pairs
	Ticks    int                 `json:"ticks"`  // of a round
	Alone    Lateness            `json:"tick_alone"`
	With     Lateness            `json:"tick_watched"`
	WakeA    Lateness            `json:"wake_alone"`
	WakeW    Lateness            `json:"wake_watched"`
	Seen     Seen                `json:"seen"`
	Claims   []verdict.Judgement `json:"claims"`
	Kept     bool                `json:"kept"`
}

// watchedRound is how long a round takes: a thousand ticks at 5 ms.
const watchedRound = 5 * time.Second

// Watch measures the ticks of a daemon in rounds without and with an audience. The
// audience stays attached; in the rounds without it its processes stand (SIGSTOP).
func Watch(ctx context.Context, o Options, a Audience, progress func(done, total int)) (w Watched, err error) {
	s := &scene{o: o}
	defer s.end()
	if err := s.drive(ctx); err != nil {
		return w, err
	}
	t := &theatre{scene: s}
	defer t.close()
	if err := t.fill(ctx, a); err != nil {
		return w, err
	}
	clock, n := robot.NewMonotonic(), max(2, int(o.Length/watchedRound/2))
	type span struct{ from, to time.Duration }
	var spans [2][]span
	for i := range 2 * n {
		with := (i + i/2) % 2 // without, with, with, without
		t.play(with == 1)
		select {
		case <-ctx.Done():
			return w, ctx.Err()
		case <-time.After(warmUp):
		}
		from := clock.Now()
		time.Sleep(watchedRound)
		spans[with] = append(spans[with], span{from, clock.Now()})
		progress(i+1, 2*n)
	}
	if w.Seen, err = t.leave(); err != nil {
		return w, err
	}
	if err := s.stop(); err != nil {
		return w, err
	}
	wakes, err := ReadTape(s.path("tape"))
	if err != nil {
		return w, err
	}
	var rounds [2][][]Wake
	for with := range spans {
		for _, x := range spans[with] {
			rounds[with] = append(rounds[with], between(wakes, x.from, x.to))
		}
	}
	seen := w.Seen
	w, err = judgeWatched(a, rounds)
	w.Seen = seen
	return w, err
}

// judgeWatched puts the rounds beside each other, pair by pair.
func judgeWatched(a Audience, rounds [2][][]Wake) (w Watched, err error) {
	var all, late [2][]time.Duration
	var p99 [2][]float64
	for with := range rounds {
		for _, round := range rounds[with] {
			var busy []time.Duration
			for _, x := range round {
				busy = append(busy, x.End-x.Start)
				late[with] = append(late[with], x.Start-x.Release)
			}
			if len(busy) < 100 {
				return w, fmt.Errorf("loadbench: a round has %d ticks, which tell no 99th percentile: the loop stood still", len(busy))
			}
			p99[with] = append(p99[with], latenessOf(busy).P99)
			all[with] = append(all[with], busy...)
		}
	}
	w = Watched{
		Audience: a, Rounds: len(rounds[0]), Ticks: len(all[0]) / len(rounds[0]),
		Alone: latenessOf(all[0]), With: latenessOf(all[1]), WakeA: latenessOf(late[0]), WakeW: latenessOf(late[1]),
	}
	interval, err := verdict.Pairs(p99[1], p99[0])
	if err != nil {
		return w, fmt.Errorf("loadbench: %w", err)
	}
	claim := verdict.Claim{Name: "p99 of a round's ticks, watched over alone", Direction: verdict.AtMost, Limit: GoalWatched}
	w.Claims = []verdict.Judgement{claim.Judge(interval)}
	w.Kept = w.Claims[0].Verdict == verdict.Held
	return w, nil
}

// A theatre is the processes that watch.
type theatre struct {
	scene   *scene
	watch   []*exec.Cmd
	browser *exec.Cmd
	told    io.Reader
	screens []io.Closer
}

// fill starts them.
func (t *theatre) fill(ctx context.Context, a Audience) error {
	socket := t.scene.path("c.sock")
	for range a.Monitors {
		cmd := t.command("top", "--page", telemetry.PagePath(socket))
		cmd.Env = append(cmd.Environ(), "TERM=xterm-256color")
		screen, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
		if err != nil {
			return fmt.Errorf("loadbench: fieldbrain top: %w", err)
		}
		t.watch, t.screens = append(t.watch, cmd), append(t.screens, screen)
		go func() { _, _ = io.Copy(io.Discard, screen) }() // ends with the screen
	}
	if a.Scrapes == 0 && a.Pages == 0 {
		return nil
	}
	serve := t.command("serve", "--socket", socket, "--listen", "127.0.0.1:0")
	out, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		return fmt.Errorf("loadbench: fieldbrain serve: %w", err)
	}
	t.watch = append(t.watch, serve)
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("loadbench: fieldbrain serve says no address: %w", err)
	}
	t.browser = t.command("bench", "crowd-browser", "--url", url[:len(url)-1],
		"--scrapes", strconv.Itoa(a.Scrapes), "--pages", strconv.Itoa(a.Pages))
	if t.told, err = t.browser.StdoutPipe(); err == nil {
		err = t.browser.Start()
	}
	if err != nil {
		return fmt.Errorf("loadbench: the browsers: %w", err)
	}
	return ctx.Err()
}

// command returns one of this program that dies with the bench.
func (t *theatre) command(args ...string) *exec.Cmd {
	cmd := exec.Command(t.scene.o.Program, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// play lets everybody watch, or stand.
func (t *theatre) play(on bool) {
	signal := unix.SIGSTOP
	if on {
		signal = unix.SIGCONT
	}
	for _, cmd := range append([]*exec.Cmd{t.browser}, t.watch...) {
		if cmd != nil {
			_ = cmd.Process.Signal(signal) // one that has ended shows in leave
		}
	}
}

// leave ends the audience and returns what it saw. One that had gone before makes the
// figures worthless.
func (t *theatre) leave() (seen Seen, err error) {
	t.play(true)
	if err := alive(t.watch); err != nil {
		return seen, fmt.Errorf("loadbench: the audience: %w", err)
	}
	if t.browser != nil {
		err = t.browser.Process.Signal(unix.SIGTERM)
		var text []byte
		if err == nil {
			text, err = io.ReadAll(t.told)
		}
		if err = errors.Join(err, t.browser.Wait()); err == nil {
			err = seen.parse(text)
		}
		t.browser = nil
	}
	return seen, err
}

// close kills what still runs.
func (t *theatre) close() {
	if t.browser != nil {
		kill([]*exec.Cmd{t.browser})
	}
	kill(t.watch)
	for _, screen := range t.screens {
		_ = screen.Close()
	}
}
