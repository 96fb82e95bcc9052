package crew

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// A Server is a server in a process of its own, which can be killed and started
// again at the same place.
type Server struct {
	site  Site
	cmd   *exec.Cmd
	leash io.Closer
	words *tail
	url   string
}

// A Site says what server, and where.
type Site struct {
	Program string // fieldbrain-nats
	Folder  string // for its streams
	Listen  string // HOST:PORT; port 0 takes a free one
	Config  string // NATS' own configuration file; empty: none
}

// serverTime is how long a server may take to start.
const serverTime = 60 * time.Second

// Serve starts a server.
func Serve(site Site) (*Server, error) {
	s := &Server{site: site}
	if err := s.start(); err != nil {
		return nil, err
	}
	if _, at, is := strings.Cut(s.url, "@"); is && site.Config == "" {
		s.site.Listen = at // where it shall be found again
	}
	return s, nil
}

// URL is where the server listens, with its token.
func (s *Server) URL() string { return s.url }

// start starts the process and waits for the line that says where it listens.
func (s *Server) start() error {
	s.words = new(tail)
	cmd := exec.Command(s.site.Program, "-out", s.site.Folder, "-listen", s.site.Listen, "-server-config", s.site.Config)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C ends the sweep first, which ends it
	cmd.Stderr = s.words
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if s.leash, err = cmd.StdinPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd = cmd
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(out).ReadString('\n') // an end without a line is an empty one
		line <- strings.TrimSpace(text)
	}()
	select {
	case s.url = <-line:
	case <-time.After(serverTime):
	}
	if s.url == "" {
		return errors.Join(fmt.Errorf("the server did not start: %s", s.words.last()), s.Close())
	}
	return nil
}

// Restart kills the server, leaves it dead for a while, and starts it again.
func (s *Server) Restart(away time.Duration) error {
	if err := s.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = s.cmd.Wait() // it was killed
	time.Sleep(away)
	return s.start()
}

// Close ends the server.
func (s *Server) Close() error {
	_ = s.leash.Close()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(farGone):
		_ = s.cmd.Process.Kill() // it may have ended just now
		<-done
		return nil
	}
}
