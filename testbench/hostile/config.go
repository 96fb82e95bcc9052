package hostile

import (
	"bytes"
	"fmt"
	"strings"
)

// maxText is the size of the largest generated text, in bytes: a little more than
// the program takes for a file of settings.
const maxText = 1<<20 + 100

// Config returns a text of settings that is wrong in one to four ways, made from a
// sound one.
func Config(seed uint64, sound []byte) []byte {
	d := roll(seed, "config")
	text := bytes.Clone(sound)
	for range 1 + d.below(4) {
		text = d.spoil(text)
	}
	return text[:min(len(text), maxText)]
}

// spoil makes one mistake.
func (d *dice) spoil(text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	at := d.below(len(lines))
	switch d.below(9) {
	case 0: // a bit
		if len(text) > 0 {
			text[d.below(len(text))] ^= 1 << d.below(8)
		}
		return text
	case 1: // cut off
		return text[:d.below(len(text)+1)]
	case 2: // another value
		key, _, _ := strings.Cut(lines[at], "=")
		lines[at] = key + "= " + d.value()
	case 3: // twice
		lines[at] += "\n" + lines[d.below(len(lines))]
	case 4: // another key
		key, value, _ := strings.Cut(lines[at], "=")
		lines[at] = strings.TrimSpace(key) + one(d, "x", ".y", "\"\\u001b[2J\"", " z") + " =" + value
	case 5: // other places
		other := d.below(len(lines))
		lines[at], lines[other] = lines[other], lines[at]
	case 6: // very many of one thing
		lines[at] += "\n" + d.many()
	case 7: // bytes that are no text
		lines[at] += string(d.bytes(1 + d.below(20)))
	case 8: // another section
		lines[at] = one(d, "[", "[[") + one(d, "loop", "body", "brain.x", "\"\"", "fault", "Loop") + one(d, "]", "]]", "")
	}
	return []byte(strings.Join(lines, "\n"))
}

// value returns a value that few keys can have.
func (d *dice) value() string {
	return one(d, "-1", "1e300", "nan", "inf", "-inf", "true", `""`, `"\u0000"`, `"\u001b[31mred"`, `"/dev/zero"`, `"../../etc/passwd"`,
		"[]", "{}", "{a={b={c=1}}}", "0x7fffffffffffffff", "99999999999999999999", "1979-05-27", "'x", "'''", `"`+strings.Repeat("x", d.below(5000))+`"`,
		"["+strings.Repeat("[", d.below(2000)), fmt.Sprint(int64(d.Uint64())), `"5ms"`, `"-5ms"`, `"1e9h"`)
}

// many returns some, or up to a hundred thousand, of one thing.
func (d *dice) many() string {
	n := d.below(one(d, 50, 2000, 100_000))
	var b strings.Builder
	format := one(d, "k%d = 1\n", "[s%d]\n", "[[t]]\nk%d = 1\n", "a.b%d = 1\n", "# %d\n", "x%d\n")
	for i := 0; i < n && b.Len() < maxText; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
