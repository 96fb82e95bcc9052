package sweepworkers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrServer is wrapped by what Failed delivers of a Server.
var ErrServer = errors.New("the server of the sweep has ended")

// A Server is a server in a process of its own, which can be killed and started
// again at the same place.
type Server struct {
	site   Site
	failed chan error
	end    chan struct{} // closed by Close
	ending sync.Once
	over   chan struct{} // closed when nobody attends any more

	mu      sync.Mutex // held while the process is another one's turn
	process *process
	url     string
}

// A Site says what server, and where.
type Site struct {
	Program string // fieldbrain-nats
	Folder  string // for its streams
	Listen  string // HOST:PORT; port 0 takes a free one
	Config  string // NATS' own configuration file; empty: none
	// Again is how many times in a row a server that ends by itself, less than a minute
	// after its start, is started again; one that lived longer is always. 0: never.
	Again int
	Died  func(why error) // told before the server is started again; nil: nobody
}

const (
	serverTime = 60 * time.Second // that a server may take to start
	settled    = time.Minute      // after which a server works
	breath     = time.Second / 5  // before it is started again, twice as long every further time
)

// A process is one life of a server.
type process struct {
	cmd   *exec.Cmd
	leash io.Closer
	words tail
	began time.Time
	done  chan struct{} // closed when it has ended
	err   error         // how; to be read when done is closed
}

// Serve starts a server and keeps it alive as the Site says.
func Serve(site Site) (*Server, error) {
	s := &Server{site: site, failed: make(chan error, 1), end: make(chan struct{}), over: make(chan struct{})}
	if err := s.start(); err != nil {
		return nil, err
	}
	if at, err := url.Parse(s.url); err == nil && at.Port() != "" && site.Config == "" {
		host := site.Listen[:strings.LastIndexByte(site.Listen, ':')+1]
		s.site.Listen = host + at.Port() // where it shall be found again
	}
	go s.attend()
	return s, nil
}

// URL is where the server listens, with its token.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.url
}

// Failed delivers one error, which wraps ErrServer, when the server has ended and is not
// started again.
func (s *Server) Failed() <-chan error { return s.failed }

// start starts the process and waits for the line that says where it listens.
func (s *Server) start() error {
	p := &process{began: time.Now(), done: make(chan struct{})}
	p.cmd = exec.Command(s.site.Program, "-out", s.site.Folder, "-listen", s.site.Listen, "-server-config", s.site.Config)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C ends the sweep first, which ends it
	p.cmd.Stderr = &p.words
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if p.leash, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(out).ReadString('\n') // an end without a line is an empty one
		line <- strings.TrimSpace(text)
	}()
	url := ""
	select {
	case url = <-line:
	case <-s.end:
	case <-time.After(serverTime):
	}
	go func() { // only now: it closes what the line is read from
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	if url == "" {
		p.stop()
		return fmt.Errorf("the server did not start: %s", p.said())
	}
	s.process, s.url = p, url
	return nil
}

// stop ends the process, and reports whether it had to be killed.
func (p *process) stop() (killed bool) {
	_ = p.leash.Close() // tells it to end
	select {
	case <-p.done:
		return false
	case <-time.After(farGone):
		_ = p.cmd.Process.Kill() // it may have ended just now
		<-p.done
		return true
	}
}

// said returns how the process ended and its last line; it has ended.
func (p *process) said() string {
	how := "it ended without an error"
	if p.err != nil {
		how = p.err.Error()
	}
	return strings.TrimSuffix(how+": "+p.words.last(), ": ")
}

// attend starts the server again when it ends by itself.
func (s *Server) attend() {
	defer close(s.over)
	for early := 0; ; {
		s.mu.Lock()
		p := s.process
		s.mu.Unlock()
		select {
		case <-s.end:
			return
		case <-p.done:
		}
		if time.Since(p.began) > settled {
			early = 0
		}
		var alive bool
		if early, alive = s.revive(p, early); !alive {
			return
		}
	}
}

// revive starts the server again after the end of a process, unless somebody has done so
// already. It returns how many early ends there were in a row, and whether the server
// lives.
func (s *Server) revive(p *process, early int) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process != p {
		return early, true
	}
	was := s.url
	why := errors.New(p.said())
	for {
		if early == s.site.Again {
			s.failed <- fmt.Errorf("%w: %w", ErrServer, why)
			return early, false
		}
		wait := breath << early
		early++
		if s.site.Died != nil {
			s.site.Died(why)
		}
		select {
		case <-s.end:
			return early, false
		case <-time.After(wait):
		}
		switch why = s.start(); {
		case why == nil && s.url == was:
			return early, true
		case why == nil:
			s.process.stop()
			why = errors.New("it comes back at another place: give its configuration a fixed port")
		}
	}
}

// Restart kills the server, leaves it dead for a while, and starts it again.
func (s *Server) Restart(away time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.process.cmd.Process.Kill() // it may have ended just now
	<-s.process.done
	time.Sleep(away)
	return s.start()
}

// Close ends the server, and returns how it ended by itself. It may be called again.
func (s *Server) Close() error {
	s.ending.Do(func() { close(s.end) })
	<-s.over
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process.stop() {
		return nil
	}
	return s.process.err
}
