package loadbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/robot"
)

// Options say who wants the processors.
type Options struct {
	Program  string // fieldbrain
	Folder   string // for sockets, saves and logs; short, and the bench's own
	Clients  int    // processes that ask for the status as fast as it is answered
	Hogs     int    // processes that compute
	Length   time.Duration
	Period   time.Duration // of loop and cyclictest
	Priority int           // of both, 0 for the ordinary class
	Without  string        // remedies that the daemon leaves out, separated by commas
}

// startTime is how long a daemon may take until its car is armed.
const startTime = 60 * time.Second

// warmUp is how long the crowd runs before anybody measures.
const warmUp = 2 * time.Second

// Run measures once.
func Run(ctx context.Context, o Options) (Row, error) {
	path, err := Yardstick()
	if err != nil {
		return Row{}, err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return Row{}, fmt.Errorf("loadbench: %w", err)
	}
	s := &scene{o: o}
	defer s.end()
	if err := s.drive(ctx); err != nil {
		return Row{}, err
	}
	if err := s.gather(); err != nil {
		return Row{}, err
	}
	select {
	case <-ctx.Done():
		return Row{}, ctx.Err()
	case <-time.After(warmUp):
	}
	clock := robot.NewMonotonic()
	from := clock.Now()
	y, err := cyclictest(ctx, path, o, s.path("tape"))
	to := clock.Now()
	if err != nil {
		return Row{}, err
	}
	asked, err := s.disperse()
	if err != nil {
		return Row{}, err
	}
	if err := s.stop(); err != nil {
		return Row{}, err
	}
	wakes, err := ReadTape(s.path("tape"))
	if err != nil {
		return Row{}, err
	}
	return newRow(o, between(wakes, from, to), y, asked)
}

// A scene is the processes of one run.
type scene struct {
	o       Options
	daemon  *exec.Cmd
	hogs    []*exec.Cmd
	clients []*exec.Cmd
}

// path returns that of a file in the folder.
func (s *scene) path(name string) string { return filepath.Join(s.o.Folder, name) }

// drive starts the daemon and waits until its car is armed.
func (s *scene) drive(ctx context.Context) error {
	c := config.Default()
	c.Loop.Period, c.Loop.Priority = config.Duration(s.o.Period), s.o.Priority
	c.Body.Kind, c.Body.Scenario = "sim", "room"
	c.Brain.Recall, c.Brain.Explore = true, true
	c.Memory.Path, c.Memory.Period, c.Memory.Keep = s.path("minds"), config.Duration(time.Second), 2
	c.Log.Format, c.Control.Socket = "text", s.path("c.sock")
	text, err := c.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.path("c.toml"), text, 0o600); err != nil {
		return fmt.Errorf("loadbench: %w", err)
	}
	ticks := int((s.o.Length+startTime+10*time.Second)/s.o.Period) + 1
	words := []string{"--config", s.path("c.toml"), "--tape", s.path("tape"), "--ticks", strconv.Itoa(ticks)}
	if s.o.Without != "" {
		words = append(words, "--without", s.o.Without)
	}
	if s.daemon, err = s.start("daemon", "crowd-victim", words...); err != nil {
		return err
	}
	for end := time.Now().Add(startTime); ; time.Sleep(50 * time.Millisecond) {
		answer, err := daemon.Call(ctx, s.path("c.sock"), daemon.Request{Command: "status"})
		switch {
		case err == nil && answer.Status != nil && answer.Status.Armed:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case time.Now().After(end):
			return fmt.Errorf("loadbench: the car is not armed after %v, see %s: %w", startTime, s.path("daemon.log"), err)
		}
	}
}

// gather starts the crowd.
func (s *scene) gather() error {
	for i := range s.o.Hogs {
		hog, err := s.start("hog"+strconv.Itoa(i), "crowd-hog")
		if err != nil {
			return err
		}
		s.hogs = append(s.hogs, hog)
	}
	for i := range s.o.Clients {
		client, err := s.start("client"+strconv.Itoa(i), "crowd-client", "--socket", s.path("c.sock"))
		if err != nil {
			return err
		}
		s.clients = append(s.clients, client)
	}
	return nil
}

// start starts this program in another role; its words go to a file.
func (s *scene) start(name, role string, args ...string) (*exec.Cmd, error) {
	log, err := os.OpenFile(s.path(name+".log"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("loadbench: %w", err)
	}
	defer log.Close()
	cmd := exec.Command(s.o.Program, append([]string{"bench", role}, args...)...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("loadbench: start %s: %w", name, err)
	}
	return cmd, nil
}

// disperse ends the crowd and returns what its clients got together.
func (s *scene) disperse() (all Asked, err error) {
	kill(s.hogs)
	s.hogs = nil
	for i, client := range s.clients {
		_ = client.Process.Signal(syscall.SIGTERM)
		if err := client.Wait(); err != nil {
			return all, fmt.Errorf("loadbench: client %d: %w", i, err)
		}
		text, err := os.ReadFile(s.path("client" + strconv.Itoa(i) + ".log"))
		var one Asked
		if err == nil {
			err = json.Unmarshal(text, &one)
		}
		if err != nil {
			return all, fmt.Errorf("loadbench: client %d: %w", i, err)
		}
		all.Answers += one.Answers
		all.Failed += one.Failed
		all.Longest = max(all.Longest, one.Longest)
	}
	s.clients = nil
	return all, nil
}

// stop ends the daemon in good order.
func (s *scene) stop() error {
	cmd := s.daemon
	s.daemon = nil
	if err := cmd.Process.Signal(unix.SIGTERM); err != nil {
		return fmt.Errorf("loadbench: the daemon had ended: %w; see %s", errors.Join(err, cmd.Wait()), s.path("daemon.log"))
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("loadbench: the daemon: %w; see %s", err, s.path("daemon.log"))
	}
	return nil
}

// end kills what still runs.
func (s *scene) end() {
	kill(s.hogs)
	kill(s.clients)
	if s.daemon != nil {
		kill([]*exec.Cmd{s.daemon})
	}
}

// kill ends processes the hard way.
func kill(list []*exec.Cmd) {
	for _, cmd := range list {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}
}
