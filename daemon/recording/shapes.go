package recording

import (
	"reflect"
	"time"

	"fieldbrain/brain"
)

// The shapes are Foxglove's schemas of the same names and numbers
// (https://docs.foxglove.dev/docs/sdk/schemas): what its viewers draw without being told.

type timestamp struct {
	Seconds int64
	Nanos   int32
}

type vector3 struct{ X, Y, Z float64 }

type quaternion struct{ X, Y, Z, W float64 }

type pose struct {
	Position    vector3
	Orientation quaternion
}

type poseInFrame struct {
	Timestamp timestamp
	FrameId   string
	Pose      pose
}

// A laserScan has one range per bearing, in equal steps; infinity where nothing was heard.
type laserScan struct {
	Timestamp   timestamp
	FrameId     string
	Pose        pose
	StartAngle  float64
	EndAngle    float64
	Ranges      []float64
	Intensities []float64
}

type rawImage struct {
	Timestamp timestamp `pb:"1"`
	FrameId   string    `pb:"7"`
	Width     uint32    `pb:"2"`
	Height    uint32    `pb:"3"`
	Encoding  string    `pb:"4"`
	Step      uint32    `pb:"5"`
	Data      []byte    `pb:"6"`
}

type logLine struct {
	Timestamp timestamp
	Level     uint32 // 1 debug, 2 info, 3 warning, 4 error, 5 fatal
	Message   string
	Name      string
	File      string
	Line      uint32
}

// wellKnown are the names under which other programs know the shapes, and what a tick is
// made of where that is not the Go type's name.
var wellKnown = map[reflect.Type]string{
	reflect.TypeFor[timestamp]():   "google.protobuf.Timestamp",
	reflect.TypeFor[vector3]():     "foxglove.Vector3",
	reflect.TypeFor[quaternion]():  "foxglove.Quaternion",
	reflect.TypeFor[pose]():        "foxglove.Pose",
	reflect.TypeFor[poseInFrame](): "foxglove.PoseInFrame",
	reflect.TypeFor[laserScan]():   "foxglove.LaserScan",
	reflect.TypeFor[rawImage]():    "foxglove.RawImage",
	reflect.TypeFor[logLine]():     "foxglove.Log",

	reflect.TypeFor[brain.TickInput]():   "fieldbrain.Heard",
	reflect.TypeFor[brain.ManualInput](): "fieldbrain.Wheel",
}

// stamp returns an instant since 1970 as the shapes have it.
func stamp(at time.Duration) timestamp {
	return timestamp{Seconds: int64(at / time.Second), Nanos: int32(at % time.Second)}
}
