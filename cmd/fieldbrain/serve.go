package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/web"
)

type serveCmd struct {
	socketFlag
	guardFlag
	Page       string `help:"Show this page of a run, dead or alive, and give orders to the daemon beside it alone; found by itself when left out (docs/telemetry.md)." placeholder:"FILE" complete:"file"`
	Config     string `help:"Configuration file, for its section [web]; without it /etc/fieldbrain/fieldbrain.toml if that exists, else the defaults." placeholder:"FILE" complete:"file"`
	Listen     string `help:"Address and port, such as 127.0.0.1:8321; port 0 takes a free one. The configuration's when left out." placeholder:"ADDRESS"`
	Token      string `help:"File of the token that lets a browser command the car, made when it does not exist; the configuration's when left out." placeholder:"FILE" complete:"file"`
	Recordings string `help:"Folder whose recordings may be downloaded; the configuration's when left out." placeholder:"FOLDER" complete:"file"`
	Companion  bool   `hidden:"" help:"Of run --web: end when standard input ends."`
}

// Help says what it is for.
func (serveCmd) Help() string {
	return "A page for browsers, computers' and phones', by a process of its own that reads what the daemon writes: " +
		"it cannot slow the car down. Loopback alone, unless the configuration names tokens and a certificate (docs/web.md). " +
		"Prometheus scrapes /metrics; /healthz answers 200 while the brain lives and ticks, else 503."
}

// Run serves until a signal.
func (c serveCmd) Run(e *env) error {
	set, err := c.settings()
	if err != nil {
		return err
	}
	in, token := bufio.NewReader(os.Stdin), ""
	if c.Companion { // the token of the page in whose place this one comes, if any
		line, _ := in.ReadString('\n')
		token = strings.TrimSpace(line)
	}
	s, err := web.New(web.Options{
		Settings: set, Sockets: c.sockets(e), Guard: c.Guard, Page: c.Page, Version: thisBuild().Version,
		Token: token,
	})
	if err != nil {
		return err
	}
	address := s.URL()
	if !c.Companion { // whoever starts one in its place needs to know where it listens
		address = web.Link(address, set.Names)
	}
	if _, err := fmt.Fprintln(e.out, address); err != nil { // nobody could open it
		return errors.Join(err, s.Close())
	}
	ctx, restore := untilSignal()
	defer restore()
	if c.Companion {
		ctx = untilEnd(ctx, in)
		go beat(ctx, e.out)
	}
	return s.Serve(ctx)
}

// sockets returns where the daemon may listen that orders go to. Where a page is named it
// is the one beside it: no other car shall hear what was meant for the one that is shown.
func (c serveCmd) sockets(e *env) []string {
	switch {
	case c.Socket != "":
		return []string{c.Socket}
	case c.Page != "":
		return []string{strings.TrimSuffix(c.Page, pageSuffix) + ".sock"}
	}
	return daemon.Sockets(e.getenv, e.uid)
}

// settings returns the section [web] with the flags put over it.
func (c serveCmd) settings() (config.Web, error) {
	settings, _, err := loadConfig(c.Config)
	if err != nil {
		return config.Web{}, err
	}
	for _, flag := range []struct {
		from string
		to   *string
	}{{c.Listen, &settings.Web.Listen}, {c.Token, &settings.Web.Token}, {c.Recordings, &settings.Web.Recordings}} {
		if flag.from != "" {
			*flag.to = flag.from
		}
	}
	if err := checkFlags(settings); err != nil {
		return config.Web{}, err
	}
	if set := &settings.Web; set.Recordings != "" {
		folder, err := filepath.Abs(set.Recordings)
		if err != nil {
			return config.Web{}, err
		}
		if info, err := os.Stat(folder); err == nil && !info.IsDir() {
			return config.Web{}, config.Usagef("--recordings %s: is a file, name the folder it lies in", set.Recordings)
		}
		set.Recordings = folder
	}
	return settings.Web, nil
}

// untilEnd returns a context that ends when nothing more comes from a reader.
func untilEnd(ctx context.Context, from io.Reader) context.Context {
	within, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, from)
	}()
	return within
}
