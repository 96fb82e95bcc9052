package picarx_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/robot/picarx"
)

const vendorFile = `# picar-x config
picarx_dir_servo = -3.6
picarx_cam_pan_servo = 2
picarx_cam_tilt_servo = 0.4   # trailing comment

picarx_dir_motor = [1, -1]
line_reference = [900, 1000.5, 1100]
speed_of_light = 3
cliff_reference = [150, 160, 170]`

func TestImportVendor(t *testing.T) {
	want := picarx.DefaultCalibration()
	want.Steering.Offset, want.Pan.Offset, want.Tilt.Offset = -3.6, 2, 0.4
	want.Motors.Right.Reversed = true
	want.Floor.Line = [3]int{900, 1001, 1100}
	want.Floor.Cliff = [3]int{150, 160, 170} // the last line has no newline
	got, ignored, err := picarx.ImportVendor("picar-x.conf", []byte(vendorFile), picarx.DefaultCalibration())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(ignored, []string{"speed_of_light"}); diff != "" {
		t.Errorf("ignored (-got +want):\n%s", diff)
	}

	json := `{"name": "x", "steering_offset": -3.6, "camera_pan_offset": 2, "camera_tilt_offset": 0.4,
		"left_motor_reversed": false, "right_motor_reversed": true,
		"line_reference": [900, 1000.5, 1100], "cliff_reference": [150, 160, 170]}`
	got, ignored, err = picarx.ImportVendor("picar-x.json", []byte(json), picarx.DefaultCalibration())
	if diff := cmp.Diff(got, want); err != nil || diff != "" || len(ignored) != 1 {
		t.Errorf("JSON: %v, ignored %v (-got +want):\n%s", err, ignored, diff)
	}
}

func TestImportVendorRefuses(t *testing.T) {
	const none = "f: holds none of the vendor's calibration keys: name the vendor's file"
	tests := []struct {
		name, text string
		want       []string // one per complaint
	}{
		{"no equals", "picarx_dir_servo 3\n", []string{"f:1: no '='"}},
		{"no number", "\npicarx_dir_servo = left\n", []string{"f:2: picarx_dir_servo: \"left\" is not a number: correct the line"}},
		{"list for number", "picarx_dir_servo = [1, 2]\n", []string{"f:1: picarx_dir_servo: want one number"}},
		{"polarity", "picarx_dir_motor = [1, 0]\n", []string{"f:1: picarx_dir_motor: want [1 or -1"}},
		{"open list", "picarx_dir_motor = [1, 1\n", []string{"f:1: picarx_dir_motor: no closing bracket"}},
		{"short list", "cliff_reference = [1, 2]\n", []string{"f:1: cliff_reference: want three ADC counts, got 2"}},
		{"impossible count", "cliff_reference = [1, 2, 5000]\n", []string{"f:1: cliff_reference: ADC count 5000 is outside 0..4095"}},
		{"trim", "# trims\n\npicarx_dir_servo = 45\n", []string{"f:3: picarx_dir_servo: 45 is outside -20..20"}},
		{"old name's trim", "picarx_cam_servo2 = 45\n", []string{"f:1: picarx_cam_servo2: 45 is outside -20..20"}},
		{"dark count", "cliff_reference = [10, 20, 30]\nline_reference = [1, 1, 1]\n", []string{
			"f:1: cliff_reference: 10 is outside 100..3400", "f:2: line_reference: 1 is outside 100..3400",
		}},
		{"not a number", "picarx_dir_servo = NaN\n", []string{"f:1: picarx_dir_servo: NaN is outside"}},
		{"twice", "picarx_dir_servo = 1\n\npicarx_dir_servo = 1\n", []string{"f:3: picarx_dir_servo: stands twice, first in line 1: remove"}},
		{"twice, both wrong", "picarx_dir_servo = x\npicarx_dir_servo = 99\n", []string{"f:1: picarx_dir_servo: \"x\"", "f:2: picarx_dir_servo: stands twice, first in line 1"}},
		{"old and new name", "picarx_cam_servo1 = 1\npicarx_cam_pan_servo = 2\n", []string{"f:2: picarx_cam_pan_servo: sets what picarx_cam_servo1 sets in line 1"}},
		{"motor and motors", "left_motor_reversed = 1\npicarx_dir_motor = [1, 1]\n", []string{"f:2: picarx_dir_motor: sets what left_motor_reversed sets in line 1"}},
		{"both motors and motors", "right_motor_reversed = 1\nleft_motor_reversed = 1\npicarx_dir_motor = [1, 1]\n", []string{"f:3: picarx_dir_motor: sets what right_motor_reversed sets in line 1"}},
		{"motors and motor", "picarx_dir_motor = [1, 1]\nright_motor_reversed = 1\n", []string{"f:2: right_motor_reversed: sets what picarx_dir_motor sets in line 1"}},
		{"empty", "", []string{none}},
		{"only comments", "# picar-x config\n\n", []string{none}},
		{"another file", "speed_of_light = 3\n", []string{none}},
		{"json", "{\"steering_offset\": ", []string{"f:1: not JSON"}},
		{"json cut short", "{\n\"steering_offset\": 3,\n", []string{"f:3: not JSON"}},
		{"json and more", "{\"steering_offset\": 3}\n}", []string{"f:2: not JSON"}},
		{"json type", "{\n\n\"steering_offset\": \"3\"}", []string{"f:3: steering_offset: 3 is neither"}},
		{"json trim", "{\n\"steering_offset\": 45}", []string{"f:2: steering_offset: 45 is outside -20..20"}},
		{"json twice", "{\"steering_offset\": 1,\n\"steering_offset\": 2}", []string{"f:2: steering_offset: stands twice, first in line 1"}},
		{"json empty", "{}", []string{none}},
		{"json of something else", "{\"name\": \"x\"}", []string{none}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := picarx.ImportVendor("f", []byte(tt.text), picarx.DefaultCalibration())
			if err == nil {
				t.Fatal("accepted")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(tt.want) {
				t.Fatalf("%d complaints, want %d:\n%v", len(lines), len(tt.want), err)
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(lines[i], "picarx: "+want) {
					t.Errorf("got %s\nwant %s…", lines[i], want)
				}
			}
			var ce *picarx.CalibrationError
			if !errors.As(err, &ce) || ce.File != "f" || ce.Remedy == "" {
				t.Errorf("%#v has no file or remedy", err)
			}
		})
	}
	if _, _, err := picarx.LoadVendor(filepath.Join(t.TempDir(), "none"), picarx.DefaultCalibration()); err == nil {
		t.Error("a missing file was imported")
	}
}

// TestImportVendorTwiceUnknown: a key that the import leaves behind anyway may
// stand twice.
func TestImportVendorTwiceUnknown(t *testing.T) {
	_, ignored, err := picarx.ImportVendor("f", []byte("x = 1\nx = 2\nsteering_offset = 3\n"), picarx.DefaultCalibration())
	if diff := cmp.Diff(ignored, []string{"x", "x"}); err != nil || diff != "" {
		t.Errorf("%v (-got +want):\n%s", err, diff)
	}
}

func FuzzImportVendor(f *testing.F) {
	f.Add([]byte(vendorFile))
	f.Add([]byte(`{"steering_offset": 1, "line_reference": [1, 2, 3]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, _, err := picarx.ImportVendor("f", data, picarx.DefaultCalibration())
		if err == nil {
			err = c.Validate()
			if err != nil {
				t.Fatalf("imported an invalid calibration: %v", err)
			}
		}
	})
}

func ExampleImportVendor() {
	file := "picarx_dir_servo = -3.6\npicarx_dir_motor = [1, -1]"
	c, ignored, err := picarx.ImportVendor("picar-x.conf", []byte(file), picarx.DefaultCalibration())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("steering trim", c.Steering.Offset, "degrees")
	fmt.Println("right motor reversed:", c.Motors.Right.Reversed)
	fmt.Println("keys left behind:", len(ignored))
	// Output:
	// steering trim -3.6 degrees
	// right motor reversed: true
	// keys left behind: 0
}
