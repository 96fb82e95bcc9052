package doctor_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbrain/daemon/doctor"
)

// TestSensorThatSleeps: doctor ends on a Jetson, whose zones of absent parts answer EAGAIN
// for ever, as a named pipe does that somebody holds open.
func TestSensorThatSleeps(t *testing.T) {
	m := jetson(t)
	zone := filepath.Join(m.Root, "sys/class/thermal/thermal_zone2")
	if err := errors.Join(os.Mkdir(zone, 0o755), syscall.Mkfifo(zone+"/temp", 0o600)); err != nil {
		t.Fatal(err)
	}
	holder, err := os.OpenFile(zone+"/temp", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	examined := make(chan []doctor.Result, 1)
	go func() { examined <- doctor.Examine(m) }()
	select {
	case results := <-examined:
		for _, r := range results {
			if r.Name == "temperature" && (r.Status != doctor.OK || !strings.Contains(r.Found, "hottest of 1 zones")) {
				t.Errorf("%+v", r)
			}
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it waits for a sensor that sleeps")
	}
}
