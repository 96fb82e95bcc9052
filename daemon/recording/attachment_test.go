package recording_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/testbench/tier"
)

// greedy returns a file whose first attachment claims a name of 4 GB, one whose kind does, one
// whose data do, and one that hides such an attachment in a block, where none may be.
func greedy(t *testing.T) map[string][]byte {
	t.Helper()
	good := file(t, 3, nil)
	at := bytes.Index(good, []byte("setup.json"))
	with := func(at int, value uint64) []byte {
		data := bytes.Clone(good)
		binary.LittleEndian.PutUint32(data[at:], uint32(value))
		return data
	}
	kind := at + len("setup.json")
	size := kind + 4 + int(binary.LittleEndian.Uint32(good[kind:]))
	record := binary.LittleEndian.AppendUint64([]byte{9}, 64)
	record = append(record, make([]byte, 16)...)
	record = binary.LittleEndian.AppendUint32(record, 0xFFFF_FFF0)
	record = append(record, make([]byte, 44)...)
	block := make([]byte, 16) // times of no message
	block = binary.LittleEndian.AppendUint64(block, uint64(len(record)))
	block = append(block, make([]byte, 4+4)...) // no sum, not compressed
	block = binary.LittleEndian.AppendUint64(block, uint64(len(record)))
	hidden := binary.LittleEndian.AppendUint64(append(bytes.Clone(good[:8]), 6), uint64(len(block)+len(record)))
	return map[string][]byte{
		"name": with(at-4, 0xFFFF_FFF0), "kind": with(kind, 0xFFFF_FFF0), "data": with(size, 0xFFFF_FFF0),
		"hidden": append(append(hidden, block...), record...),
	}
}

// TestGreedyAttachment: what an attachment claims to be long takes no memory before the file
// has it, whoever reads.
func TestGreedyAttachment(t *testing.T) {
	const most = 64 << 20
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	for name, data := range greedy(t) {
		before := allocated()
		if _, err := recording.NewReader(bytes.NewReader(data)); !errors.Is(err, recording.ErrDamaged) && !errors.Is(err, recording.ErrForeign) && !errors.Is(err, recording.ErrCut) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := recording.FindFrozen(bytes.NewReader(data), func(uint64, time.Duration) bool { return true }); err != nil {
			t.Errorf("%s: frozen brains: %v", name, err)
		}
		w, err := recording.NewWriter(io.Discard, head())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Carry(bytes.NewReader(data)), w.Close()); err != nil {
			t.Errorf("%s: carried: %v", name, err)
		}
		if n := allocated() - before; n > most {
			t.Errorf("%s: %d MB were taken, of a file of %d kB", name, n>>20, len(data)>>10)
		}
	}
}

// TestOlderName: the saved brain of a recording that a program before 0.1.0 wrote is found.
func TestOlderName(t *testing.T) {
	const name, older = "brain.fieldbrain", "mind.fieldbrain"
	data := file(t, 3, nil)
	at := bytes.Index(data, []byte(name))
	begin := at - 4 - 8 - 8 // of the attachment's times, behind the record's length
	end := begin + int(binary.LittleEndian.Uint64(data[begin-8:]))
	record := append(binary.LittleEndian.AppendUint32(bytes.Clone(data[begin:at-4]), uint32(len(older))), older...)
	record = append(record, data[at+len(name):end-4]...)
	record = binary.LittleEndian.AppendUint32(record, crc32.ChecksumIEEE(record))
	old := binary.LittleEndian.AppendUint64(bytes.Clone(data[:begin-8]), uint64(len(record)))
	r, err := recording.NewReader(bytes.NewReader(append(append(old, record...), data[end:]...)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var tick recording.Tick
	if err := r.Next(&tick); err != nil || string(r.Head.Brain) != "mind" {
		t.Errorf("the brain is %q, %v", r.Head.Brain, err)
	}
}

// TestFlippedAttachment: no bit of the attachments can change unseen.
func TestFlippedAttachment(t *testing.T) {
	good := withFrozen(t)
	for _, name := range []string{"setup.json", "brain.fieldbrain", "frozen-1.fieldbrain.zst"} {
		at := bytes.Index(good, []byte(name))
		if at < 0 {
			t.Fatalf("no attachment %s", name)
		}
		data := bytes.Clone(good)
		data[at+len(name)+4+20+2] ^= 1 // in kind, length or data
		_, err := read(data)
		found, lost := recording.FindFrozen(bytes.NewReader(data), func(uint64, time.Duration) bool { return true })
		if name == "setup.json" && !errors.Is(err, recording.ErrDamaged) {
			t.Errorf("a damaged %s: %v", name, err)
		}
		if errors.Is(err, io.EOF) && lost == nil && found != nil {
			t.Errorf("%s: a flipped bit is not seen", name)
		}
	}
}

// TestFlippedAnywhere: wherever a bit of a file changes, whoever reads it to its end hears
// of it; but for the name of this program in its header, without which nobody knows whose
// checksums they are. So of a byte that is missing at its end, or too much there.
func TestFlippedAnywhere(t *testing.T) {
	good := withFrozen(t)
	library := []byte("; fieldbrain ")
	first := bytes.Index(good, library)
	if first < 0 {
		t.Fatal("the file does not say what wrote it")
	}
	data := bytes.Clone(good)
	step := len(good)/tier.Count(t, "flipped bits", 1200, len(good), len(good)) | 1
	for i := 0; i < len(good); i += step {
		data[i] = good[i] ^ 1<<(i%8)
		switch _, err := read(data); {
		case err == io.EOF && (i < first || i >= first+len(library)):
			t.Errorf("nobody notices bit %d of byte %d of %d", i%8, i, len(good))
		case errors.Is(err, recording.ErrCut):
			t.Errorf("bit %d of byte %d of %d, whose end is there: %v", i%8, i, len(good), err)
		}
		data[i] = good[i]
	}
	if ticks, err := read(data); ticks != 1 || err != io.EOF {
		t.Errorf("%d ticks of the file as it was, %v", ticks, err)
	}
	for missing := 1; missing <= 8; missing++ {
		if _, err := read(good[:len(good)-missing]); !errors.Is(err, recording.ErrCut) {
			t.Errorf("without its last %d bytes: %v", missing, err)
		}
	}
	if _, err := read(append(data, 0)); !errors.Is(err, recording.ErrDamaged) || !strings.Contains(err.Error(), "behind its end") {
		t.Errorf("with a byte behind its end: %v", err)
	}
}

// TestTooLongRecord: a file that has its end and a record that would be longer than the
// rest of it is damaged, and not cut short, wherever that record is. Whoever seeks an
// instant may miss nothing by it.
func TestTooLongRecord(t *testing.T) {
	const head, ticks = 1 + 8, 1500
	good := file(t, ticks, func(e *recording.Entry) { e.Input.Now = time.Duration(e.Input.Tick) * 5 * time.Millisecond })
	for at := 8; at < len(good)-8; {
		size := binary.LittleEndian.Uint64(good[at+1:])
		data := bytes.Clone(good)
		binary.LittleEndian.PutUint64(data[at+1:], size+uint64(len(good)))
		if _, err := read(data); !errors.Is(err, recording.ErrDamaged) {
			t.Errorf("the record of kind %d at byte %d of %d: %v", good[at], at, len(good), err)
		}
		r, err := recording.NewReader(bytes.NewReader(data))
		if err == nil {
			r.Skip(ticks * 4 * time.Millisecond)
			var tick recording.Tick
			for err == nil {
				err = r.Next(&tick)
			}
			r.Close()
			if err == io.EOF && tick.Input.Tick != ticks-1 {
				t.Errorf("the record of kind %d at byte %d: the last tick is %d of %d", good[at], at, tick.Input.Tick, ticks)
			}
		}
		if errors.Is(err, recording.ErrCut) {
			t.Errorf("the record of kind %d at byte %d of %d, from an instant on: %v", good[at], at, len(good), err)
		}
		at += head + int(size)
	}
}

// TestFlippedHeader: every bit of the file's first record counts, but for the name of this
// program; one whose kind changed is no header.
func TestFlippedHeader(t *testing.T) {
	good := withFrozen(t)
	const kind = 8 // behind the magic
	name, library := []byte("; fieldbrain "), good[kind+1+8:]
	library = library[:binary.LittleEndian.Uint64(good[kind+1:])]
	first := bytes.Index(good, name)
	for bit := 8 * kind; bit < 8*(kind+1+8+len(library)); bit++ {
		at, data := bit/8, bytes.Clone(good)
		data[at] ^= 1 << (bit % 8)
		_, err := read(data)
		switch {
		case err == io.EOF && (at < first || at >= first+len(name)):
			t.Errorf("nobody notices bit %d of byte %d", bit%8, at)
		case at == kind && (!errors.Is(err, recording.ErrDamaged) || !strings.Contains(err.Error(), "at byte 8: its first record is no header")):
			t.Errorf("bit %d of the header's kind: %v", bit%8, err)
		}
	}
}

// TestDamagedWhere: whoever reads a damaged file hears at which byte the block begins in
// which it is damaged.
func TestDamagedWhere(t *testing.T) {
	good := withFrozen(t)
	const chunkRecord, head = 6, 1 + 8
	at := 8
	for good[at] != chunkRecord {
		at += head + int(binary.LittleEndian.Uint64(good[at+1:]))
	}
	data := bytes.Clone(good)
	data[at+int(binary.LittleEndian.Uint64(good[at+1:]))/2] ^= 1
	if _, err := read(data); !errors.Is(err, recording.ErrDamaged) || !strings.Contains(err.Error(), fmt.Sprintf("at byte %d:", at)) {
		t.Errorf("a block at byte %d is damaged: %v", at, err)
	}
}
