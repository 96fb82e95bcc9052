package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"fieldbrain/files"
)

// Suffix ends the name of every recording.
const Suffix = ".mcap"

// Limits bound what a recording takes of a disk.
type Limits struct {
	Quota   int64 // bytes of all files together; 0: no limit
	Segment int64 // bytes of one file behind its head; 0: no limit
}

// DefaultLimits returns 2 GB in files of 128 MB; docs/recording.md has what a minute takes.
func DefaultLimits() Limits { return Limits{Quota: 2 << 30, Segment: 128 << 20} }

// A Shelf is where a Recorder's files stand: in a folder, or beside one named file. It
// takes the oldest away when there are too many bytes or the disk is full; it writes over
// nothing, and takes nothing away that does not bear a name that a Shelf gives.
type Shelf struct {
	folder string
	prefix string // of every name
	stem   string // of this run's names, where they are numbered: the prefix, or one with a time
	named  bool   // one file and those behind it
	limits Limits

	begun, removed int
	newest         string
	own            map[string]int // files of this run by path: which each is, from 1
}

// dated is the time in a name, in UTC.
const dated = "20060102T150405.000Z"

// NewShelf returns the shelf for a path: a name that ends in .mcap is the first file,
// and those behind it get -2, -3 and so on; anything else is a folder, which is made. Where
// files of an earlier run bear such a name, this run's bear its time as well (see Aside).
// Where no file can be written it says why.
func NewShelf(path string, l Limits) (*Shelf, error) {
	if l.Quota > 0 {
		l.Segment = min(max(l.Segment, 1), max(l.Quota/4, 1<<16)) // at least three whole ones stay
	}
	s := &Shelf{folder: path, prefix: "drive-", limits: l, own: map[string]int{}}
	if filepath.Ext(path) == Suffix {
		s.named = true
		s.folder, s.prefix = filepath.Dir(path), strings.TrimSuffix(filepath.Base(path), Suffix)
		if s.stem = s.prefix; s.taken() {
			s.step(time.Now())
		}
		return s, files.Check(path)
	}
	if err := os.MkdirAll(path, 0o750); err != nil {
		return nil, fmt.Errorf("%w; name a folder that can be made, or a file that ends in %s", err, Suffix)
	}
	return s, files.Check(s.next(time.Now()))
}

// taken reports whether a file has a name that this run would give: a new drive between the
// files of an older one would lose the one's beginning and cut the other's end off.
func (s *Shelf) taken() bool {
	entries, err := os.ReadDir(s.folder)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		number, is := s.middle(e.Name())
		return is && numbered(number)
	})
}

// step gives the files from here on a time in their names.
func (s *Shelf) step(now time.Time) { s.stem = s.prefix + "-" + now.UTC().Format(dated) }

// Aside returns the path of the first file and true where the one that was named has been
// taken by an earlier run.
func (s *Shelf) Aside() (path string, is bool) {
	return filepath.Join(s.folder, s.stem+Suffix), s.stem != "" && s.stem != s.prefix
}

// next returns the name of the next file.
func (s *Shelf) next(now time.Time) string {
	name := s.stem
	switch {
	case !s.named:
		name = s.prefix + now.UTC().Format(dated)
	case s.begun > 0:
		name += fmt.Sprintf("-%d", s.begun+1)
	}
	return filepath.Join(s.folder, name+Suffix)
}

// begin makes room and begins another file.
func (s *Shelf) begin(h *Head, now time.Time) (*segment, error) {
	if s.limits.Quota > 0 {
		s.shrink(s.limits.Quota - s.limits.Segment - int64(len(h.Setup)+len(h.Brain)))
	}
	path := s.next(now)
	f, err := create(path)
	if s.named && errors.Is(err, os.ErrExist) {
		if err = files.Check(path); err == nil { // another's file, which has come since
			s.step(now)
			path = s.next(now)
			f, err = create(path)
		}
	}
	if err != nil {
		s.room(err)
		return nil, err
	}
	own := *h
	own.Facts = map[string]string{"segment": fmt.Sprint(s.begun + 1)}
	for k, v := range h.Facts {
		own.Facts[k] = v
	}
	if s.newest != "" {
		own.Facts["continues"] = filepath.Base(s.newest)
	}
	out, err := NewWriter(f, &own)
	if err != nil {
		return nil, s.refuse(f, err)
	}
	s.begun++
	s.newest, s.own[path] = path, s.begun
	return &segment{file: f, out: out, head: int64(out.out.Offset()), flushed: out.out.Offset()}, nil
}

// create begins a file that there was not.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o644)
}

// refuse takes a file back whose head did not come to the disk, before there is looked for
// room: it is none of the recordings that could give way.
func (s *Shelf) refuse(f *os.File, err error) error {
	_, gone := f.Close(), os.Remove(f.Name())
	s.room(err)
	return errors.Join(err, gone)
}

// A shelved file is one that the shelf may take away.
type shelved struct {
	path  string
	begun int // which file of this run, 0: another run's
	at    time.Time
	size  int64
}

// files returns the shelf's files, the oldest first, and their bytes. This run's are the
// newest, whatever time they bear: a machine without a battery for its clock may start in
// the past, and would else take away what it has just recorded.
func (s *Shelf) files() (list []shelved, total int64) {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return nil, 0
	}
	for _, e := range entries {
		if !s.owns(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(s.folder, e.Name())
		list = append(list, shelved{path, s.own[path], info.ModTime(), info.Size()})
		total += info.Size()
	}
	slices.SortFunc(list, func(a, b shelved) int { return cmp.Or(cmp.Compare(a.begun, b.begun), a.at.Compare(b.at)) })
	return list, total
}

// owns reports whether a name is one that the shelf gives, or gave in an earlier run.
func (s *Shelf) owns(name string) bool {
	middle, is := s.middle(name)
	if !is || s.named && numbered(middle) {
		return is
	}
	if s.named {
		middle, is = strings.CutPrefix(middle, "-")
	}
	at := middle[:min(len(middle), len(dated))]
	end := middle[len(at):]
	_, err := time.Parse(dated, at)
	return is && err == nil && (end == "" || s.named && numbered(end))
}

// middle returns what a name has between prefix and suffix, if it has both.
func (s *Shelf) middle(name string) (middle string, is bool) {
	middle, is = strings.CutPrefix(name, s.prefix)
	middle, suffixed := strings.CutSuffix(middle, Suffix)
	return middle, is && suffixed
}

// numbered reports whether a name ends with what follows its stem: nothing, or the number
// of a file behind the first.
func numbered(end string) bool {
	var n int
	_, err := fmt.Sscanf(end+"!", "-%d!", &n)
	return end == "" || err == nil && n > 1
}

// shrink takes the oldest files away until so many bytes are left.
func (s *Shelf) shrink(bytes int64) {
	list, total := s.files()
	for _, f := range list {
		if total <= max(bytes, 0) {
			return
		}
		if os.Remove(f.path) == nil {
			s.removed++
			total -= f.size
		}
	}
}

// room takes the oldest file away where an error says that the disk is full, but never
// the newest: what happened last is what people look for.
func (s *Shelf) room(err error) {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return
	}
	if list, _ := s.files(); len(list) > 1 && os.Remove(list[0].path) == nil {
		s.removed++
	}
}

// RaiseLimit says what a person can do where the process may not write so large a file,
// which has nothing to do with the room there is on the disk (EFBIG).
const RaiseLimit = "the limit of file size is too small: raise it (ulimit -f unlimited in the shell, LimitFSIZE=infinity in the unit), then start the daemon again"

// Remedy says what a person can do about a recording that does not go on.
func Remedy(err error) string {
	switch {
	case errors.Is(err, syscall.EFBIG):
		return RaiseLimit
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free space on the disk, or lower --record-quota; the recording goes on by itself in a new file"
	case errors.Is(err, syscall.EROFS):
		return "mount the disk writable; the recording goes on by itself in a new file"
	case errors.Is(err, fs.ErrNotExist):
		return "make the folder again, or mount its disk; the recording goes on by itself in a new file"
	case errors.Is(err, ErrGone):
		return "take recordings away after their end only (fieldbrain record stop, or the run's); the recording goes on by itself in a new file"
	case errors.Is(err, fs.ErrPermission):
		return "let the daemon's user write there; the recording goes on by itself in a new file"
	}
	return "look at the disk; the recording goes on by itself in a new file"
}
