package export

import (
	"errors"
	"io"

	"fieldbrain/daemon/recording"
)

// Whole writes every tick that can be read into a new file with an index, which every
// reader opens: of a file that was cut short, or of several that follow each other. The
// images of the field are not made anew; carry adds the frozen brains, from which a replay
// begins. It returns the recording's error where it is cut short, ErrMissing where ticks are
// missing in it, ErrOrder behind the tick that another drive's follows.
func Whole(w io.Writer, h *recording.Head, from Source, carry func(to *recording.Writer) error) (ticks int, err error) {
	s := &gaps{Source: from}
	out, err := recording.NewWriter(w, h)
	if err == nil {
		err = carry(out)
	}
	if err != nil {
		return 0, err
	}
	var e recording.Entry
	for {
		if err := s.Next(&e.Tick); err != nil {
			return ticks, errors.Join(s.end(err), out.Close())
		}
		if err := out.Write(&e); err != nil {
			return ticks, err
		}
		ticks++
	}
}
