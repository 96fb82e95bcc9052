package replay_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/recording"
	"fieldbrain/testbench/tier"
)

// divided writes a recording as so many files of one drive, named as a recorder names them.
func divided(t *testing.T, folder string, file []byte, parts int, ticks uint64) {
	t.Helper()
	r, err := recording.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var e recording.Entry
	for part := 1; part <= parts; part++ {
		head := r.Head
		head.Epoch = time.Hour
		head.Facts = map[string]string{"segment": fmt.Sprint(part)}
		var b bytes.Buffer
		w, err := recording.NewWriter(&b, &head)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(0); part == parts || n < ticks/uint64(parts); n++ {
			if err := r.Next(&e.Tick); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(&e); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		name := "a.mcap"
		if part > 1 {
			name = fmt.Sprintf("a-%d.mcap", part)
		}
		onDisk(t, folder, name, b.Bytes())
	}
}

// flipped returns a file with another bit in its last record, behind all ticks.
func flipped(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-8-20] ^= 1 // its first offset
	return data
}

// flippedBlock returns a file with another bit in its last block of ticks.
func flippedBlock(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const chunkRecord, head, dataEnd = 6, 1 + 8, 15
	last := 0
	for at := 8; data[at] != dataEnd; at += head + int(binary.LittleEndian.Uint64(data[at+1:])) {
		if data[at] == chunkRecord {
			last = at
		}
	}
	data[last+int(binary.LittleEndian.Uint64(data[last+1:]))/2] ^= 1
	return data
}

// TestFolder: the files of a drive that lie in a folder replay in the order in which they
// were written, whatever their names' order; with another drive's among them the error
// says so, files that are named in the wrong order are no slow disk, and one that is
// damaged where no tick is, is named behind the last of all; one whose ticks are, where they
// are missing.
func TestFolder(t *testing.T) {
	tier.Alone(t, "one goroutine reads and repeats")
	file := recordFrozen(t, "room", 2*time.Second, time.Minute)
	folder := t.TempDir()
	onDisk(t, folder, "other.txt", file)
	whole := run(t, file, replay.Options{})
	divided(t, folder, file, 11, whole.Ticks)
	if _, report := from(t, 0, folder); !report.Exact() || report.Ticks != whole.Ticks || report.Hash != whole.Hash {
		t.Errorf("%+v, want %d ticks and field %s", report, whole.Ticks, whole.Hash)
	}
	second := onDisk(t, folder, "a-2.mcap", flipped(t, filepath.Join(folder, "a-2.mcap")))
	if _, report := from(t, 0, folder); report.First != nil || report.Ticks != whole.Ticks || !strings.Contains(report.Stopped, second) {
		t.Errorf("with %s damaged behind its ticks: %+v", second, report)
	}
	onDisk(t, folder, "a-2.mcap", flippedBlock(t, second))
	if _, report := from(t, 0, folder); report.Exact() || report.Ticks == 0 || report.Ticks >= whole.Ticks ||
		!strings.Contains(report.Stopped, "are missing before tick") || !strings.Contains(report.Stopped, second+": ") || !strings.Contains(report.Stopped, "at byte") {
		t.Errorf("with a damaged block in %s: %+v", second, report)
	}
	first := filepath.Join(folder, "a.mcap")
	if _, report := from(t, 0, first, first); report.Exact() || !strings.Contains(report.Stopped, "another drive") {
		t.Errorf("the first file twice: %+v", report)
	}
	onDisk(t, folder, "b.mcap", file)
	if c, err := replay.Open(folder); err == nil || !strings.Contains(err.Error(), "more than one drive") {
		t.Errorf("two drives in a folder: %v, %v", c, err)
	}
}

// TestSetupNamesTheFile: a recording whose setup this program cannot take is named, and what
// of it.
func TestSetupNamesTheFile(t *testing.T) {
	folder := t.TempDir()
	for setup, says := range map[string]string{
		`{"Config": {"Law": {"Comfort": 0.1}}}`: "setup: law.comfort: 0.1 is out of range (choose ",
		`{"Seed": "many"}`:                      "setup: json: cannot unmarshal",
	} {
		var b bytes.Buffer
		w, err := recording.NewWriter(&b, &recording.Head{Setup: []byte(setup)})
		if err == nil {
			err = errors.Join(w.Write(new(recording.Entry)), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		path := onDisk(t, folder, "old.mcap", b.Bytes())
		c, err := replay.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := replay.Run(c, &c.Head, replay.Options{}); err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %s named, and %q", setup, err, path, says)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPowerCut: the last file of a drive, which a power cut left without a byte, with zeros
// or within its head, does not take the others with it; the drive ends there, and the replay
// says so. The same where the files are named, and where it is replayed in parts.
func TestPowerCut(t *testing.T) {
	tier.Alone(t, "one goroutine reads and repeats")
	file := recordFrozen(t, "room", time.Second, time.Minute)
	whole := run(t, file, replay.Options{})
	for name, left := range map[string][]byte{"empty": nil, "zeros": make([]byte, 4096), "head": file[:200]} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			divided(t, folder, file, 3, whole.Ticks)
			last := onDisk(t, folder, "a-4.mcap", left)
			for _, paths := range [][]string{{folder}, {filepath.Join(folder, "a.mcap"), filepath.Join(folder, "a-2.mcap"), filepath.Join(folder, "a-3.mcap"), last}} {
				_, report := from(t, 0, paths...)
				parts, err := replay.RunParts(paths, 0, replay.Options{}, 2)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range []*replay.Report{report, parts} {
					if r.First != nil || r.Ticks != whole.Ticks || r.Hash != whole.Hash || !strings.Contains(r.Stopped, "a-4.mcap") || !strings.Contains(r.Stopped, "the drive ends") {
						t.Errorf("%+v, want %d ticks, field %s and that the drive ends there", r, whole.Ticks, whole.Hash)
					}
				}
			}
			if c, err := replay.Open(last); !errors.Is(err, recording.ErrCut) || !strings.Contains(err.Error(), "a-4.mcap") {
				t.Errorf("alone: %v, %v", c, err)
			}
		})
	}
}
