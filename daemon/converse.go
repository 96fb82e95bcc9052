package daemon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// maxOrders is how many requests one line may have: people send one.
const maxOrders = 16

// readers are the buffers of connections that have ended, for those that begin: a
// crowd must not make the collector work.
type readers struct{ pool sync.Pool }

// get returns an empty buffer for a connection.
func (rs *readers) get(from io.Reader) *bufio.Reader {
	if r, is := rs.pool.Get().(*bufio.Reader); is {
		r.Reset(from)
		return r
	}
	return bufio.NewReaderSize(from, maxRequest)
}

// put takes a buffer back.
func (rs *readers) put(r *bufio.Reader) {
	r.Reset(nil)
	rs.pool.Put(r)
}

// converse answers one connection's requests, each within its own deadline,
// until ctx ends. A faulty request hurts no other.
func (c *Control) converse(ctx context.Context, client *connection, h Handler) {
	conn := client.conn
	defer conn.Close()
	defer func() {
		if r := recover(); r != nil {
			reply(conn, Answer{Error: fmt.Sprintf("the daemon failed at this request: %v; report it", r)})
		}
	}()
	stop := context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	lines := c.readers.get(conn)
	defer c.readers.put(lines)
	var begun []byte // of a line, when the end came
	for ctx.Err() == nil {
		if err := conn.SetDeadline(time.Now().Add(requestTime)); err != nil || ctx.Err() != nil {
			break // gone, or the end came before the deadline was set
		}
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			reply(conn, Answer{Error: fmt.Sprintf("the request is longer than %d bytes", maxRequest)})
			return
		}
		last := errors.Is(err, io.EOF) && len(line) > 0 // without its end, and hung up
		if err != nil && !last {
			if ctx.Err() == nil {
				return // hung up, or too slow
			}
			begun = bytes.Clone(line)
			break
		}
		more, heard := c.answer(ctx, client, line, h)
		if !heard {
			buffered, _ := lines.Peek(lines.Buffered())
			c.lastWords(ctx, client, bytes.Clone(buffered), h)
			return
		}
		if !more || last {
			break
		}
	}
	if errors.Is(context.Cause(ctx), errCrowd) {
		buffered, _ := lines.Peek(lines.Buffered()) // what is there needs no reading
		c.lastWords(ctx, client, append(begun, buffered...), h)
	}
}

// answer answers every request on a line, in their order, and reports whether more
// may follow: what follows a mistake is refused with it. Of a client that does not
// hear its answers any more, because it hung up before its line was read too, only what
// stops the car is still carried out: it has told its person that the daemon does not
// answer, and nobody watches the car for what it asked.
func (c *Control) answer(ctx context.Context, client *connection, line []byte, h Handler) (more, heard bool) {
	if c.statusCache != nil && asksStatus(line) {
		client.answer = c.statusCache.read(client.answer[:0])
		_, err := client.conn.Write(client.answer)
		return err == nil, err == nil
	}
	heard = !client.hungUp()
	if throttle, steering, is := asksDrive(line); is && heard && c.lease != nil {
		if c.lease.Drive(client.number, throttle, steering) == nil {
			_, err := client.conn.Write(agreed)
			return err == nil, err == nil
		}
	}
	for r, err := range requests(line) {
		switch {
		case err != nil:
			reply(client.conn, Answer{Error: fmt.Sprintf("not a request: %v; send {\"command\":\"status\"}", err)})
			return false, heard
		case heard || r.stops():
			heard = reply(client.conn, c.handle(ctx, client, r, h)) == nil && heard
		}
	}
	return heard, heard
}

// handle lets the handler answer one request.
func (c *Control) handle(ctx context.Context, client *connection, r Request, h Handler) Answer {
	within, cancel := context.WithTimeout(ctx, requestTime*3/4)
	defer cancel()
	client.stops.Store(r.Command == stopCommand)
	defer client.stops.Store(false)
	r.Client = client.number
	return h(within, r)
}

// stopCommand is the order that nothing may keep from being carried out.
const stopCommand = "estop"

// stops reports whether a request makes the motors inert. To do that late harms nobody.
func (r *Request) stops() bool { return r.Command == stopCommand || r.Command == "disarm" }

// requests decodes the requests on a line until the first mistake.
func requests(line []byte) func(yield func(Request, error) bool) {
	return func(yield func(Request, error) bool) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		for n := 1; ; n++ {
			var r Request
			err := d.Decode(&r)
			switch {
			case n > 1 && errors.Is(err, io.EOF):
				return
			case err == nil && n > maxOrders:
				err = fmt.Errorf("more than %d on one line", maxOrders)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// lastWords reads what a connection that has to make room, or that has hung up, has
// already sent: a stop among it is carried out, anything else is told to come again. Of one
// that has hung up, and hears nothing, a disarm is carried out as well.
func (c *Control) lastWords(ctx context.Context, client *connection, text []byte, h Handler) {
	text = client.pending(text)
	ctx = context.WithoutCancel(ctx) // the crowd has ended the connection's own
	gone := client.hungUp()
	for line := range bytes.Lines(text) {
		for r, err := range requests(line) {
			stop := r.Command == stopCommand
			if err == nil && (stop || gone && r.stops()) {
				reply(client.conn, c.handle(ctx, client, r, h))
			}
			if err == nil && stop {
				return
			}
		}
	}
	reply(client.conn, Answer{Error: errCrowd.Error(), Busy: true})
}

// pending appends what a connection has sent and nobody has read. It does not
// wait, and the connection's deadline does not matter.
func (c *connection) pending(text []byte) []byte {
	raw, err := c.conn.SyscallConn()
	if err != nil {
		return text
	}
	rest := make([]byte, maxRequest)
	n := 0
	_ = raw.Control(func(fd uintptr) {
		n, _, _ = unix.Recvfrom(int(fd), rest, unix.MSG_DONTWAIT)
	})
	return append(text, rest[:max(n, 0)]...)
}

// reply sends one answer.
func reply(w io.Writer, a Answer) error {
	_, err := w.Write(encode(a))
	return err
}

// encode returns an answer's line.
func encode(a Answer) []byte {
	line, err := json.Marshal(a)
	if err != nil {
		line = fmt.Appendf(nil, `{"ok":false,"error":%q}`, err.Error())
	}
	return append(line, '\n')
}
