package web

import (
	"net/http"
	"time"
)

// stillEvery is how often a stream without news says that it lives: proxies and phones
// end what is silent, and the page calls what it shows old after a few of them
// (main.js, silent).
const stillEvery = time.Second

// hello answers with what a page must know before the first frame.
func (s *Server) hello(w http.ResponseWriter, r *http.Request) {
	has, _ := s.roleOf(r)
	answer(w, http.StatusOK, newHello(s.options.Version, has >= commander, s.options.Settings.Recordings != ""))
}

// stream sends frames as server-sent events until the browser leaves. What a slow
// browser has no time for, it does not get: the newest frame of a kind replaces the
// one before.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	if s.streams.Add(1) > maxStreams {
		s.streams.Add(-1)
		s.refuse(w, tooMany, "too many pages are open: close some")
		return
	}
	defer s.streams.Add(-1)
	control := http.NewResponseController(w)
	if control.SetReadDeadline(time.Time{}) != nil { // the request is read; what follows may take hours
		return
	}
	leave := s.hub.come()
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	page := s.sessions.open()
	defer s.sessions.close(page) // whoever drives from it stops
	if !send(w, encoded("page", page)) {
		return
	}
	var p place
	still := time.NewTicker(stillEvery)
	defer still.Stop()
	for {
		parts, changed := s.hub.since(&p)
		if control.SetWriteDeadline(time.Now().Add(writeTime)) != nil {
			return
		}
		for _, e := range parts {
			if !send(w, e) {
				return
			}
		}
		if control.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.leaving.Done():
			return
		case <-still.C:
			if _, err := w.Write([]byte(":\n\n")); err != nil {
				return
			}
		case <-changed:
		}
	}
}

// send writes one event, and reports whether the browser took it.
func send(w http.ResponseWriter, e part) bool {
	line := make([]byte, 0, len(e.name)+len(e.text)+16)
	line = append(append(line, "event: "...), e.name...)
	line = append(append(line, "\ndata: "...), e.text...)
	_, err := w.Write(append(line, "\n\n"...))
	return err == nil
}
