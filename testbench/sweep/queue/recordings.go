package queue

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/files"
)

// Recordings brings recordings from a sweep's object store into files, one chunk under way
// at a time. The library's own way gives the whole of a download 5 s: a link that is slower
// never gets a recording across.
type Recordings struct {
	JS    Stream
	Sweep string
	Stall time.Duration // without a chunk that got through, after which a transfer fails; 0 takes DefaultStall
}

// DefaultStall is how long a transfer waits for its next chunk.
const DefaultStall = 30 * time.Second

// chunkTries is how often within Stall a chunk is asked for. The server forgets
// what a lost connection had under way.
const chunkTries = 3

// chunkSubject is of an object in one of NATS' object stores.
func chunkSubject(bucket, object string) string { return "$O." + bucket + ".C." + object }

// Fetch brings a recording from the server into a file, which is whole or as it was. One
// that is what the server has stays.
func (s Recordings) Fetch(ctx context.Context, name, path string) error {
	info, err := s.info(ctx, name)
	if err != nil {
		return s.failed(name, err)
	}
	if is, err := holds(path, info); is || err != nil {
		return err
	}
	draft, err := files.Begin(path)
	if err != nil {
		return err
	}
	if err := s.get(ctx, info, draft); err != nil {
		return errors.Join(err, draft.Drop())
	}
	return draft.Keep()
}

// info returns what the server knows of a recording.
func (s Recordings) info(ctx context.Context, name string) (info *jetstream.ObjectInfo, err error) {
	err = s.pass(ctx, func(ctx context.Context) error {
		store, err := s.JS.ObjectStore(ctx, objectStore(s.Sweep))
		if err == nil {
			info, err = store.GetInfo(ctx, name)
		}
		return err
	})
	return info, err
}

// holds reports whether a file is what the server has.
func holds(path string, info *jetstream.ObjectInfo) (bool, error) {
	f, err := files.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return err == nil && uint64(n) == info.Size && jetstream.GetObjectDigestValue(sum) == info.Digest, err
}

// get takes a recording's chunks from the server.
func (s Recordings) get(ctx context.Context, info *jetstream.ObjectInfo, to io.Writer) error {
	subject, sum, next := chunkSubject(info.Bucket, info.NUID), sha256.New(), uint64(1)
	var stream jetstream.Stream
	err := s.pass(ctx, func(ctx context.Context) (err error) {
		stream, err = s.stream(ctx)
		return err
	})
	if err != nil {
		return s.failed(info.Name, err)
	}
	for range info.Chunks {
		var m *jetstream.RawStreamMsg
		err := s.pass(ctx, func(ctx context.Context) (err error) {
			m, err = stream.GetMsg(ctx, next, jetstream.WithGetMsgSubject(subject))
			return err
		})
		if err != nil {
			return s.failed(info.Name, err)
		}
		next = m.Sequence + 1
		sum.Write(m.Data)
		if _, err := to.Write(m.Data); err != nil {
			return err
		}
	}
	if jetstream.GetObjectDigestValue(sum) != info.Digest {
		return s.failed(info.Name, errors.New("what came is not what the worker stored: drive the sweep --afresh"))
	}
	return nil
}

// stream returns the stream behind the object store.
func (s Recordings) stream(ctx context.Context) (jetstream.Stream, error) {
	return s.JS.Stream(ctx, "OBJ_"+objectStore(s.Sweep))
}

// pass works until it succeeds, is refused, or nothing has got through for Stall.
func (s Recordings) pass(ctx context.Context, work func(ctx context.Context) error) error {
	all, cancel := context.WithTimeout(ctx, s.stall())
	defer cancel()
	for {
		one, cancel := context.WithTimeout(all, s.stall()/chunkTries)
		err := work(one)
		cancel()
		if err == nil || !passing(err) || all.Err() != nil {
			return err
		}
		if sleep(all, firstPause) != nil {
			return err
		}
	}
}

func (s Recordings) stall() time.Duration {
	if s.Stall > 0 {
		return s.Stall
	}
	return DefaultStall
}

// failed says which recording did not get through, where, and what to look at.
func (s Recordings) failed(name string, err error) error {
	server := s.JS.Conn().ConnectedAddr() // without the token that an address may have
	if server == "" {
		server = "the server, which is away"
	}
	if passing(err) {
		return fmt.Errorf("%s: no chunk got through for %v, %s: look at the link and at the server (%w)", name, s.stall(), server, err)
	}
	return fmt.Errorf("%s, %s: %w", name, server, err)
}
