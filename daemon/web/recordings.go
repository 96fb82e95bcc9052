package web

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"fieldbrain/files"
)

// Bounds of the list of recordings and of tickets.
const (
	maxListed   = 1000
	maxTickets  = 64
	ticketValid = time.Minute
)

// recordingName is what a recording's file may be called: a name without folders that
// begins with no dot.
var recordingName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,150}\.mcap$`)

// A recorded is one file that may be downloaded.
type recorded struct {
	Name    string    `json:"name"`
	Bytes   int64     `json:"bytes"`
	Written time.Time `json:"written"`
}

// recordings lists the regular files of the folder that are recordings, the newest
// first.
func (s *Server) recordings(w http.ResponseWriter, _ *http.Request) {
	folder := s.options.Settings.Recordings
	if folder == "" {
		answer(w, http.StatusOK, []recorded{})
		return
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": fmt.Sprintf("web.recordings: %v", err)})
		return
	}
	list := []recorded{}
	for _, e := range entries {
		if !recordingName.MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil { // it may have been removed meanwhile
			list = append(list, recorded{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b recorded) int {
		return cmp.Or(b.Written.Compare(a.Written), cmp.Compare(a.Name, b.Name))
	})
	answer(w, http.StatusOK, list[:min(len(list), maxListed)])
}

// ticket lets its bearer download one file once: a browser that saves a file sends no
// token.
func (s *Server) ticket(w http.ResponseWriter, r *http.Request) {
	var want struct {
		Name string `json:"name"`
	}
	if err := decode(r, &want); err != nil {
		s.refuse(w, badRequest, err.Error())
		return
	}
	if !recordingName.MatchString(want.Name) {
		s.refuse(w, badRequest, fmt.Sprintf("%.80q is no name of a recording", want.Name))
		return
	}
	f, err := openRecording(s.options.Settings.Recordings, want.Name)
	if err != nil {
		s.refuse(w, wrongPath, fmt.Sprintf("there is no recording %.80q any more: reload the list", want.Name))
		return
	}
	f.Close()
	answer(w, http.StatusOK, map[string]string{"ticket": s.tickets.issue(want.Name, time.Now())})
}

// download sends one recording to whoever has a ticket for it, or the token.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if has, _ := s.roleOf(r); has < watcher && !s.tickets.redeem(r.URL.Query().Get("ticket"), name, time.Now()) {
		s.refuse(w, noToken, "this needs the token, or a ticket that the page gets for one download")
		return
	}
	f, err := openRecording(s.options.Settings.Recordings, name)
	if err != nil {
		s.refuse(w, wrongPath, fmt.Sprintf("there is no recording %.80q: /api/recordings lists those there are", name))
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		s.refuse(w, wrongPath, fmt.Sprintf("recording %.80q cannot be read: %v: /api/recordings lists those there are", name, err))
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`) // its letters need no quoting
	control := http.NewResponseController(w)
	if control.SetReadDeadline(time.Time{}) != nil {
		return
	}
	http.ServeContent(&patient{w, control}, r, name, info.ModTime(), f)
}

// openRecording opens a recording of a folder: a regular file that lies there under
// that very name, and no link.
func openRecording(folder, name string) (*os.File, error) {
	if folder == "" || !recordingName.MatchString(name) {
		return nil, fs.ErrNotExist
	}
	path := filepath.Join(folder, name)
	looked, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !looked.Mode().IsRegular() {
		return nil, files.ErrKind
	}
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(looked, info) { // somebody put a link there meanwhile
		err = files.ErrLink
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// A patient writer gives every part of a long answer the time of a whole one.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write writes a part.
func (p *patient) Write(b []byte) (int, error) {
	if err := p.control.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return 0, err
	}
	return p.ResponseWriter.Write(b)
}

// tickets are what was issued and not redeemed.
type tickets struct {
	mu   sync.Mutex
	list []ticket
}

// A ticket is for one name, until its end.
type ticket struct {
	text, name string
	end        time.Time
}

// issue makes a ticket; of too many the oldest goes.
func (t *tickets) issue(name string, now time.Time) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	made := ticket{rand.Text(), name, now.Add(ticketValid)}
	if t.list = append(t.list, made); len(t.list) > maxTickets {
		t.list = t.list[1:]
	}
	return made.text
}

// redeem takes a ticket, and reports whether it was one for the name.
func (t *tickets) redeem(text, name string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.list, func(is ticket) bool { return is.text == text && is.name == name && now.Before(is.end) })
	if i < 0 {
		return false
	}
	t.list = slices.Delete(t.list, i, i+1)
	return true
}
