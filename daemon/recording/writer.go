package recording

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/foxglove/mcap/go/mcap"
)

// Names in a file.
const (
	setupName    = "setup.json"       // attachment
	savedName    = "brain.fieldbrain" // attachment
	mindName     = "mind.fieldbrain"  // the same, as programs before 0.1.0 wrote it
	metadataName = "fieldbrain"       // metadata

	tickTopic = "/fieldbrain/tick"
)

// Format is the version of what a file holds besides its schemas.
const Format = "1"

// A Head says whose ticks a file holds, and what their brain began with.
type Head struct {
	Program string            // version that wrote it
	Setup   []byte            // what the brain was built with, in JSON; not this package's
	Brain   []byte            // the saved brain that it began with; none: it began fresh
	Epoch   time.Duration     // since 1970 at the body's instant 0: wall time of a real drive
	Facts   map[string]string // for people who look into the file
}

// chunkSize is how many bytes of ticks become one block of the file: about a second's.
// What a file that is cut short lacks is at most its last block.
const chunkSize = 96 << 10

// A Writer writes ticks into one MCAP file.
type Writer struct {
	out      *mcap.Writer
	epoch    time.Duration
	channels []*channel
	sequence uint32
	drawn    time.Duration // instant of the newest of the slower topics
	begun    bool
	last     gist
}

// A channel is a topic with its schema.
type channel struct {
	id   uint16
	form *message
	data []byte
}

// The topics in the order of Writer.channels.
const (
	tickChannel = iota
	poseChannel
	rangeChannel
	fieldChannel
	obstacleChannel
	logChannel
)

// topics are what a file has besides its ticks, with the type of each.
func topics() []struct {
	name string
	of   reflect.Type
} {
	return []struct {
		name string
		of   reflect.Type
	}{
		tickChannel:     {tickTopic, reflect.TypeFor[Tick]()},
		poseChannel:     {"/pose", reflect.TypeFor[poseInFrame]()},
		rangeChannel:    {"/ranges", reflect.TypeFor[laserScan]()},
		fieldChannel:    {"/field/channels", reflect.TypeFor[rawImage]()},
		obstacleChannel: {"/field/obstacles", reflect.TypeFor[rawImage]()},
		logChannel:      {"/log", reflect.TypeFor[logLine]()},
	}
}

// NewWriter begins a file.
func NewWriter(w io.Writer, h *Head) (*Writer, error) {
	out, err := mcap.NewWriter(w, &mcap.WriterOptions{
		IncludeCRC: true, Chunked: true, ChunkSize: chunkSize, Compression: mcap.CompressionZSTD,
	})
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	r := &Writer{out: out, epoch: h.Epoch}
	if err := r.begin(h); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	return r, nil
}

// begin writes everything that stands before the first tick.
func (w *Writer) begin(h *Head) error {
	if err := w.out.WriteHeader(&mcap.Header{Library: libraryOf(h.Program)}); err != nil {
		return err
	}
	facts := map[string]string{"program": h.Program, "format": Format}
	for k, v := range h.Facts {
		facts[k] = v
	}
	if err := w.out.WriteMetadata(&mcap.Metadata{Name: metadataName, Metadata: facts}); err != nil {
		return err
	}
	if err := w.attach(setupName, "application/json", h.Setup); err != nil {
		return err
	}
	if len(h.Brain) > 0 {
		if err := w.attach(savedName, "application/octet-stream", h.Brain); err != nil {
			return err
		}
	}
	for i, t := range topics() {
		form := newMessage(t.of)
		schema, err := form.schema()
		if err != nil {
			return err
		}
		id := uint16(i + 1)
		if err := w.out.WriteSchema(&mcap.Schema{ID: id, Name: fullName(t.of), Encoding: "protobuf", Data: schema}); err != nil {
			return err
		}
		if err := w.out.WriteChannel(&mcap.Channel{ID: id, SchemaID: id, Topic: t.name, MessageEncoding: "protobuf"}); err != nil {
			return err
		}
		w.channels = append(w.channels, &channel{id: id, form: form})
	}
	return nil
}

// libraryOf names what writes a file; its header has that behind the name of the library.
func libraryOf(program string) string { return "fieldbrain " + program }

// attach adds an attachment, dated with the instant 0 of the body's clock: a reader has it
// from there.
func (w *Writer) attach(name, media string, data []byte) error {
	at := uint64(w.epoch)
	return w.out.WriteAttachment(&mcap.Attachment{
		LogTime: at, CreateTime: at, Name: name, MediaType: media, DataSize: uint64(len(data)), Data: bytes.NewReader(data),
	})
}

// put adds a message of a topic.
func (w *Writer) put(topic int, at time.Duration, v any) error {
	c := w.channels[topic]
	c.data = c.form.append(c.data[:0], reflect.ValueOf(v).Elem())
	stamp := uint64(w.epoch + at)
	return w.out.WriteMessage(&mcap.Message{ChannelID: c.id, Sequence: w.sequence, LogTime: stamp, PublishTime: stamp, Data: c.data})
}

// Write adds a tick and, where it is time for them, what viewers draw.
func (w *Writer) Write(e *Entry) error {
	at := e.At()
	w.sequence = uint32(e.Input.Tick)
	if err := w.put(tickChannel, at, &e.Tick); err != nil {
		return fmt.Errorf("recording: tick %d: %w", e.Input.Tick, err)
	}
	if err := w.illustrate(e); err != nil {
		return fmt.Errorf("recording: tick %d: %w", e.Input.Tick, err)
	}
	return nil
}

// Close ends the file with its index. It does not close what it was written to.
func (w *Writer) Close() error {
	if err := w.out.Close(); err != nil {
		return fmt.Errorf("recording: end: %w", err)
	}
	return nil
}
