package recording_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/testbench/tier"
)

// opening returns a recorder on a new shelf at a path.
func opening(t *testing.T, path string, l recording.Limits) *recording.Recorder {
	t.Helper()
	shelf, err := recording.NewShelf(path, l)
	if err != nil {
		t.Fatal(err)
	}
	return recording.NewRecorder(shelf, *head())
}

// driving returns what lets a brain tick so many times, and the recorder write each tick.
func driving(t *testing.T, r *recording.Recorder) (drive func(ticks int)) {
	t.Helper()
	tick, now := mind(t), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func(ticks int) {
		for range ticks {
			b, trace := tick()
			r.Put(b, trace)
			now = now.Add(5 * time.Millisecond)
			r.Drain(now)
		}
	}
}

// recordings lists a folder's recordings by name, and their bytes.
func recordings(t *testing.T, folder string) (paths []string, bytes int64) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"+recording.Suffix))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	return paths, bytes
}

// numbers returns the numbers of a file's ticks, and how the file ends.
func numbers(t *testing.T, path string) (list, lost []uint64, end error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := recording.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		var tick recording.Tick
		if err := r.Next(&tick); err != nil {
			return list, lost, err
		}
		list, lost = append(list, tick.Input.Tick), append(lost, tick.Lost)
	}
}

// TestRotation: files of bounded length follow each other without a gap, all together
// stay within the quota, the oldest go first, and nothing else in the folder is touched.
func TestRotation(t *testing.T) {
	tier.Alone(t, "one goroutine drains what it put")
	folder := t.TempDir()
	stranger := filepath.Join(folder, "drive-mine.mcap")
	if err := os.WriteFile(stranger, make([]byte, 300<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	limits := recording.Limits{Quota: 128 << 10, Segment: 32 << 10}
	r, tick := opening(t, folder, limits), mind(t)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const ticks = 3000
	for range ticks {
		b, trace := tick()
		r.Put(b, trace)
		now = now.Add(5 * time.Millisecond)
		r.Drain(now)
		if err := os.Chtimes(r.Status().File, now, now); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	paths, total := recordings(t, folder)
	total -= 300 << 10
	s := r.Status()
	if total > limits.Quota || s.Removed == 0 || s.Files < 5 || s.Lost != 0 || s.Ticks != ticks {
		t.Errorf("%d bytes in %d files, %+v", total, len(paths), s)
	}
	if info, err := os.Stat(s.File); err != nil || info.Size() != s.Bytes {
		t.Errorf("the newest file is said to have %d bytes: %v, %v", s.Bytes, info, err)
	}
	next := uint64(0)
	for _, path := range paths {
		if path == stranger {
			continue
		}
		list, _, end := numbers(t, path)
		if end != io.EOF || len(list) == 0 || next != 0 && list[0] != next {
			t.Errorf("%s: %d ticks, the first %v, want %d; %v", path, len(list), list[:min(len(list), 1)], next, end)
		}
		next = list[len(list)-1] + 1
	}
	if next != ticks {
		t.Errorf("the newest tick is %d, want %d", next-1, ticks-1)
	}
}

// TestResumes: a disk that takes nothing costs ticks, which are counted; when it takes
// files again, the recording goes on by itself, and the gap is as long as was counted.
func TestResumes(t *testing.T) {
	tier.Alone(t, "one goroutine drains what it put")
	folder := t.TempDir()
	path := filepath.Join(folder, "a.mcap")
	r := opening(t, path, recording.DefaultLimits())
	drive := driving(t, r)
	drive(1000)
	r.Tear()
	if err := os.Symlink("/nowhere/at/all", filepath.Join(folder, "a-2.mcap")); err != nil {
		t.Fatal(err)
	}
	drive(1000)
	if s := r.Status(); s.Error == "" || s.Lost == 0 || s.File != path || recording.Remedy(r.Err()) == "" {
		t.Fatalf("without a disk: %+v", s)
	}
	if err := os.Remove(filepath.Join(folder, "a-2.mcap")); err != nil {
		t.Fatal(err)
	}
	drive(1000)
	s := r.Status()
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := r.Refused(); err == nil || !strings.Contains(err.Error(), "a-2.mcap") {
		t.Errorf("ticks were lost because of %v", err)
	}
	if s.Error != "" || s.File != filepath.Join(folder, "a-2.mcap") || s.Lost < 900 || s.Lost > 2000 {
		t.Errorf("with a disk again: %+v", s)
	}
	before, _, end := numbers(t, path)
	if !errors.Is(end, recording.ErrCut) || len(before) == 0 {
		t.Errorf("the first file has %d ticks and ends with %v", len(before), end)
	}
	after, lost, end := numbers(t, s.File)
	if end != io.EOF || after[len(after)-1] != 2999 {
		t.Fatalf("the second file ends with %v", end)
	}
	if gap := after[0] - before[len(before)-1] - 1; gap != s.Lost || lost[0] != gap || uint64(len(before)+len(after))+gap != 3000 {
		t.Errorf("the gap has %d ticks, %d are counted and %d told; %d before, %d after", gap, s.Lost, lost[0], len(before), len(after))
	}
}

// TestGone: a file that is removed while it is written takes all its ticks with it, which are
// counted as lost, and another one begins; one that is moved loses its last block at most. So
// also at the end.
func TestGone(t *testing.T) {
	for name, away := range map[string]func(path string) error{
		"removed": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".elsewhere") },
	} {
		folder := t.TempDir()
		r := opening(t, folder, recording.DefaultLimits())
		drive := driving(t, r)
		drive(1000)
		first := r.Status().File
		if err := away(first); err != nil {
			t.Fatal(err)
		}
		drive(2000)
		s := r.Status()
		if err := r.Refused(); !errors.Is(err, recording.ErrGone) || !strings.Contains(recording.Remedy(err), "after their end") {
			t.Errorf("%s: ticks were lost because of %v", name, err)
		}
		if s.Error != "" || s.File == first || s.Lost == 0 {
			t.Fatalf("%s: %+v", name, s)
		}
		after, lost, _ := numbers(t, s.File)
		if name == "removed" && (s.Lost < 1000 || after[0] != s.Lost || lost[0] != s.Lost) {
			t.Errorf("removed: %d lost, the next file begins with tick %d and says %d", s.Lost, after[0], lost[0])
		}
		if name == "moved" {
			before, _, _ := numbers(t, first+".elsewhere")
			if gap := after[0] - before[len(before)-1] - 1; gap != s.Lost {
				t.Errorf("moved: a gap of %d ticks, %d are counted", gap, s.Lost)
			}
		}
		if err := away(s.File); err != nil {
			t.Fatal(err)
		}
		if err := r.Finish(); !errors.Is(err, recording.ErrGone) {
			t.Errorf("%s before the end: %v", name, err)
		}
	}
}

// TestRefusedAtTheEnd: what the disk refuses when a file ends is counted as lost.
func TestRefusedAtTheEnd(t *testing.T) {
	r, tick := opening(t, filepath.Join(t.TempDir(), "a.mcap"), recording.DefaultLimits()), mind(t)
	for range 50 { // no block of the file is full
		b, trace := tick()
		r.Put(b, trace)
	}
	r.Drain(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	if s := r.Status(); s.Ticks != 50 || s.Lost != 0 {
		t.Fatalf("before: %+v", s)
	}
	r.Tear()
	if err := r.Finish(); err == nil || r.Status().Ticks != 0 || r.Status().Lost != 50 {
		t.Errorf("%v, %+v; want 50 lost ticks", err, r.Status())
	}
}

// TestRoom: a full disk takes the oldest recording away, never the newest and nothing
// else; another error takes nothing.
func TestRoom(t *testing.T) {
	folder := t.TempDir()
	shelf, err := recording.NewShelf(folder, recording.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"drive-20260101T000000.000Z.mcap", "drive-20260102T000000.000Z.mcap", "drive-20260103T000000.000Z.mcap", "drive-x.mcap", "notes.txt"}
	for i, name := range names {
		path := filepath.Join(folder, name)
		at := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		if err := errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	left := func() string {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return strings.Join(list, " ")
	}
	for _, step := range []struct {
		err  error
		left []string
	}{
		{syscall.EIO, names},
		{&os.PathError{Op: "write", Err: syscall.ENOSPC}, names[1:]},
		{syscall.ENOSPC, names[2:]},
		{syscall.ENOSPC, names[2:]},
	} {
		shelf.Room(step.err)
		if got, want := left(), strings.Join(step.left, " "); got != want {
			t.Errorf("after %v there are %s, want %s", step.err, got, want)
		}
	}
}

// TestRecorderRuns: the recorder's own goroutine writes everything until it is ended, and
// ends the file.
func TestRecorderRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.mcap")
	r, tick := opening(t, path, recording.Limits{}), mind(t)
	ctx, end := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	for range 300 {
		b, trace := tick()
		r.Put(b, trace)
	}
	end()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if list, _, err := numbers(t, path); len(list) != 300 || err != io.EOF || r.Status().Ticks != 300 {
		t.Errorf("%d ticks, %v, %+v", len(list), err, r.Status())
	}
}

// TestFullHead: where the disk is full at a file's head, that file goes, and the oldest
// recording of this run, and the newest stays.
func TestFullHead(t *testing.T) {
	folder := t.TempDir()
	shelf, err := recording.NewShelf(folder, recording.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	var files [3]*os.File
	for i := range files[:2] {
		if files[i], err = shelf.Begin(head(), time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)); err != nil {
			t.Fatal(err)
		}
		defer files[i].Close()
	}
	for i, want := range []int{1, 0} {
		if files[2], err = os.Create(filepath.Join(folder, "drive-20260103T000000.000Z.mcap")); err != nil {
			t.Fatal(err)
		}
		removed, err := shelf.Refuse(files[2], syscall.ENOSPC)
		paths, _ := recordings(t, folder)
		if removed != want || err == nil || err.Error() != syscall.ENOSPC.Error() || !slices.Equal(paths, []string{files[1].Name()}) {
			t.Errorf("refused %d times: %d taken away, %v; there are %v", i+1, removed, err, paths)
		}
	}
}

// TestLostTwice: a tick that one file refused and the next one takes says once how many
// are missing before it.
func TestLostTwice(t *testing.T) {
	r, tick := opening(t, filepath.Join(t.TempDir(), "a.mcap"), recording.DefaultLimits()), mind(t)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	until := func(refused bool, pause time.Duration) {
		for n := 0; (r.Status().Error != "") != refused; n++ {
			if n == 2000 {
				t.Fatalf("after %d ticks: %+v", n, r.Status())
			}
			b, trace := tick()
			r.Put(b, trace)
			now = now.Add(pause)
			r.Drain(now)
		}
	}
	for range 2 {
		until(false, time.Minute)
		b, trace := tick()
		r.Put(b, trace)
		r.Drain(now)
		r.Tear()
		until(true, 0)
	}
	until(false, time.Minute) // the refused tick is still there
	s := r.Status()
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	list, lost, end := numbers(t, s.File)
	if end != io.EOF || s.Files != 3 || s.Lost == 0 || lost[0] != s.Lost {
		t.Errorf("%v: %+v, the last file begins with tick %d and says %d are lost", end, s, list[0], lost[0])
	}
}

// TestLargeBrain: a brain that is larger than a file of a small quota is in every file's head,
// and the files are still as long as they are to be.
func TestLargeBrain(t *testing.T) {
	limits := recording.Limits{Quota: 1 << 20, Segment: 1 << 20} // files of 256 kB
	r, tick := opening(t, t.TempDir(), limits), mind(t)
	r.Begin(make([]byte, 512<<10))
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for range 300 {
		b, trace := tick()
		r.Put(b, trace)
		now = now.Add(5 * time.Millisecond)
		r.Drain(now)
	}
	if s := r.Status(); s.Files != 1 || s.Ticks != 300 || s.Removed != 0 {
		t.Errorf("300 ticks: %+v", s)
	}
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
}
