package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	child *exec.Cmd
	leash io.Closer // its standard input: it ends when this does, however this process ends
}

// startWeb starts the page of the daemon whose control socket it is. It is called before
// the loop raises itself: the child shall stay an ordinary process.
func (c runCmd) startWeb(socket string) (*webPage, error) {
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
	p := &webPage{child: exec.Command(self, words...)}
	var complaint strings.Builder
	p.child.Stderr = &complaint
	leash, err1 := p.child.StdinPipe()
	out, err2 := p.child.StdoutPipe()
	if err := errors.Join(err1, err2, p.child.Start()); err != nil {
		return nil, fmt.Errorf("--web: %w", err)
	}
	p.leash = leash
	told := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(out, 4096)).ReadString('\n')
		told <- strings.TrimSpace(line)
	}()
	timer := time.NewTimer(pageStarts)
	defer timer.Stop()
	select {
	case p.url = <-told:
	case <-timer.C:
	}
	if p.url != "" {
		return p, nil
	}
	p.end()
	return nil, fmt.Errorf("--web: the page did not start: %s", strings.TrimPrefix(strings.TrimSpace(daemon.Printable(complaint.String())), "fieldbrain: "))
}

// end ends the page. One that does not go is killed.
func (p *webPage) end() {
	if p == nil {
		return
	}
	p.leash.Close()
	timer := time.AfterFunc(pageEnds, func() { _ = p.child.Process.Kill() })
	defer timer.Stop()
	_ = p.child.Wait() // how a page ended does not matter to the car
}
