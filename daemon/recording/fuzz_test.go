package recording_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"fieldbrain/daemon/recording"
	"fieldbrain/testbench/tier"
)

// bare returns a file's records without blocks and their checksums, so that a changed byte
// comes to whoever reads ticks, schemas and attachments.
func bare(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := mcap.NewWriter(&b, &mcap.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	attach := func(a *mcap.AttachmentReader) error {
		return w.WriteAttachment(&mcap.Attachment{LogTime: a.LogTime, CreateTime: a.CreateTime, Name: a.Name, MediaType: a.MediaType, DataSize: a.DataSize, Data: a.Data()})
	}
	lexer, err := mcap.NewLexer(bytes.NewReader(data), &mcap.LexerOptions{AttachmentCallback: attach})
	if err != nil {
		t.Fatal(err)
	}
	defer lexer.Close()
	for {
		token, record, err := lexer.Next(nil)
		if errors.Is(err, io.EOF) || token == mcap.TokenFooter {
			break
		}
		if err == nil {
			err = again(w, token, record)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// again writes a record that was read.
func again(w *mcap.Writer, token mcap.TokenType, record []byte) error {
	switch token {
	case mcap.TokenHeader:
		h, err := mcap.ParseHeader(record)
		return errors.Join(err, w.WriteHeader(h))
	case mcap.TokenMetadata:
		m, err := mcap.ParseMetadata(record)
		return errors.Join(err, w.WriteMetadata(m))
	case mcap.TokenSchema:
		s, err := mcap.ParseSchema(record)
		return errors.Join(err, w.WriteSchema(s))
	case mcap.TokenChannel:
		c, err := mcap.ParseChannel(record)
		return errors.Join(err, w.WriteChannel(c))
	case mcap.TokenMessage:
		m, err := mcap.ParseMessage(record)
		return errors.Join(err, w.WriteMessage(m))
	}
	return nil
}

// withFrozen returns a file with a frozen brain.
func withFrozen(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := recording.NewWriter(&b, head())
	if err != nil {
		t.Fatal(err)
	}
	p, err := recording.NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	var e recording.Entry
	err = errors.Join(
		w.Write(&e),
		w.Freeze(&recording.Frozen{Tick: 1, At: time.Second, Data: p.Pack([]byte("a brain"))}),
		w.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBare: a file without blocks reads as one with them.
func TestBare(t *testing.T) {
	if ticks, err := read(bare(t, file(t, 30, nil))); ticks != 30 || err != io.EOF {
		t.Errorf("%d ticks, %v", ticks, err)
	}
	found, err := recording.FindFrozen(bytes.NewReader(bare(t, withFrozen(t))), func(uint64, time.Duration) bool { return true })
	if err != nil || found == nil || found.Tick != 1 || string(found.Data) != "a brain" {
		t.Errorf("%+v, %v", found, err)
	}
}

// FuzzRead: no file makes a reader panic, or read more than its ticks; nor does one that
// looks for frozen brains, or carries them into another file.
func FuzzRead(f *testing.F) {
	f.Add([]byte{})
	f.Add(file(f, 3, nil))
	f.Add(bare(f, file(f, 3, nil)))
	f.Add(withFrozen(f))
	f.Add(bare(f, withFrozen(f)))
	f.Fuzz(func(t *testing.T, data []byte) { endure(t, data) })
}

// endure lets everybody read a file who reads recordings.
func endure(t *testing.T, data []byte) {
	_, _ = read(data)
	_, _ = recording.FindFrozen(bytes.NewReader(data), func(uint64, time.Duration) bool { return true })
	if r, err := recording.NewReader(bytes.NewReader(data)); err == nil {
		r.Skip(time.Second)
		for tick := (recording.Tick{}); r.Next(&tick) == nil; { //nolint:revive // what counts is that it ends
		}
		r.Close()
	}
	w, err := recording.NewWriter(io.Discard, head())
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Carry(bytes.NewReader(data))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestNoise changes random bytes of good files, mostly at their beginning, where lengths and
// schemas stand, and only asks that reading ends without a panic.
func TestNoise(t *testing.T) {
	good := [][]byte{file(t, 3, nil), bare(t, file(t, 3, nil)), withFrozen(t), bare(t, withFrozen(t))}
	dice := rand.New(rand.NewSource(1))
	for range tier.Count(t, "changed files", 60, 500, 10000) {
		data := bytes.Clone(good[dice.Intn(len(good))])
		for range 1 + dice.Intn(8) {
			data[dice.Intn(1+dice.Intn(len(data)))] = byte(dice.Int())
		}
		endure(t, data)
	}
}
