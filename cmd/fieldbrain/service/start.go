package service

import (
	"fmt"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/field"
)

// noteStart keeps visible what the configuration took of the field at the start; the
// governor changes neither.
func (s *Service) noteStart() {
	s.conditions.Put(fewerPlanes(s.settings.Engine))
	card := s.car.GPU != nil && s.car.GPU.Failover.State().Primary
	s.conditions.Put(halfStorage(s.settings.Engine, card))
}

// fewerPlanes says that the field has fewer planes than it could, and whether it has.
func fewerPlanes(c config.Engine) (loop.Condition, bool) {
	return loop.Condition{
		Name:   "planes",
		Value:  fmt.Sprintf("the field has %d of %d planes along its feature axis", c.Planes, field.Side),
		Cause:  fmt.Sprintf("engine.planes = %d", c.Planes),
		Remedy: "none needed: fieldbrain bench ladder says what it loses; for the whole field, or a graphics card, write engine.planes = 32 and restart",
	}, c.Planes != field.Side
}

// halfStorage says that the graphics card keeps the field in half precision, and whether
// it does.
func halfStorage(c config.Engine, steps bool) (loop.Condition, bool) {
	return loop.Condition{
		Name:   "precision",
		Value:  "the graphics card keeps the field in half precision",
		Cause:  "engine.gpu_storage = \"fp16\"",
		Remedy: "none needed: fieldbrain bench ladder says what it loses; for the whole field write engine.gpu_storage = \"fp32\" and restart",
	}, steps && c.GPUStorage == "fp16"
}
