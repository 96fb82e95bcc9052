package recording_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"fieldbrain/daemon/recording"
)

// counting counts the bytes that are read of it.
type counting struct {
	*bytes.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// TestSkip: whoever begins in the middle reads what comes there, and not what stands
// before; with and without a file that can seek, with blocks and without, of a whole file
// and of one that is cut short.
func TestSkip(t *testing.T) {
	const ticks, at = 6000, 4500
	data := file(t, ticks, func(e *recording.Entry) { e.Input.Now = time.Duration(e.Input.Tick) * 5 * time.Millisecond })
	for _, c := range []struct {
		name string
		data []byte
		end  error
	}{
		{"whole", data, io.EOF},
		{"cut", data[:len(data)*9/10], recording.ErrCut},
		{"without blocks", bare(t, data), io.EOF},
	} {
		source := &counting{Reader: bytes.NewReader(c.data)}
		for _, source := range []io.Reader{source, io.MultiReader(bytes.NewReader(c.data))} {
			r, err := recording.NewReader(source)
			if err != nil {
				t.Fatal(err)
			}
			r.Skip(at * 5 * time.Millisecond)
			next := uint64(at)
			var tick recording.Tick
			for err = r.Next(&tick); err == nil; err = r.Next(&tick) {
				if tick.Input.Tick != next {
					t.Fatalf("%s: tick %d, want %d", c.name, tick.Input.Tick, next)
				}
				next++
			}
			if !errors.Is(err, c.end) || c.end == io.EOF && next != ticks || next < at+100 {
				t.Errorf("%s: %d ticks from %d on, %v", c.name, next-at, at, err)
			}
			r.Close()
		}
		if c.name == "whole" && source.n > len(c.data)/2 {
			t.Errorf("%s: %d of %d bytes were read for a quarter of the ticks", c.name, source.n, len(c.data))
		}
	}
}
