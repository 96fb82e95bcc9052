package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"
)

// wordTime is how long a source waits for the answer to one word: longer than any
// deadman, after which the car stands anyway.
const wordTime = time.Second

// ErrHungUp says that the connection of a source has ended, or that no answer came.
var ErrHungUp = errors.New("daemon: the connection of the wheel has ended: the car stops by itself; take the wheel again")

// hungUp names what ended it.
func hungUp(err error) error { return fmt.Errorf("%w (%w)", ErrHungUp, err) }

// A Driver is a source's connection to the daemon while a person drives through it.
// Several goroutines may use it. When its connection ends, the car stops; one on which an
// answer failed to come ends.
type Driver struct {
	mu    sync.Mutex
	conn  *net.UnixConn
	lines *bufio.Reader
	word  []byte
}

// TakeManualLease takes the wheel under the source's name. The note says what one should know
// before driving. The error wraps ErrNoDaemon when nobody listens at path.
func TakeManualLease(ctx context.Context, path, source string) (d *Driver, note string, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	conn, err := dial(ctx, path)
	if err != nil {
		return nil, "", err
	}
	d = &Driver{conn: conn, lines: bufio.NewReaderSize(conn, maxRequest)}
	answer, err := d.Ask(Request{Command: "take", Source: source})
	if err == nil && !answer.OK {
		err = errors.New(answer.Error)
	}
	if err != nil {
		return nil, "", errors.Join(err, d.Close())
	}
	return d, answer.Note, nil
}

// Drive says what the person wants: shares of the largest speed and steering angle, -1..1,
// forwards and left positive. Say it about twenty times a second; the
// car stops when it hears nothing. The error is the daemon's refusal, or an ErrHungUp.
func (d *Driver) Drive(throttle, steering float64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.word = append(d.word[:0], `{"command":"drive","throttle":`...)
	d.word = strconv.AppendFloat(d.word, throttle, 'f', 4, 64)
	d.word = append(d.word, `,"steering":`...)
	d.word = strconv.AppendFloat(d.word, steering, 'f', 4, 64)
	d.word = append(d.word, "}\n"...)
	answer, err := d.exchange(d.word, wordTime)
	if err == nil && !answer.OK {
		err = errors.New(answer.Error)
	}
	return err
}

// Ask sends any request, such as estop, arm, or an outcome, over the connection.
func (d *Driver) Ask(r Request) (Answer, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return Answer{}, fmt.Errorf("daemon: encode request: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.exchange(append(line, '\n'), callTime)
}

// exchange sends a line and reads its answer. Where none comes the connection ends: what
// came later would be taken for the answer to the next line.
func (d *Driver) exchange(line []byte, wait time.Duration) (a Answer, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if err := d.conn.SetDeadline(time.Now().Add(wait)); err != nil {
		return a, hungUp(err)
	}
	if _, err := d.conn.Write(line); err != nil {
		return a, hungUp(err)
	}
	text, err := d.lines.ReadBytes('\n')
	if err != nil {
		return a, hungUp(err)
	}
	if string(text) == string(agreed) {
		return Answer{OK: true}, nil
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return a, fmt.Errorf("daemon: answer is not a response: %w", err)
	}
	return a, nil
}

// Release gives the wheel back to the brain and ends the connection.
func (d *Driver) Release() error {
	answer, err := d.Ask(Request{Command: "release"})
	if err == nil && !answer.OK {
		err = errors.New(answer.Error)
	}
	return errors.Join(err, d.Close())
}

// Close ends the connection: a car that is driven through it stops.
func (d *Driver) Close() error {
	if err := d.conn.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
