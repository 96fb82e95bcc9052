package picarx_test

import (
	"errors"
	"fmt"
	"os"
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
	for _, mark := range []string{"", "\ufeff"} {
		got, err := picarx.ImportVendor("picar-x.conf", []byte(mark+vendorFile), picarx.DefaultCalibration())
		if diff := cmp.Diff(got, picarx.Import{Calibration: want, Unknown: []string{"speed_of_light"}}); err != nil || diff != "" {
			t.Errorf("after the mark %q: %v (-got +want):\n%s", mark, err, diff)
		}
	}

	json := `{"name": "x", "steering_offset": -3.6, "camera_pan_offset": 2, "camera_tilt_offset": 0.4,
		"left_motor_reversed": false, "right_motor_reversed": true,
		"line_reference": [900, 1000.5, 1100], "cliff_reference": [150, 160, 170]}`
	got, err := picarx.ImportVendor("picar-x.json", []byte(json), picarx.DefaultCalibration())
	if diff := cmp.Diff(got, picarx.Import{Calibration: want, Unknown: []string{"name"}}); err != nil || diff != "" {
		t.Errorf("JSON: %v (-got +want):\n%s", err, diff)
	}
}

// TestImportVendorNamesWhatIsMissing: every key that the vendor's tool writes and
// the file lacks is named; without the motors' directions nothing is imported.
func TestImportVendorNamesWhatIsMissing(t *testing.T) {
	for _, k := range []struct {
		text    string
		missing []string
		refused string
	}{
		{"picarx_dir_motor = [1, -1]", []string{"picarx_dir_servo", "picarx_cam_pan_servo", "picarx_cam_tilt_servo", "line_reference", "cliff_reference"}, ""},
		{"picarx_dir_motor = [1, 1]\npicarx_cam_servo1 = 1\ncliff_reference = [150, 150, 150]", []string{"picarx_dir_servo", "picarx_cam_tilt_servo", "line_reference"}, ""},
		{"left_motor_reversed = 0\nright_motor_reversed = 1", []string{"picarx_dir_servo", "picarx_cam_pan_servo", "picarx_cam_tilt_servo", "line_reference", "cliff_reference"}, ""},
		{"picarx_dir_servo = 1", []string{"picarx_cam_pan_servo", "picarx_cam_tilt_servo", "picarx_dir_motor", "line_reference", "cliff_reference"}, "picarx_dir_motor: is missing"},
		{"right_motor_reversed = 1", []string{"picarx_dir_servo", "picarx_cam_pan_servo", "picarx_cam_tilt_servo", "picarx_dir_motor", "line_reference", "cliff_reference"}, "picarx_dir_motor: is missing"},
		{`{"left_motor_reversed": true}`, []string{"steering_offset", "camera_pan_offset", "camera_tilt_offset", "right_motor_reversed", "line_reference", "cliff_reference"}, "right_motor_reversed: is missing"},
		{`{"steering_offset": 1}`, []string{"camera_pan_offset", "camera_tilt_offset", "left_motor_reversed", "right_motor_reversed", "line_reference", "cliff_reference"}, "left_motor_reversed, right_motor_reversed: is missing"},
	} {
		got, err := picarx.ImportVendor("f", []byte(k.text), picarx.DefaultCalibration())
		if diff := cmp.Diff(got.Missing, k.missing); diff != "" {
			t.Errorf("%s: missing (-got +want):\n%s", k.text, diff)
		}
		if (err != nil) != (k.refused != "") || err != nil && !strings.Contains(err.Error(), k.refused) {
			t.Errorf("%s: %v, want %q", k.text, err, k.refused)
		}
	}
}

// TestImportVendorDefaultsMotors: the remedy for a file that does not say which way the
// motors turn gives, word for word, the vendor's default, with which no motor is reversed.
func TestImportVendorDefaultsMotors(t *testing.T) {
	for text, line := range map[string]string{
		"picarx_dir_servo = 1\n%s":                                  "picarx_dir_motor = [1, 1]",
		"{\"steering_offset\": 1, %s}":                              `"left_motor_reversed": false, "right_motor_reversed": false`,
		"{\"left_motor_reversed\": false, %s}":                      `"right_motor_reversed": false`,
		"{\"steering_offset\": 1, \"right_motor_reversed\": 0, %s}": `"left_motor_reversed": false`,
	} {
		without := strings.NewReplacer(", %s", "", "%s", "").Replace(text)
		_, err := picarx.ImportVendor("f", []byte(without), picarx.DefaultCalibration())
		if err == nil || !strings.HasSuffix(err.Error(), ": "+line) {
			t.Errorf("%s: %v, want the line %s", without, err, line)
		}
		got, err := picarx.ImportVendor("f", fmt.Appendf(nil, text, line), picarx.DefaultCalibration())
		if err != nil || got.Calibration.Motors.Left.Reversed || got.Calibration.Motors.Right.Reversed {
			t.Errorf("%s with %s: %+v, %v, want no motor reversed", without, line, got.Calibration.Motors, err)
		}
	}
}

// TestLoadVendorReadsFilesOnly: a device without an end is refused at once, and a
// file of many unknown keys names the first.
func TestLoadVendorReadsFilesOnly(t *testing.T) {
	for _, path := range []string{"/dev/zero", "/dev/random", t.TempDir()} {
		if _, err := picarx.LoadVendor(path, picarx.DefaultCalibration()); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	path := filepath.Join(t.TempDir(), "f")
	for text, want := range map[string]string{
		strings.Repeat("x", 2<<20):                "larger than 1 MiB",
		"picarx_dir_motor = [1, 1]\n\x00":         "not a text file",
		strings.Repeat("picarx_dir_motor\n", 999): "no '='",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := picarx.LoadVendor(path, picarx.DefaultCalibration())
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") >= 20 {
			t.Errorf("%.20q...: %v, want %q", text, err, want)
		}
	}
	many := "picarx_dir_motor = [1, -1]\n" + strings.Repeat("unknown = 1\n", 50_000)
	got, err := picarx.ImportVendor("f", []byte(many), picarx.DefaultCalibration())
	if err != nil || len(got.Unknown) != 20 {
		t.Errorf("%v, %d unknown keys are named, want 20", err, len(got.Unknown))
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
			_, err := picarx.ImportVendor("f", []byte(tt.text), picarx.DefaultCalibration())
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
	if _, err := picarx.LoadVendor(filepath.Join(t.TempDir(), "none"), picarx.DefaultCalibration()); err == nil {
		t.Error("a missing file was imported")
	}
}

// TestImportVendorTwiceUnknown: a key that the import leaves behind anyway may
// stand twice.
func TestImportVendorTwiceUnknown(t *testing.T) {
	got, err := picarx.ImportVendor("f", []byte("x = 1\nx = 2\npicarx_dir_motor = [1, 1]\n"), picarx.DefaultCalibration())
	if diff := cmp.Diff(got.Unknown, []string{"x", "x"}); err != nil || diff != "" {
		t.Errorf("%v (-got +want):\n%s", err, diff)
	}
}

func FuzzImportVendor(f *testing.F) {
	f.Add([]byte(vendorFile))
	f.Add([]byte(`{"steering_offset": 1, "line_reference": [1, 2, 3]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := picarx.ImportVendor("f", data, picarx.DefaultCalibration())
		if err == nil {
			err = got.Calibration.Validate()
			if err != nil {
				t.Fatalf("imported an invalid calibration: %v", err)
			}
		}
	})
}

func ExampleImportVendor() {
	file := "picarx_dir_servo = -3.6\npicarx_dir_motor = [1, -1]"
	got, err := picarx.ImportVendor("picar-x.conf", []byte(file), picarx.DefaultCalibration())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("steering trim", got.Calibration.Steering.Offset, "degrees")
	fmt.Println("right motor reversed:", got.Calibration.Motors.Right.Reversed)
	fmt.Println("keys left behind:", len(got.Unknown))
	// Output:
	// steering trim -3.6 degrees
	// right motor reversed: true
	// keys left behind: 0
}
