package telemetry_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
)

// A run writes its ticks; somebody else reads them, while it lives or after its death.
func Example() {
	folder, err := os.MkdirTemp("", "telemetry")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "control.sock")
	w, err := telemetry.New(telemetry.Options{
		Page: telemetry.PagePath(socket), Ring: telemetry.RingPath(socket), Length: 10 * time.Minute,
		Identity: telemetry.Identity{Program: "example", Body: "sim", Period: 5 * time.Millisecond},
	})
	if err != nil {
		log.Fatal(err)
	}
	var tick telemetry.Tick
	for n := range 1000 { // the loop's thread
		trace := brain.Trace{Tick: uint64(n)}
		trace.Laps[brain.Step] = time.Duration(200+n%10) * time.Microsecond
		tick.SetTrace(&trace, loop.Sample{End: 250 * time.Microsecond, Warm: true})
		w.Tick(&tick, loop.Counts{Ticks: uint64(n) + 1})
	}

	page, err := telemetry.OpenPage(telemetry.PagePath(socket))
	if err != nil {
		log.Fatal(err)
	}
	defer page.Close()
	lives, _ := page.Written()
	newest, _ := page.Newest()
	all, _ := page.Histograms()
	fmt.Println("lives:", lives, "ticks:", newest.Ticks)
	fmt.Println("step p99:", all[telemetry.Step].At(99), "of", all[telemetry.Step].TotalCount())

	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	lives, _ = page.Written()
	ring, err := telemetry.OpenRing(telemetry.RingPath(socket))
	if err != nil {
		log.Fatal(err)
	}
	defer ring.Close()
	flight, _ := ring.Flight(0)
	kept := 0
	for range flight.Ticks() {
		kept++
	}
	fmt.Println("lives:", lives, "ticks in the ring:", kept, "of at most", ring.Length())
	// Output:
	// lives: true ticks: 1000
	// step p99: 209µs of 1000
	// lives: false ticks in the ring: 1000 of at most 120000
}
