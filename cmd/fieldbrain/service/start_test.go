package service

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
)

// TestStartIsTold: fewer planes, and half precision while the card steps, are conditions
// that name their key; the whole field is none.
func TestStartIsTold(t *testing.T) {
	c := config.Default().Engine
	if _, is := fewerPlanes(c); is {
		t.Error("the whole field counts as a degraded one")
	}
	if _, is := halfStorage(c, true); is {
		t.Error("fp32 counts as half precision")
	}
	c.Planes, c.GPUStorage = 8, "fp16"
	got, is := fewerPlanes(c)
	if !is || !strings.Contains(got.Value, "8 of 32 planes") || got.Cause != "engine.planes = 8" || !strings.Contains(got.Remedy, "engine.planes = 32") {
		t.Errorf("%v of %+v", is, got)
	}
	if _, is := halfStorage(c, false); is {
		t.Error("half precision while the processor steps, which has none")
	}
	if got, is := halfStorage(c, true); !is || !strings.Contains(got.Cause, "gpu_storage") {
		t.Errorf("%v of %+v", is, got)
	}
}

// TestStartIsListed: the service lists it among its conditions.
func TestStartIsListed(t *testing.T) {
	settings := config.Default()
	settings.Engine.Planes = 16
	s := &Service{settings: settings, car: &car.Car{Mind: &car.Mind{}}, conditions: loop.NewConditions(time.Now, nil)}
	s.noteStart()
	list := s.conditions.List()
	if len(list) != 1 || list[0].Name != "planes" {
		t.Errorf("%+v, want the planes alone", list)
	}
}
