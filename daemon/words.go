package daemon

import "strconv"

// OnWheel sets the wheel that connections drive by. Control tells it when one of them
// ends, and lets nobody make the driver's connection leave. Call it before Serve.
func (c *Control) OnWheel(w *Wheel) { c.wheel = w }

// agreed is the answer to a word of a source that drives.
var agreed = []byte(`{"ok":true}` + "\n")

// maxNumber is how many digits a number of a source may have that need no decoder.
const maxNumber = 30

// asksDrive reads the request to drive as clients send it twenty times a second, with
// blanks where JSON allows them: {"command":"drive","throttle":0.5,"steering":-0.2}.
// What is written otherwise is left to the decoder, which allocates.
func asksDrive(line []byte) (throttle, steering float64, is bool) {
	ok := true
	expect := func(tokens ...string) {
		for _, token := range tokens {
			line = skipBlanks(line)
			if ok = ok && len(line) >= len(token) && string(line[:len(token)]) == token; ok {
				line = line[len(token):]
			}
		}
	}
	number := func() (v float64) {
		line = skipBlanks(line)
		n := 0
		for n < len(line) && (line[n] >= '0' && line[n] <= '9' || line[n] == '-' || line[n] == '+' || line[n] == '.' || line[n] == 'e' || line[n] == 'E') {
			n++
		}
		v, err := strconv.ParseFloat(string(line[:min(n, maxNumber)]), 64) // on the stack: it keeps no part of it
		ok = ok && err == nil && n <= maxNumber
		line = line[n:]
		return v
	}
	expect("{", `"command"`, ":", `"drive"`, ",", `"throttle"`, ":")
	throttle = number()
	expect(",", `"steering"`, ":")
	steering = number()
	expect("}")
	return throttle, steering, ok && len(skipBlanks(line)) == 0
}
