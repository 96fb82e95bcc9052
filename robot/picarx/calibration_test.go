package picarx_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/robot/picarx"
)

func TestCalibrationRoundTrip(t *testing.T) {
	c := picarx.DefaultCalibration()
	c.Steering.Offset, c.Motors.Swapped, c.Motors.Left.Reversed = -2.4, true, true
	c.Motors.Right.Backward = picarx.Gain{Gain: 1.07, DeadBand: 0.41}
	c.Floor.Cliff[2] = 201
	path := filepath.Join(t.TempDir(), "calibration.toml")
	for range 2 { // the second replaces the first
		if err := c.Save(path); err != nil {
			t.Fatal(err)
		}
	}
	got, err := picarx.LoadCalibration(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, c); diff != "" {
		t.Errorf("after save and load (-got +want):\n%s", diff)
	}
	c.Body.Track = 9
	if err := c.Save(path); err == nil {
		t.Error("an invalid calibration was saved")
	}
	if again, err := picarx.LoadCalibration(path); err != nil || again != got {
		t.Errorf("the refused save touched the file: %v", err)
	}
	if _, err := picarx.LoadCalibration(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestCalibrationComplaints(t *testing.T) {
	tests := []struct {
		name, why string
		text      string
		want      []string // in order of appearance
	}{
		{"unknown key", "a misspelt key must not be lost", "[steering]\nofset_deg = 3\n", []string{"f.toml:2:", "steering.ofset_deg", "no such key", "did you mean offset_deg?"}},
		{"unknown table", "", "\n[wheel]\nx = 1\n", []string{"f.toml:2:", "wheel", "no such section", "known: "}},
		{"wrong type", "", "[motors]\nswapped = 3\n", []string{"f.toml:2:", "motors.swapped"}},
		{"out of range", "", "[motors.left.forward]\ngain = 1\n\ndead_band = 1.5\n", []string{"f.toml:4:", "motors.left.forward.dead_band", "1.5 is outside 0..0.9"}},
		{"inline table", "", "[motors]\nleft = { forward = { gain = 9.0 } }\n", []string{"f.toml:2:", "motors.left.forward.gain", "outside"}},
		{"dotted key", "", "body.track_m = 2.0\n", []string{"f.toml:1:", "body.track_m", "outside"}},
		{"not a number", "", "[steering]\noffset_deg = nan\n", []string{"f.toml:2:", "steering.offset_deg", "NaN is outside"}},
		{"list too short", "the third sensor would keep the nominal car's value", "[floor]\n\nline_counts = [150, 2]\n", []string{"f.toml:3:", "floor.line_counts", "has 2 numbers, want 3", "write it like line_counts = ["}},
		{"list too long", "the fourth would be lost", "[floor]\ncliff_counts = [150, 150, 150, 150]\n", []string{"f.toml:2:", "floor.cliff_counts", "has 4 numbers, want 3", "write it like cliff_counts = ["}},
		{"empty list", "", "floor = { line_counts = [] }\n", []string{"f.toml:1:", "floor.line_counts", "has 0 numbers, want 3"}},
		{"short and out of range", "all are told at once, in the file's order", "[floor]\ncliff_counts = [150]\n[pan]\noffset_deg = 99\n", []string{"f.toml:2: floor.cliff_counts: has 1 numbers, want 3", "f.toml:4: pan.offset_deg"}},
		{"capitals", "it would fight with the same key in small letters", "[floor]\nline_counts = [900, 900, 900]\nLine_Counts = [800, 800, 800]\n", []string{"f.toml:3:", "floor.Line_Counts", "no such key", "did you mean line_counts?"}},
		{"capitals in a table", "", "[Steering]\noffset_deg = 1\n", []string{"f.toml:1: Steering: no such section: did you mean steering?"}},
		{"bright floor", "", "[floor]\nline_counts = [1000, 1000, 99999]\n", []string{"f.toml:2:", "floor.line_counts", "99999 is outside"}},
		{"no cliffs", "references of 0 would never see an edge", "[floor]\ncliff_counts = [0, 0, 0]\n", []string{"f.toml:2:", "floor.cliff_counts", "0 is outside 100..3400"}},
		{"bright line", "the brain needs 1.2 of it", "[floor]\nline_counts = [4000, 4000, 4000]\n", []string{"f.toml:2:", "floor.line_counts", "4000 is outside"}},
		{"syntax", "", "[steering\n", []string{"f.toml:1"}},
		{"two complaints", "all are told at once", "[pan]\noffset_deg = 99\n[tilt]\noffset_deg = -99\n", []string{"f.toml:2: pan.offset_deg", "f.toml:4: tilt.offset_deg"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := picarx.DecodeCalibration("f.toml", []byte(tt.text))
			if err == nil {
				t.Fatalf("accepted: %s", tt.why)
			}
			rest := err.Error()
			for _, w := range tt.want {
				i := strings.Index(rest, w)
				if i < 0 {
					t.Fatalf("%q does not say %q", err, w)
				}
				rest = rest[i:]
			}
			var ce *picarx.CalibrationError
			if !errors.As(err, &ce) || ce.Remedy == "" || ce.File != "f.toml" {
				t.Errorf("%#v has no file or remedy", err)
			}
		})
	}
}

func FuzzDecodeCalibration(f *testing.F) {
	c := picarx.DefaultCalibration()
	data, err := c.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("[motors]\nleft = { forward = { gain = 9.0 } }\n"))
	f.Add([]byte("[[floor]]\nline_counts = [nan, inf, 1]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := picarx.DecodeCalibration("f.toml", data)
		if err != nil {
			if !strings.Contains(err.Error(), "f.toml") {
				t.Errorf("complaint without a file: %v", err)
			}
			return
		}
		if err := c.Validate(); err != nil {
			t.Fatalf("accepted an invalid calibration: %v", err)
		}
		again, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := picarx.DecodeCalibration("again.toml", again)
		if err != nil || back != c {
			t.Fatalf("decode then encode is not the identity: %v\n%s", err, cmp.Diff(back, c))
		}
	})
}
