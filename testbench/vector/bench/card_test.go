package bench_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/bench"
)

// A board stands in for a card.
type board struct {
	host, far *vector.Fleet
	fails     error
	wrong     bool
	open      *int
}

func (b *board) Step(n int) error {
	b.far.Step(n)
	if b.wrong {
		b.far.Act(7, vector.Action{Left: 1, Right: 1, Pulse: 1400e-6})
	}
	return b.fails
}
func (b *board) Wait() error { return nil }
func (b *board) move(to, from *vector.Fleet) error {
	var s vector.Snapshot
	from.Save(&s)
	return to.Restore(&s)
}
func (b *board) Fetch() error { return b.move(b.host, b.far) }
func (b *board) Send() error  { return b.move(b.far, b.host) }
func (b *board) Close() error {
	*b.open--
	return nil
}

// boards opens fleets on boards and counts those that are open. What a fleet is made of is
// its own memory's, so the far one is a second view of it.
func boards(open *int, fails error, wrong bool) func(f *vector.Fleet) (bench.Engine, error) {
	return func(f *vector.Fleet) (bench.Engine, error) {
		*open++
		b := &board{host: f, far: f, fails: fails, open: open, wrong: wrong}
		return b, nil
	}
}

// TestCardRows: a card's rows go through JSON into the report of the processor, which
// knows their gain, and what was opened is closed.
func TestCardRows(t *testing.T) {
	open := 0
	card, err := bench.RunCard(bench.Options{Rounds: 1, Cars: []int{1, 5000}}, boards(&open, nil, false))
	if err != nil || len(card.Rows) != 4 || open != 0 {
		t.Fatalf("%v, %+v, %d open", err, card, open)
	}
	card.Card, card.Software = "a board", true
	text, err := json.Marshal(card)
	if err != nil {
		t.Fatal(err)
	}
	if card, err = bench.Decode(text); err != nil {
		t.Fatal(err)
	}
	r := &bench.Report{Blind: 1e6, Seeing: 5e5}
	r.Add(card)
	for i, row := range r.Rows {
		one := map[bool]float64{false: 1e6, true: 5e5}[row.Sensors]
		if row.ISA != bench.CUDA || row.Rate <= 0 || row.Gain != row.Rate/one || row.Sensors != (i > 1) {
			t.Errorf("row %+v", row)
		}
	}
	var said strings.Builder
	if err := r.Print(&said); err != nil || !strings.Contains(said.String(), "cuda is a board, the software driver: its times mean nothing\n") {
		t.Errorf("%v: %s", err, said.String())
	}
}

// TestCardIsWrong: a card whose cars are not the processor's is not timed.
func TestCardIsWrong(t *testing.T) {
	open := 0
	_, err := bench.RunCard(bench.Options{Rounds: 1, Cars: []int{1}}, boards(&open, nil, true))
	if err == nil || !strings.Contains(err.Error(), "do not use this card") || open != 0 {
		t.Errorf("%v, %d open", err, open)
	}
}

// TestCardFails: the error of a card ends the run and closes what is open.
func TestCardFails(t *testing.T) {
	open, broken := 0, errors.New("fell off the bus")
	_, err := bench.RunCard(bench.Options{Rounds: 1, Cars: []int{16}}, boards(&open, broken, false))
	if !errors.Is(err, broken) || open != 0 {
		t.Errorf("%v, %d open", err, open)
	}
	if _, err := bench.Decode([]byte("{")); err == nil || !strings.Contains(err.Error(), "build") {
		t.Errorf("half a report: %v", err)
	}
}
