package trials

import (
	"bytes"
	"fmt"
	"hash/crc32"
)

// seal ends an object of JSON with a sum of all that stands before it in its line.
func seal(text []byte) []byte {
	open := bytes.TrimSuffix(text, []byte("}"))
	return fmt.Appendf(open, `%s"}`, sumOf(open))
}

// sumOf returns how a sum begins, and the sum: CRC-32, which no change of up to four bytes
// in a row escapes.
func sumOf(open []byte) string { return fmt.Sprintf(`,"sum":"%08x`, crc32.ChecksumIEEE(open)) }

// unseal returns a line as it was before seal, and whether it had a sum. A sum that is not
// the line's is an error.
func unseal(line []byte) (text []byte, sealed bool, err error) {
	at := bytes.LastIndex(line, []byte(`,"sum":"`))
	if at < 0 {
		return line, false, nil
	}
	open := line[:at:at]
	if want := sumOf(open) + `"}`; string(bytes.TrimSuffix(line[at:], []byte("\n"))) != want {
		return nil, true, fmt.Errorf("the sum at its end is not the line's: something in it has changed")
	}
	return append(open, '}'), true, nil
}
