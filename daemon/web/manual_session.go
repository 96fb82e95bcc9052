package web

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"fieldbrain/daemon"
)

// silentFor is how long a page may hold the wheel without a word. The car has long
// stopped by then (manual.deadman); what ends is the page's claim.
const silentFor = time.Second

// A manualSession is the hold that one page has of the car, through a connection of its own to
// the control socket: however that ends, the car stops.
type manualSession struct {
	driver  *daemon.Driver
	silence *time.Timer

	mu     sync.Mutex
	newest uint64 // number of the newest word that was passed on
}

// errOvertaken refuses a word that a later one has overtaken.
var errOvertaken = errors.New("a later word has been heard")

// say passes a word on, unless a later one has overtaken it. A page that gave a word up and
// said another does not know which of the two arrives first, and the car must not do what
// somebody no longer wants.
func (w *manualSession) say(q word) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if q.Number <= w.newest {
		return errOvertaken
	}
	w.newest = q.Number
	return w.driver.Drive(q.Throttle, q.Steering)
}

// drop lets the connection go. A car that is driven through it stops.
func (w *manualSession) drop() {
	w.silence.Stop()
	_ = w.driver.Close() // what is left of it is the daemon's affair
}

// manualSessions are the pages that are being shown, each with its session, nil without. A page
// that is not shown any more, because its tab is hidden, its phone asleep or its cable
// pulled, drives nothing.
type manualSessions struct {
	mu    sync.Mutex
	pages map[string]*manualSession
}

// open registers a page that is being shown, and returns its name.
func (ws *manualSessions) open() (page string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.pages == nil {
		ws.pages = map[string]*manualSession{}
	}
	page = rand.Text()
	ws.pages[page] = nil
	return page
}

// close ends a page, and its drive with it.
func (ws *manualSessions) close(page string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.pages[page]; w != nil {
		w.drop()
	}
	delete(ws.pages, page)
}

// shown reports whether a page is being shown.
func (ws *manualSessions) shown(page string) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	_, is := ws.pages[page]
	return is
}

// hold gives a page a session, unless it is gone meanwhile; an older one is let go.
func (ws *manualSessions) hold(page string, d *daemon.Driver) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	before, is := ws.pages[page]
	if before != nil {
		before.drop()
	}
	w := &manualSession{driver: d}
	w.silence = time.AfterFunc(silentFor, func() { ws.forget(page, w) })
	if !is {
		w.drop()
		return false
	}
	ws.pages[page] = w
	return true
}

// forget ends the session of a page that still has it.
func (ws *manualSessions) forget(page string, w *manualSession) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.pages[page] == w {
		w.drop()
		ws.pages[page] = nil
	}
}

// at returns the session of a page, nil without.
func (ws *manualSessions) at(page string) *manualSession {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	w := ws.pages[page]
	if w != nil {
		w.silence.Reset(silentFor)
	}
	return w
}

// A word is what a page says about the wheel.
type word struct {
	Page     string  `json:"page"`
	Number   uint64  `json:"number"`   // of a word, from 1 and growing since the wheel was taken
	Throttle float64 `json:"throttle"` // -1..1, forwards positive
	Steering float64 `json:"steering"` // -1..1, left positive
}

// heard decodes a word, or refuses it.
func (s *Server) heard(w http.ResponseWriter, r *http.Request) (word, bool) {
	var q word
	if err := decode(r, &q); err != nil {
		s.refuse(w, badRequest, err.Error())
		return q, false
	}
	if !(q.Throttle >= -1 && q.Throttle <= 1 && q.Steering >= -1 && q.Steering <= 1) {
		s.refuse(w, badRequest, "throttle and steering are shares from -1 to 1")
		return q, false
	}
	if !s.sessions.shown(q.Page) {
		s.refuse(w, badRequest, "this page is not connected: its stream has ended; reload it")
		return q, false
	}
	return q, true
}

// take takes the wheel for a page that is being shown.
func (s *Server) take(w http.ResponseWriter, r *http.Request) {
	q, ok := s.heard(w, r)
	if !ok {
		return
	}
	_, socket := s.watch.shown()
	ctx, cancel := context.WithTimeout(r.Context(), orderTime)
	defer cancel()
	driver, note, err := daemon.TakeManualLease(ctx, socket, source(client(r)))
	told := daemon.Answer{OK: err == nil, Note: note}
	if err == nil && !s.sessions.hold(q.Page, driver) {
		err = errors.New("the page has gone meanwhile")
		told.OK = false
	}
	if err != nil && !errors.Is(err, daemon.ErrNoDaemon) {
		told.Error, err = err.Error(), nil // the daemon's refusal: who drives
	}
	s.answerOrder(w, r, "take the wheel", told, err)
}

// drive passes one word on. The answer comes when the daemon has it.
func (s *Server) drive(w http.ResponseWriter, r *http.Request) {
	q, ok := s.heard(w, r)
	if !ok {
		return
	}
	at := s.sessions.at(q.Page)
	if at == nil {
		answer(w, http.StatusConflict, daemon.Answer{Error: "this page has not got the wheel: take it"})
		return
	}
	switch err := at.say(q); {
	case errors.Is(err, daemon.ErrHungUp):
		s.sessions.forget(q.Page, at)
		answer(w, http.StatusConflict, daemon.Answer{Error: "the daemon has ended or does not answer: the car stops by itself; take the wheel again once it is live"})
	case err != nil:
		answer(w, http.StatusConflict, daemon.Answer{Error: daemon.Printable(err.Error())})
	default:
		answer(w, http.StatusOK, daemon.Answer{OK: true})
	}
}

// release gives the wheel back to the brain.
func (s *Server) release(w http.ResponseWriter, r *http.Request) {
	q, ok := s.heard(w, r)
	if !ok {
		return
	}
	at := s.sessions.at(q.Page)
	if at == nil {
		answer(w, http.StatusOK, daemon.Answer{OK: true})
		return
	}
	told := daemon.Answer{OK: true}
	if err := at.driver.Release(); err != nil {
		told = daemon.Answer{Error: err.Error()}
	}
	s.sessions.forget(q.Page, at)
	s.answerOrder(w, r, "let the wheel go", told, nil)
}

// unnamed are the characters that a source's name cannot have.
var unnamed = regexp.MustCompile(`[^A-Za-z0-9_.:/-]`)

// source names a browser by the end of its address, which people know their devices by.
func source(client string) string {
	const most = 16 // of a source's name
	if client == "127.0.0.1" || client == "::1" {
		return "browser"
	}
	name := unnamed.ReplaceAllString(client, "-")
	if room := most - len("web:"); len(name) > room {
		name = strings.TrimLeft(name[len(name)-room:], ".:")
	}
	return "web:" + name
}
