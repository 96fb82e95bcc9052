package service

import (
	"time"

	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/recording"
)

// Record makes the service record everything that enters its ticks, from the first one
// on. Call it after Restore and before Serve.
func (s *Service) Record(path string, l recording.Limits) error {
	shelf, err := recording.NewShelf(path, l)
	if err != nil {
		return err
	}
	head, err := s.head()
	if err != nil {
		return err
	}
	head.Brain = s.begun.brain
	head.Epoch = time.Duration(time.Now().UnixNano()) - s.clock.Now()
	s.recording.Store(recording.NewRecorder(shelf, head))
	if first, aside := shelf.Aside(); aside {
		s.log.Warn().Str("path", first).Str("named", path).Msg("every tick is recorded under a name with its time: the one that was named has the recording of an earlier run, which stays")
		return nil
	}
	s.log.Info().Str("path", path).Msg("every tick is recorded")
	return nil
}

// head says what the brain was built with.
func (s *Service) head() (recording.Head, error) {
	setup := replay.SetupOf(s.settings, &s.car.Seat, s.car.Engine, "")
	if s.settings.Body.Kind == "sim" {
		setup.World = s.settings.Body.Scenario
	}
	setup.Learned = s.begun.learned
	return setup.Head(s.version)
}

// A beginning is what the brain was restored from.
type beginning struct {
	brain   []byte // the file, nothing where the brain began fresh
	learned bool   // the predictor suited it
}

// lostFor is how long people see that ticks were lost.
const lostFor = 10 * time.Second

// noteRecording keeps visible that ticks are not recorded.
func (s *Service) noteRecording() {
	recorder := s.recording.Load()
	if recorder == nil {
		s.conditions.Put(loop.Condition{Name: "recording"}, false)
		return
	}
	r := recorder.Status()
	recent := !r.LostAt.IsZero() && time.Since(r.LostAt) < lostFor
	c := loop.Condition{Name: "recording", Value: "ticks are missing in the recording; the car drives on"}
	c.Cause, c.Remedy = "the disk takes them too slowly", "record to a faster disk, or with a longer loop.period"
	if err := recorder.Refused(); err != nil {
		c.Cause, c.Remedy = err.Error(), recording.Remedy(err)
	}
	s.conditions.Put(c, r.Error != "" || recent)
}
