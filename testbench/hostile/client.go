package hostile

import "strings"

// A Client is what one connection to the control socket does.
type Client struct {
	Kind   string
	Pieces [][]byte // one write each
	Stops  bool     // a whole order to stop is among it, before any mistake
	Hang   bool     // stays instead of hanging up
}

// NewClient returns the client of a seed. Some ask for a stop, and hang up at once.
func NewClient(seed uint64) Client {
	d := roll(seed, "client")
	const stop = `{"command":"estop"}`
	c := Client{Hang: d.Chance(0.3)}
	text := ""
	switch d.below(8) {
	case 0:
		c.Kind, text = "rubbish", string(d.bytes(d.below(6000)))
	case 1:
		c.Kind = "silent"
	case 2:
		c.Kind, text = "half a request", stop[:d.below(len(stop))]
	case 3:
		c.Kind, text = "too long", strings.Repeat("x", 4096+d.below(100_000))+"\n"+stop+"\n"
	case 4:
		c.Kind, text = "deep", strings.Repeat("[", d.below(4000))+"\n"
	case 5:
		c.Kind, text = "unknown", `{"comand":"arm"}`+"\n"+stop+"\n"
	case 6:
		c.Kind, c.Stops = "a stop", true
		text = strings.Repeat(`{"command":"status"}`+one(d, "", " ", "\n"), d.below(4)) + stop + "\n"
	case 7:
		c.Kind, c.Stops = "a stop, then rubbish", true
		text = stop + one(d, "\n", "{\"command\":\"arm\"}\n", "rubbish\n") + string(d.bytes(d.below(100)))
	}
	for len(text) > 0 {
		n := min(len(text), 1+d.below(1+len(text)))
		c.Pieces = append(c.Pieces, []byte(text[:n]))
		text = text[n:]
	}
	return c
}
