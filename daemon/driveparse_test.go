package daemon

import "testing"

// TestAsksDrive: what a source sends twenty times a second is read without allocating,
// and what is not quite that is left to the decoder.
func TestAsksDrive(t *testing.T) {
	for line, want := range map[string][2]float64{
		`{"command":"drive","throttle":0.5,"steering":-0.2}` + "\n":              {0.5, -0.2},
		"\t{ \"command\" : \"drive\" , \"throttle\":1e-1,\"steering\" : 0 }\r\n": {0.1, 0},
	} {
		text := []byte(line)
		if throttle, steering, is := asksDrive(text); !is || throttle != want[0] || steering != want[1] {
			t.Errorf("%q is %v, %v, %t", line, throttle, steering, is)
		}
		if n := testing.AllocsPerRun(100, func() { asksDrive(text) }); n != 0 {
			t.Errorf("%q allocates %v times", line, n)
		}
	}
	for _, line := range []string{
		``, `{`, `{"command":"drive"}`, `{"command":"status"}`, `{"command":"drive","throttle":,"steering":0}`,
		`{"command":"drive","throttle":0.5,"steering":0.1,"source":"x"}`, `{"command":"drive","throttle":0.5,"steering":0.1} {"command":"estop"}`,
		`{"command":"drive","throttle":0.50000000000000000000000000000001,"steering":0}`, `{"command":"drive","throttle":1e999,"steering":0}`,
		`{"command":"drive","throttle":"1","steering":0}`, `{"command":"drive","steering":0,"throttle":1}`,
	} {
		if _, _, is := asksDrive([]byte(line)); is {
			t.Errorf("%q is taken for a word to drive", line)
		}
	}
}
