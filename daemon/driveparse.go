package daemon

import "strconv"

// OnManualLease sets the lease that connections drive by. Control tells it when one of them
// ends, and lets nobody make the driver's connection leave. Call it before Serve.
func (c *Control) OnManualLease(w *ManualLease) { c.lease = w }

// agreed is the answer to a word of a source that drives.
var agreed = []byte(`{"ok":true}` + "\n")

// maxNumber is how many digits a number of a source may have that need no decoder.
const maxNumber = 30

// asksDrive reads the request to drive as clients send it twenty times a second, with
// blanks where JSON allows them: {"command":"drive","throttle":0.5,"steering":-0.2}.
// What is written otherwise is left to the decoder, which allocates.
func asksDrive(line []byte) (throttle, steering float64, is bool) {
	w := driveParser{rest: line, ok: true}
	w.expect("{", `"command"`, ":", `"drive"`, ",", `"throttle"`, ":")
	throttle = w.number()
	w.expect(",", `"steering"`, ":")
	steering = w.number()
	w.expect("}")
	return throttle, steering, w.ok && len(skipBlanks(w.rest)) == 0
}

// A driveParser reads a line as long as it is what was expected.
type driveParser struct {
	rest []byte
	ok   bool
}

// expect reads tokens.
func (w *driveParser) expect(tokens ...string) {
	for _, token := range tokens {
		w.rest = skipBlanks(w.rest)
		if w.ok = w.ok && len(w.rest) >= len(token) && string(w.rest[:len(token)]) == token; w.ok {
			w.rest = w.rest[len(token):]
		}
	}
}

// number reads a number.
func (w *driveParser) number() float64 {
	w.rest = skipBlanks(w.rest)
	n := 0
	for n < len(w.rest) && ofNumber(w.rest[n]) {
		n++
	}
	v, err := strconv.ParseFloat(string(w.rest[:min(n, maxNumber)]), 64) // on the stack: it keeps no part of it
	w.ok = w.ok && err == nil && n <= maxNumber
	w.rest = w.rest[n:]
	return v
}

// ofNumber reports whether JSON's numbers have this letter.
func ofNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}
