package daemon

import (
	"encoding/json"
	"sync"
	"time"
)

// A statusCache is the status as text, made anew at a bounded rate however many ask for
// it. An answer is never older than its question: who asks too soon after the last
// text was made waits for the next.
type statusCache struct {
	write func(dst []byte) []byte // appends the answer's line
	every time.Duration           // between two texts

	mu   sync.Mutex
	made time.Time
	text []byte
}

// statusEvery is the time between two texts: 20 a second are more than people
// read, and 16 clients cost a few hundred answers a second.
const statusEvery = 50 * time.Millisecond

// read appends the answer to dst, within two periods.
func (b *statusCache) read(dst []byte) []byte {
	asked := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.made.Before(asked) {
		if wait := b.every - time.Since(b.made); wait > 0 {
			b.mu.Unlock()
			time.Sleep(wait) // allocates nothing, unlike a timer
			b.mu.Lock()
			continue
		}
		b.text = b.write(b.text[:0])
		b.made = time.Now()
	}
	return append(dst, b.text...)
}

// OnStatus sets the function that appends the answer to a request for the status to
// dst, its end of line too. Control calls it at a bounded rate and one at a time; without
// it the Handler answers these requests as well. Call it before Serve.
func (c *Control) OnStatus(write func(dst []byte) []byte) {
	c.statusCache = &statusCache{write: write, every: statusEvery}
}

// asksStatus reports whether a line is the request for the status alone, with blanks
// where JSON allows them. Observers repeat it; to decode it would allocate.
func asksStatus(line []byte) bool {
	tokens := [...]string{"{", `"command"`, ":", `"status"`, "}"}
	for _, token := range tokens {
		line = skipBlanks(line)
		if len(line) < len(token) || string(line[:len(token)]) != token {
			return false
		}
		line = line[len(token):]
	}
	return len(skipBlanks(line)) == 0
}

// skipBlanks returns what follows JSON's blanks.
func skipBlanks(line []byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '\r' || line[0] == '\n') {
		line = line[1:]
	}
	return line
}

// An AnswerEncoder makes lines of answers in memory that it keeps. One goroutine at a
// time may use it.
type AnswerEncoder struct {
	line    lineBuffer
	encoder *json.Encoder
}

// NewAnswerEncoder returns one.
func NewAnswerEncoder() *AnswerEncoder {
	e := &AnswerEncoder{}
	e.encoder = json.NewEncoder(&e.line)
	return e
}

// Append appends an answer's line to dst.
func (e *AnswerEncoder) Append(dst []byte, a *Answer) []byte {
	e.line.text = dst
	if err := e.encoder.Encode(a); err != nil {
		return append(dst, encode(Answer{Error: err.Error()})...)
	}
	return e.line.text
}

// A lineBuffer is a writer into memory.
type lineBuffer struct{ text []byte }

func (b *lineBuffer) Write(p []byte) (int, error) {
	b.text = append(b.text, p...)
	return len(p), nil
}
