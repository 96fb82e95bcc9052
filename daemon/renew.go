package daemon

import (
	"errors"
	"fmt"
	"net"
)

// Renew makes anew what somebody has removed, or put something else in the place of, in
// the folder of the control socket: the lock file and both sockets. It returns what it
// made. Nothing that another process uses is touched; the error then wraps ErrRunning.
// Serve and ServeStops go on with the new sockets. Connections that there are stay.
func (c *Control) Renew() (made []string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, nil
	}
	fresh, err := c.renewLock() // it decides who may make the others
	if err != nil {
		return nil, err
	}
	if fresh {
		made = append(made, "lock file")
	}
	fresh, err = c.renewControl()
	if fresh {
		made = append(made, "control socket")
	}
	fresh, failed := c.renewStops() // whatever became of the other
	if fresh {
		made = append(made, "stop socket")
	}
	return made, errors.Join(err, failed)
}

// renewLock takes a new lock file where the old one has lost its name.
func (c *Control) renewLock() (bool, error) {
	path := c.path + lockSuffix
	old, err := c.lock.Stat()
	if err != nil {
		return false, fmt.Errorf("daemon: lock file %s: %w", path, err)
	}
	mine, err := socketFile{path, old}.mine()
	if err != nil || mine {
		return false, err
	}
	lock, err := own(path)
	if err != nil {
		return false, fmt.Errorf("daemon: control socket %s: %w", c.path, err)
	}
	_ = c.lock.Close() // of a file that nobody can open any more
	c.lock = lock
	return true, nil
}

// renewControl makes a new control socket where the old one has lost its name.
func (c *Control) renewControl() (bool, error) {
	mine, err := c.socketFile.mine()
	if err != nil || mine {
		return false, err
	}
	socket, place, err := listenControl(c.path)
	if err != nil {
		return false, err
	}
	old := c.socket
	c.socket, c.socketFile = socket, place
	_ = old.Close() // Serve notices
	return true, nil
}

// renewStops makes a new stop socket where the old one has lost its name.
func (c *Control) renewStops() (bool, error) {
	mine, err := c.stops.socketFile.mine()
	if err != nil || mine {
		return false, err
	}
	stops, err := listenStop(StopSocket(c.path))
	if err != nil {
		return false, err
	}
	old := c.stops
	c.stops = stops
	old.interrupt() // who accepts closes it
	return true, nil
}

// listening returns the control socket in use.
func (c *Control) listening() *net.UnixListener {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.socket
}

// stopping returns the stop socket in use.
func (c *Control) stopping() *stopListener {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stops
}

// interrupt ends the accept of the stop socket for good.
func (c *Control) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.stops.interrupt()
}
