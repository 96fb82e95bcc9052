package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
)

// How often the watch looks, and what it encodes anew.
const (
	lookEvery   = 100 * time.Millisecond // newest tick, ticks of the ring
	restEvery   = time.Second            // the same while nobody looks
	slowEvery   = time.Second            // status with histograms, which daemon runs
	fieldEvery  = 250 * time.Millisecond // slices of field and ground
	maxCatchUp  = 2000                   // ticks that one look takes out of the ring
	neverLooked = -1
)

// A watch reads one run after the other and fills the hub.
type watch struct {
	options Options
	hub     *hub

	mu     sync.Mutex
	path   string // of the page that is shown
	socket string // of its daemon
	unread string // why a page that is there cannot be read

	page   *telemetry.Page
	ring   *telemetry.Ring // nil when the run keeps none
	file   os.FileInfo     // of page
	digest digest
	said   string // the newest complaint

	slowAt, fieldAt          time.Time
	fieldNumber, groundAtNum int64 // of the slices that were sent last
}

func newWatch(o Options, h *hub) *watch {
	w := &watch{options: o, hub: h, fieldNumber: neverLooked, groundAtNum: neverLooked}
	if len(o.Sockets) > 0 {
		w.socket = daemon.FindSocket(o.Sockets)
	}
	return w
}

// shown returns the page and the control socket of the run that is shown.
func (w *watch) shown() (page, socket string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.path, w.socket
}

// why returns why a page that is there cannot be read; empty while one is shown, or none
// is there.
func (w *watch) why() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.unread
}

// run looks until ctx ends.
func (w *watch) run(ctx context.Context) {
	defer w.close()
	for {
		w.look(time.Now())
		every := restEvery
		if w.hub.watched() {
			every = lookEvery
		}
		timer := time.NewTimer(every)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-w.hub.woken:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// look takes what is new.
func (w *watch) look(now time.Time) {
	slow := now.Sub(w.slowAt) >= slowEvery
	if w.page == nil || slow {
		if err := w.find(); err != nil {
			w.complain(err)
			return
		}
	}
	newest, err := w.page.Newest()
	if err != nil {
		w.complain(err)
		return
	}
	w.said = ""
	alive, err := w.page.Written()
	if err != nil {
		w.complain(err)
		return
	}
	last := w.page.Last(&newest.Tick)
	w.read(&newest, last)
	w.hub.journal(w.digest.news())
	w.hub.trail(w.digest.trodden())
	w.hub.put(kindTick, newTickFrame(&newest, &w.digest, alive, last, w.page))
	if slow {
		w.slowAt = now
		w.putStatus()
	}
	if now.Sub(w.fieldAt) >= fieldEvery {
		w.fieldAt = now
		w.putField()
		w.putGround()
	}
}

// complain tells every browser once why nothing can be shown.
func (w *watch) complain(err error) {
	words := err.Error()
	unread := words
	if errors.Is(err, fs.ErrNotExist) {
		unread = ""
		words = "no daemon has left a page beside its control socket: start one with fieldbrain run, or name its --socket or --page"
	}
	w.mu.Lock()
	w.unread = unread
	w.mu.Unlock()
	if w.said != words {
		w.said = words
		w.hub.put(kindTrouble, trouble{Error: daemon.Printable(words)})
	}
	w.release()
}

// find opens the page of the daemon that is to be shown, if it is not open already.
func (w *watch) find() error {
	path := w.options.Page
	if path == "" {
		found, err := daemon.FindPage(w.options.Sockets)
		if found == "" {
			return err
		}
		path = found
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if w.page != nil && path == w.path && os.SameFile(info, w.file) {
		return nil
	}
	w.release()
	page, err := telemetry.OpenPage(path)
	if err != nil {
		return err
	}
	w.page, w.file = page, info
	if ring, err := telemetry.OpenRing(telemetry.RingOf(path)); err == nil { // a run may keep none
		if ring.Run().Same(page.Run()) {
			w.ring = ring
		} else {
			ring.Close()
		}
	}
	w.mu.Lock()
	w.path, w.unread = path, ""
	if socket := socketOf(path, w.options.Sockets); socket != "" {
		w.socket = socket
	}
	w.mu.Unlock()
	w.begin(page.Run())
	return nil
}

// socketOf returns the control socket whose daemon writes a page, of those that are
// known; "" for a page that lies elsewhere.
func socketOf(page string, sockets []string) string {
	for _, s := range sockets {
		if telemetry.PagePath(s) == page {
			return s
		}
	}
	return ""
}

// begin starts the story of a run.
func (w *watch) begin(run telemetry.Run) {
	w.digest = newDigest(run)
	w.fieldNumber, w.groundAtNum = neverLooked, neverLooked
	w.hub.reset()
	w.hub.put(kindRun, newRunFrame(run, w.path))
	w.hub.journal([]event{{
		At: run.Since.UnixMilli(), Kind: "run",
		Text: fmt.Sprintf("daemon %s started (process %d, %s)", run.Program, run.PID, where(run)),
	}})
}

func where(run telemetry.Run) string {
	if run.World != "" {
		return run.Body + ", world " + run.World
	}
	return run.Body
}

// read lets the digest see every tick since the last look; without a ring it sees the
// newest alone.
func (w *watch) read(newest *telemetry.Newest, last time.Time) {
	d := &w.digest
	d.clock = last.UnixNano() - newest.Tick.End
	if w.ring == nil {
		d.see(&newest.Tick)
		return
	}
	most := 0 // everything that there is, at the first look
	if d.seen {
		most = int(min(newest.Tick.Number-d.number+1, maxCatchUp))
	}
	if d.seen && newest.Tick.Number <= d.number {
		return
	}
	flight, err := w.ring.Flight(most)
	if err != nil {
		d.see(&newest.Tick)
		return
	}
	for t := range flight.Ticks() {
		d.see(t)
	}
}

// putStatus encodes what changes slowly, with the histograms.
func (w *watch) putStatus() {
	status, err := daemon.ReadPage(w.path)
	if err != nil {
		w.complain(err)
		return
	}
	w.hub.put(kindStatus, status)
}

// putField encodes the slices of the field, if they are new.
func (w *watch) putField() {
	if w.page == nil {
		return
	}
	f, err := w.page.Field()
	if err != nil || int64(f.Number) == w.fieldNumber { // a run may have died before its first
		return
	}
	w.fieldNumber = int64(f.Number)
	w.hub.put(kindField, newFieldFrame(&f))
}

// putGround encodes the floor around the car, if it is new.
func (w *watch) putGround() {
	if w.page == nil {
		return
	}
	g, err := w.page.Ground()
	if err != nil || int64(g.Number) == w.groundAtNum {
		return
	}
	w.groundAtNum = int64(g.Number)
	w.hub.put(kindGround, newGroundFrame(&g, w.digest.placeAt(g.Number)))
}

// release gives the files up.
func (w *watch) release() {
	if w.page != nil {
		w.page.Close()
	}
	if w.ring != nil {
		w.ring.Close()
	}
	w.page, w.ring, w.file = nil, nil, nil
}

func (w *watch) close() { w.release() }
