package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"fieldbrain/files"
)

// A Server is a NATS server inside this process, with its streams in a folder.
type Server struct {
	inner *nats.Server
	lock  *os.File
	url   string
}

// A Site says where a server stands.
type Site struct {
	Folder string // for streams, lock and log; made when it is not there
	Listen string // HOST:PORT; port 0 takes a free one. Clients must show the token that lies in the folder
	Config string // NATS' own configuration file, which then decides over listening, TLS and users
}

// ErrBusy is returned for a folder in which another server runs.
var ErrBusy = errors.New("another sweep runs in this folder: wait for it, or end it")

// startTime is how long a server may take to read its streams.
const startTime = 60 * time.Second

// Serve starts a server.
func Serve(s Site) (*Server, error) {
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return nil, err
	}
	lock, err := files.Lock(filepath.Join(s.Folder, "lock"), 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Folder, err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.Folder, ErrBusy), lock.Close())
	}
	o, err := s.options()
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	inner, err := nats.NewServer(o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("server: %w", err), lock.Close())
	}
	inner.ConfigureLogger()
	inner.Start()
	out := &Server{inner: inner, lock: lock}
	if !inner.ReadyForConnections(startTime) {
		return nil, errors.Join(fmt.Errorf("server: not ready after %v on %s:%d; %s says why", startTime, o.Host, o.Port, o.LogFile), out.Close())
	}
	out.url = inner.ClientURL()
	if at, err := url.Parse(out.url); err == nil && o.Authorization != "" {
		at.User = url.User(o.Authorization)
		out.url = at.String()
	}
	if err := (files.Writer{Mode: 0o600}).Write(filepath.Join(s.Folder, "url"), []byte(out.url+"\n")); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

// allRoom lets the streams grow as the disk does, in bytes. By itself the server takes three
// quarters of what was free at its start, and refuses every message from then on without a
// word to whoever waits; the sweep looks at the disk itself.
const allRoom = 1 << 60

// options returns the server's options.
func (s Site) options() (*nats.Options, error) {
	o := &nats.Options{ServerName: "fieldbrain-sweep", NoSigs: true, JetStream: true}
	if s.Config != "" {
		read, err := nats.ProcessConfigFile(s.Config)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Config, err)
		}
		o = read
		o.NoSigs, o.JetStream = true, true
	} else {
		at, err := url.Parse("nats://" + s.Listen)
		port, bad := strconv.Atoi(at0(at).Port())
		if err != nil || bad != nil || port < 0 || port > 65535 || at.Hostname() == "" {
			return nil, fmt.Errorf("--listen %q: write HOST:PORT, such as 127.0.0.1:4222", s.Listen)
		}
		o.Host, o.Port = at.Hostname(), port
		o.JetStreamMaxStore = allRoom
		if port == 0 {
			o.Port = nats.RANDOM_PORT
		}
		if o.Authorization, err = s.token(); err != nil {
			return nil, err
		}
	}
	if o.StoreDir == "" {
		o.StoreDir = s.Folder
	}
	if o.LogFile == "" {
		o.LogFile, o.Logtime = filepath.Join(s.Folder, "nats.log"), true
	}
	return o, nil
}

// token returns the word that clients must show. It stays in the folder, so that
// workers find the server again that somebody started anew.
func (s Site) token() (string, error) {
	path := filepath.Join(s.Folder, "token")
	err := files.CreatePrivate(path, []byte(rand.Text()+"\n"))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	text, err := files.Reader{Max: 1 << 10}.Read(path)
	if err != nil {
		return "", err
	}
	if token := strings.TrimSpace(string(text)); token != "" {
		return token, nil
	}
	return "", fmt.Errorf("%s is empty: remove it", path)
}

// at0 returns an address, an empty one instead of none.
func at0(u *url.URL) *url.URL {
	if u == nil {
		return &url.URL{}
	}
	return u
}

// URL is where clients find the server, with the token that they must show.
func (s *Server) URL() string { return s.url }

// Close ends the server. Its streams stay in the folder.
func (s *Server) Close() error {
	s.inner.Shutdown()
	s.inner.WaitForShutdown()
	return s.lock.Close()
}
