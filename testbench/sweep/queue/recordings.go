package queue

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/files"
)

// Recordings moves recordings between files and a sweep's object store, one chunk under
// way at a time. The library's own ways put everything under way at once and give the whole
// of a download, or each chunk behind all others, 5 s: a link that is slower never gets a
// recording across. What lies in the store is NATS' format for objects all the same.
type Recordings struct {
	JS    Stream
	Sweep string
	Stall time.Duration // without a chunk that got through, after which a transfer fails; 0 takes DefaultStall
}

// DefaultStall is how long a transfer waits for its next chunk.
const DefaultStall = 30 * time.Second

const (
	// chunkSize is in bytes. Behind a chunk waits what else goes over the connection: a
	// request, which may take 5 s, and a ping, after which NATS takes the connection for dead
	// in 10 s. So 13 kB/s are enough, and at 100 ms there and back 640 kB/s are the most.
	chunkSize = 64 << 10

	// chunkTries is how often within Stall a chunk is asked for or sent. The server forgets
	// what a lost connection had under way; a chunk's name keeps it from being stored twice.
	chunkTries = 3
)

// Subjects of NATS' object stores.
func chunkSubject(bucket, object string) string { return "$O." + bucket + ".C." + object }

func metaSubject(bucket, name string) string {
	return "$O." + bucket + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
}

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

// put stores a recording as the object of a number of its own. After an error chunks of
// that object may be left, which purge removes.
func (s Recordings) put(ctx context.Context, name, object string, from io.Reader) error {
	info := jetstream.ObjectInfo{
		Bucket: objectStore(s.Sweep), NUID: object,
		ObjectMeta: jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunkSize}},
	}
	before, err := s.info(ctx, name)
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return s.failed(name, err)
	}
	chunk, sum, unique := make([]byte, chunkSize), sha256.New(), nats.NewInbox()
	for {
		n, end := io.ReadFull(from, chunk)
		if end != nil && end != io.EOF && end != io.ErrUnexpectedEOF {
			return end
		}
		if n > 0 {
			sum.Write(chunk[:n])
			m := nats.NewMsg(chunkSubject(info.Bucket, object))
			m.Data = chunk[:n]
			if err := s.publish(ctx, m, fmt.Sprint(unique, info.Chunks)); err != nil {
				return s.failed(name, err)
			}
			info.Size, info.Chunks = info.Size+uint64(n), info.Chunks+1
		}
		if end != nil {
			break
		}
	}
	info.Digest = jetstream.GetObjectDigestValue(sum)
	m := nats.NewMsg(metaSubject(info.Bucket, name))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	if m.Data, err = json.Marshal(info); err != nil {
		return err
	}
	if err := s.publish(ctx, m, unique); err != nil {
		return s.failed(name, err)
	}
	if before != nil {
		_ = s.pass(ctx, func(ctx context.Context) error { return s.purge(ctx, before.NUID) }) // nobody looks at them any more
	}
	return nil
}

// publish stores a message, however often it must be sent.
func (s Recordings) publish(ctx context.Context, m *nats.Msg, unique string) error {
	return s.pass(ctx, func(ctx context.Context) error {
		_, err := s.JS.PublishMsg(ctx, m, jetstream.WithMsgID(unique))
		return err
	})
}

// purge removes an object's chunks.
func (s Recordings) purge(ctx context.Context, object string) error {
	stream, err := s.stream(ctx)
	if err != nil {
		return err
	}
	return stream.Purge(ctx, jetstream.WithPurgeSubject(chunkSubject(objectStore(s.Sweep), object)))
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
	server := strings.Join(s.JS.Conn().Servers(), ", ") // without the token that an address may have
	if passing(err) {
		return fmt.Errorf("%s: no chunk of 64 kB got through for %v to or from %s: look at the link and at the server (%w)", name, s.stall(), server, err)
	}
	return fmt.Errorf("%s, %s: %w", name, server, err)
}
