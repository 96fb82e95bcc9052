package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"fieldbrain/daemon"
)

// orderTime is how long a browser waits for the daemon.
const orderTime = 4 * time.Second

// commands are those of the control socket that a browser may give.
var commands = []string{"arm", "disarm", "estop", "reset", "go", "set", "outcome"}

// order passes a command on to the control socket: the same line of JSON that every
// other client sends.
func (s *Server) order(w http.ResponseWriter, r *http.Request) {
	var request daemon.Request
	if err := decode(r, &request); err != nil {
		s.refuse(w, badRequest, err.Error())
		return
	}
	if !slices.Contains(commands, request.Command) {
		s.refuse(w, badRequest, fmt.Sprintf("command %.40q is not known here: send one of %q", request.Command, commands))
		return
	}
	if request.Command == "outcome" {
		if err := daemon.CheckOutcome(request.Value); err != nil {
			s.refuse(w, badRequest, err.Error())
			return
		}
	}
	_, socket := s.watch.shown()
	ctx, cancel := context.WithTimeout(r.Context(), orderTime)
	defer cancel()
	told, err := daemon.Call(ctx, socket, request)
	s.answerOrder(w, r, words(request), told, err)
}

// words says a request as people do.
func words(r daemon.Request) string {
	switch {
	case r.Order != "":
		return r.Command + " " + r.Order
	case r.Value != 0:
		return fmt.Sprintf("%s %+g", r.Command, r.Value)
	}
	return r.Command
}

// stop is the emergency stop: of every daemon that is known, on every way there is, by the
// guard where the daemon does not stop the car, for everybody who may look. It
// goes on when the browser has hung up.
func (s *Server) stop(w http.ResponseWriter, r *http.Request) {
	_, socket := s.watch.shown()
	sockets := daemon.From(socket, s.options.Sockets)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), orderTime)
	defer cancel()
	told, err := daemon.EStop(ctx, sockets, s.options.Guard)
	s.answerOrder(w, r, "emergency stop", told, err)
}

// answerOrder passes on what the daemon said, and notes it in the journal.
func (s *Server) answerOrder(w http.ResponseWriter, r *http.Request, what string, told daemon.Answer, err error) {
	code := http.StatusOK
	switch {
	case errors.Is(err, daemon.ErrNoDaemon):
		code, told = http.StatusServiceUnavailable, daemon.Answer{Error: "no daemon runs: start it with fieldbrain run"}
	case err != nil:
		code, told = http.StatusBadGateway, daemon.Answer{Error: err.Error()}
	case !told.OK:
		code = http.StatusConflict
	}
	told.Error, told.Note = daemon.Printable(told.Error), daemon.Printable(told.Note)
	said := event{At: time.Now().UnixMilli(), Kind: "page", Text: fmt.Sprintf("%.80s, from %s", daemon.Printable(what), client(r))}
	if !told.OK {
		said.Bad, said.Text = true, said.Text+": refused: "+told.Error
	}
	s.hub.journal([]event{said})
	answer(w, code, told)
}

// decode reads one object and nothing else.
func decode(r *http.Request, v any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the object")
		}
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return fmt.Errorf("the request has more than %d bytes", large.Limit)
	case err != nil:
		return fmt.Errorf("not a request: %w", err)
	}
	return nil
}
