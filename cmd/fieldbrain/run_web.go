package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fieldbrain/daemon"
)

// Patience with the page of run --web.
const (
	pageStarts = 20 * time.Second // until it says where it is
	pageEnds   = 3 * time.Second  // from the end of its standard input
)

// A webPage is fieldbrain serve as a child of run --web: a process of its own, so that
// no browser shares anything with the loop.
type webPage struct {
	url   string
	pid   int
	beats <-chan struct{} // holds a token when it has said a line since the last look; nil: it says none
	ended chan struct{}   // closed once the process is gone
	why   error           // how it ended; valid then
	close func()          // ends the process; one that does not go is killed
}

// end ends the page, if there is one, and waits for its process.
func (p *webPage) end() {
	if p == nil {
		return
	}
	p.close()
	<-p.ended
}

// startWeb starts the page of the daemon whose control socket it is, until ctx ends. The
// thread that calls it must be of the ordinary class: the child shall be an ordinary
// process. A page that follows one at the address before takes its place there, with its
// token: browsers find it by themselves.
func (c runCmd) startWeb(ctx context.Context, socket, before string) (*webPage, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("--web: %w", err)
	}
	words := []string{"serve", "--companion", "--socket", socket}
	if c.Config != "" {
		words = append(words, "--config", c.Config)
	}
	if c.Record != "" && filepath.Ext(c.Record) != ".mcap" {
		words = append(words, "--recordings", c.Record)
	}
	address, token := placeOf(before)
	if address != "" {
		words = append(words, "--listen", address)
	}
	child := exec.Command(self, words...)
	complaint := &lastLines{}
	child.Stderr = complaint
	leash, err1 := child.StdinPipe()
	out, err2 := child.StdoutPipe()
	if err := errors.Join(err1, err2, child.Start()); err != nil {
		return nil, fmt.Errorf("--web: %w", err)
	}
	_, _ = io.WriteString(leash, token+"\n") // a child that is gone already says so below
	first, beats := hear(out)
	p := &webPage{pid: child.Process.Pid, beats: beats, ended: make(chan struct{})}
	p.url = within(ctx, first)
	go func() {
		p.why = fmt.Errorf("fieldbrain serve, process %d, ended: %w", child.Process.Pid, ended(child.Wait(), complaint))
		close(p.ended)
	}()
	p.close = func() {
		leash.Close() // it ends when this does, however this process ends
		time.AfterFunc(pageEnds, func() { _ = child.Process.Kill() })
	}
	if p.url != "" {
		return p, nil
	}
	p.end()
	return nil, fmt.Errorf("--web: the page did not start: %s", complaint)
}

// hear reads what a page says until its end: its first line, and a token for what follows,
// by which it shows that it goes on.
func hear(out io.Reader) (first <-chan string, beats <-chan struct{}) {
	told, beat := make(chan string, 1), make(chan struct{}, 1)
	go func() {
		lines := bufio.NewScanner(out)
		lines.Scan()
		told <- strings.TrimSpace(lines.Text())
		for lines.Scan() {
			select {
			case beat <- struct{}{}:
			default:
			}
		}
	}()
	return told, beat
}

// within returns the first line that a page says, or nothing where it says none in time.
func within(ctx context.Context, first <-chan string) (line string) {
	timer := time.NewTimer(pageStarts)
	defer timer.Stop()
	select {
	case line = <-first:
	case <-timer.C:
	case <-ctx.Done():
	}
	return line
}

// placeOf returns where the page of an address listens, and the token behind it.
func placeOf(address string) (listen, token string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", ""
	}
	return u.Host, strings.TrimPrefix(u.Fragment, "token=")
}

// ended adds a child's last words to how it ended.
func ended(err error, complaint *lastLines) error {
	if err == nil {
		err = errors.New("exit status 0")
	}
	if words := complaint.String(); words != "" {
		return fmt.Errorf("%w: %s", err, words)
	}
	return err
}

// lastLines keeps the end of what a child says.
type lastLines struct {
	mu   sync.Mutex
	text []byte
}

// lastBytes is how much of it.
const lastBytes = 1024

// Write never fails.
func (l *lastLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	if extra := len(l.text) - lastBytes; extra > 0 {
		l.text = append(l.text[:0], l.text[extra:]...)
	}
	return len(p), nil
}

// String returns it as a person may read it.
func (l *lastLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimPrefix(strings.TrimSpace(daemon.Printable(string(l.text))), "fieldbrain: ")
}
