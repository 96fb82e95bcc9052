package daemon_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
)

// keeps returns a handler that puts the commands it carries out into a channel.
func keeps(carried chan<- string) daemon.Handler {
	return func(_ context.Context, r daemon.Request) daemon.Answer {
		carried <- r.Command
		return daemon.Answer{OK: true}
	}
}

// TestHungUpIsNotObeyed: a client whose patience ended before the daemon read its order
// was told that the order had failed. Only what stops the car is carried out after that.
func TestHungUpIsNotObeyed(t *testing.T) {
	for _, k := range []struct {
		name, lines string
		want        []string
	}{
		{"an order", `{"command":"go","order":"goal 1 0"}` + "\n" + `{"command":"estop"}` + "\n", []string{"estop"}},
		{"an order without its line's end", `{"command":"estop"}{"command":"arm"}`, []string{"estop"}},
		{"a stop behind an order on its line", `{"command":"arm"}{"command":"estop"}{"command":"reset"}` + "\n", []string{"estop"}},
		{"disarm", `{"command":"disarm"}` + "\n" + `{"command":"estop"}` + "\n", []string{"disarm", "estop"}},
		{"disarm behind an order", `{"command":"go","order":"hold"}` + "\n" + `{"command":"disarm"}` + "\n" + `{"command":"estop"}` + "\n", []string{"disarm", "estop"}},
		{"a mistake", `{"command":"arm"}rubbish` + "\n" + `{"command":"estop"}` + "\n", []string{"estop"}},
	} {
		t.Run(k.name, func(t *testing.T) {
			c := listen(t)
			conn := dial(t, c.Path()) // nobody reads what it says before it has gone
			if _, err := conn.Write([]byte(k.lines)); err != nil {
				t.Fatal(err)
			}
			if err := conn.Close(); err != nil {
				t.Fatal(err)
			}
			carried := make(chan string, 16)
			begin(t, c, keeps(carried))
			var got []string
			for !slices.Contains(got, "estop") {
				got = append(got, <-carried)
			}
			if answer, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "last"}); err != nil || !answer.OK {
				t.Fatalf("%+v, %v", answer, err)
			}
			for command := ""; command != "last"; {
				if command = <-carried; command != "last" {
					got = append(got, command)
				}
			}
			if !slices.Equal(got, k.want) {
				t.Errorf("carried out: %q, want %q", got, k.want)
			}
		})
	}
}

// TestHalfClosedIsObeyed: a client that says with the end of its words that no more come,
// as nc -N does, hears its answers, and its orders are carried out, however late.
func TestHalfClosedIsObeyed(t *testing.T) {
	for _, lines := range []string{
		`{"command":"arm"}` + "\n" + `{"command":"go","order":"hold"}` + "\n", `{"command":"arm"}{"command":"go"}`,
	} {
		c := listen(t)
		conn := dial(t, c.Path()).(*net.UnixConn)
		if _, err := conn.Write([]byte(lines)); err != nil {
			t.Fatal(err)
		}
		if err := conn.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		carried := make(chan string, 16)
		begin(t, c, keeps(carried))
		heard := 0
		for answers := bufio.NewScanner(conn); answers.Scan(); heard++ {
			if !strings.Contains(answers.Text(), `"ok":true`) {
				t.Errorf("%q: answer %s", lines, answers.Text())
			}
		}
		if first, second := <-carried, <-carried; heard != 2 || first != "arm" || second != "go" {
			t.Errorf("%q: %d answers; carried out: %s, %s", lines, heard, first, second)
		}
	}
}

// TestHungUpDoesNotDrive: the last word of a source that has gone drives no car, whether it
// is read with or without a decoder.
func TestHungUpDoesNotDrive(t *testing.T) {
	for _, word := range []string{
		`{"command":"drive","throttle":1,"steering":0}`, `{"throttle":1,"command":"drive"}`,
	} {
		heard, carried := new(said), make(chan string, 16)
		wheel := daemon.NewManualLease(heard.steer, time.Hour)
		c := listen(t)
		c.OnManualLease(wheel)
		if err := wheel.Take(1, "pad"); err != nil { // the number of the connection that comes first
			t.Fatal(err)
		}
		conn := dial(t, c.Path())
		fmt.Fprintln(conn, word)
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		begin(t, c, keeps(carried))
		heard.await(t, brain.DriverLost)
		if len(heard.words) != 2 || len(carried) != 0 {
			t.Errorf("%s: the brain heard %+v, want that the wheel was taken and lost; %d orders", word, heard.words, len(carried))
		}
	}
}
