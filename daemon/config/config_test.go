package config_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

func TestParseComplaints(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // beginnings of the complaint lines
	}{
		{"empty", "", nil},
		{"one key", "[loop]\nperiod = \"10ms\"\n", nil},
		{"dotted key", "loop.period = \"10ms\"\n", nil},
		{"inline table", "loop = {period = \"10ms\", cpu = 1}\n", nil},
		{"whole number where a number is wanted", "[brain]\ncruise = 0.2\n", nil},
		{"unknown key", "[loop]\n\nperoid = \"10ms\"\n", []string{
			`f.toml:3: loop.peroid: no such key of [loop] (did you mean period?)`,
		}},
		{"unknown key without a likeness", "[log]\nxyzzyxyzzy = 1\n", []string{
			`f.toml:2: log.xyzzyxyzzy: no such key of [log] (known: format, level, status)`,
		}},
		{"unknown section", "[looop]\nperiod = \"10ms\"\n", []string{`f.toml:1: looop: no such section (did you mean loop?)`}},
		{"key outside a section", "period = \"5ms\"\n", []string{`f.toml:1: period: stands outside of a section (write it below [loop] or [memory])`}},
		{"section as a value", "loop = 3\n", []string{`f.toml:1: loop: is a whole number, want a section`}},
		{"nested section", "[loop]\n[loop.cpu]\nx = 1\n", []string{`f.toml:2: loop.cpu: is a section, want a whole number`}},
		{"wrong type", "[loop]\npriority = \"high\"\n", []string{
			`f.toml:2: loop.priority: is a text, want a whole number (write it like priority = 50)`,
		}},
		{"whole number where a duration is wanted", "[loop]\nperiod = 5000000\n", []string{
			`f.toml:2: loop.period: is a whole number, want a text (write it like period = '5ms')`,
		}},
		{"whole number for a number", "[brain]\ncruise = 1\n", []string{`f.toml:2: brain.cruise: 1 is out of range`}},
		{"bad duration", "[loop]\nperiod = \"5\"\n", []string{
			`f.toml:2: loop.period: "5" is not a duration such as "5ms"`,
		}},
		{"out of range", "[loop]\nperiod = \"1ms\"\n", []string{`f.toml:2: loop.period: 1ms is out of range (choose 2.5ms .. 40ms)`}},
		{"negative period", "[loop]\nperiod = \"-5ms\"\n[body]\nkind = \"picarx\"\n", []string{`f.toml:2: loop.period: -5ms is out of range (choose 2.5ms .. 40ms)`}},
		{"numbers for sonars", "[body]\nsonars = [1, 2]\n", []string{`f.toml:2: body.sonars: holds a whole number, want a text (write it like sonars = ['front'])`}},
		{"not a number", "[brain]\ncruise = nan\n", []string{`f.toml:2: brain.cruise: NaN is out of range`}},
		{"huge number", "[loop]\ncpu = 9999999999999999999\n", []string{`f.toml:2`}},
		{"syntax", "[loop]\nperiod = = 3\n", []string{`f.toml:2`}},
		{"defined twice", "[loop]\ncpu = 1\ncpu = 2\n", []string{`f.toml:3`}},
		{"missing sonar", "[body]\nsonars = [\"rear\"]\n", []string{`f.toml:2: body.sonars: the front sonar is missing`}},
		{"hasty sonar", "[body]\nsonar_period = \"24ms\"\n", []string{`f.toml:2: body.sonar_period: 24ms is out of range (choose 25ms .. 100ms)`}},
		{"lazy sonar", "[body]\nsonar_period = \"101ms\"\n", []string{`f.toml:2: body.sonar_period: 101ms is out of range (choose 25ms .. 100ms)`}},
		{"sonar at its limits", "[body]\nsonar_period = \"100ms\"\n", nil},
		{"even median", "[body]\nsonar_period = \"1s\"\nsonar_median = 2\n", []string{
			`f.toml:2: body.sonar_period: 1s is out of range`,
			`f.toml:3: body.sonar_median: 2 is out of range (choose 1, 3 or 5)`,
		}},
		{"median with a fraction", "[body]\nsonar_median = 3.0\n", []string{`f.toml:2: body.sonar_median: is a number, want a whole number`}},
		{"median of five", "[body]\nsonar_median = 5\n", nil},
		{"median too far behind", "[body]\nsonar_period = \"61ms\"\nsonar_median = 5\n", []string{
			`f.toml:3: body.sonar_median: of 5 ranges every 61ms the median lags 122ms, too far to stop in time (choose 3, or sonar_period = "60ms" at most)`,
		}},
		{"manual at its limits", "[manual]\nspeed = 0.35\ndeadman = \"500ms\"\n", nil},
		{"a deadman that is too long", "[manual]\nspeed = nan\ndeadman = \"501ms\"\n", []string{
			`f.toml:2: manual.speed: NaN is out of range (choose 0.05 .. 0.35 m/s)`, `f.toml:3: manual.deadman: 501ms is out of range (choose 50ms .. 500ms)`,
		}},
		{"memory at its limits", "[memory]\npath = \"off\"\nperiod = \"0s\"\nkeep = 1\nrestore = false\n", nil},
		{"memory out of range", "[memory]\nperiod = \"10ms\"\nkeep = 0\n", []string{
			`f.toml:2: memory.period: 10ms is out of range (choose 1s .. 24h0m0s, or 0s for the stop only)`,
			`f.toml:3: memory.keep: 0 is out of range (choose 1 .. 100)`,
		}},
		{"true for a word", "[brain]\ncliff = true\n", []string{
			`f.toml:2: brain.cliff: is true or false, want a text (choose one of "auto", "on", "off", with the quotes)`,
		}},
		{"unknown word", "[brain]\n\ncliff = \"false\"\n", []string{
			`f.toml:3: brain.cliff: "false" is not known (choose one of auto, on, off)`,
		}},
		{"known words", "[brain]\ncliff = \"off\"\n[log]\nformat = \"json\"\n", nil},
		{"graphics card", "[engine]\nkind = \"cuda\"\ngpu_deadline = \"4ms\"\ngpu_wait = \"spin\"\ngpu_storage = \"fp16\"\ngpu_path = \"/opt/fieldbrain-gpu\"\n", nil},
		{"graphics card out of range", "[engine]\ngpu_deadline = \"50us\"\ngpu_wait = \"pray\"\ngpu_storage = \"fp8\"\n", []string{
			`f.toml:2: engine.gpu_deadline: 50µs is out of range (choose 100µs .. 10s, or 0s for half of loop.period)`,
			`f.toml:3: engine.gpu_wait: "pray" is not known (choose one of spin, yield, block)`,
			`f.toml:4: engine.gpu_storage: "fp8" is not known (choose one of fp32, fp16)`,
		}},
		{"a card the car would wait for", "[engine]\ngpu_deadline = \"6ms\"\n[body]\nkind = \"picarx\"\n", []string{
			`f.toml:2: engine.gpu_deadline: 6ms: when a card hangs, the processor must still be able to step in the same period (choose half of loop.period, 2.5ms, at most)`,
		}},
		{"another program by its folder", "[engine]\ngpu_path = \"bin/fieldbrain-gpu\"\n", []string{
			`f.toml:2: engine.gpu_path: "bin/fieldbrain-gpu" is no absolute path`,
		}},
		{"a byte that ends a path", "[body]\ncalibration = \"a\\u0000b\"\n", []string{`f.toml:2: body.calibration: holds a control character (write it without)`}},
		{"an order to a terminal", "[memory]\npath = \"/x/\\u001b[2J\"\n", []string{`f.toml:2: memory.path: holds a control character (write it without)`}},
		{"the same without a card", "[engine]\nkind = \"purego\"\ngpu_deadline = \"6ms\"\n[body]\nkind = \"picarx\"\n", nil},
		{"all at once", "[loop]\nperiod = \"1h\"\nfoo = 1\n[engine]\nkind = \"gpu\"\nthreads = true\n[body]\nhat_address = 0x17\n", []string{
			`f.toml:2: loop.period: 1h0m0s is out of range`,
			`f.toml:3: loop.foo: no such key`,
			`f.toml:5: engine.kind: "gpu" is not known (choose one of auto, cuda, avx512`,
			`f.toml:6: engine.threads: is true or false, want a whole number`,
			`f.toml:8: body.hat_address: no Robot HAT V4 answers on 23 (0x17)`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := config.Parse("f.toml", []byte(c.text))
			var lines []string
			if err != nil {
				lines = strings.Split(err.Error(), "\n")
			}
			if len(lines) != len(c.want) {
				t.Fatalf("got %d complaints, want %d:\n%v", len(lines), len(c.want), err)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("complaint %d\n got %s\nwant %s…", i, lines[i], want)
				}
			}
		})
	}
}

// TestParseIsLinear: a file of very many unknown keys, wherever they stand, is
// refused by its first twenty. It took minutes when each key was compared with all
// before it; what follows is not looked at, not even whether it parses.
func TestParseIsLinear(t *testing.T) {
	tier.Alone(t, "one goroutine reads")
	const many = 80_000
	list := func(begin, format, end string) string {
		var b strings.Builder
		b.WriteString(begin)
		for i := range many {
			fmt.Fprintf(&b, format, i)
		}
		return b.String() + end
	}
	for name, text := range map[string]string{
		"keys":                list("[loop]\n", "k%d=1\n", "= ="),
		"sections":            list("", "[s%d]\n", ""),
		"dotted":              list("", "loop.k%d=1\n", ""),
		"below one section":   list("[stray]\n", "k%d=1\n", ""),
		"inline":              list("loop={", "k%d=1,", "z=1}\n"),
		"inline, stray":       list("stray={", "k%d=1,", "z=1}\n"),
		"tables in a list":    list("stray=[", "{k%d=1},", "]\n"),
		"array of tables":     list("", "[[stray]]\nk%d=1\n", ""),
		"below a known value": list("[loop.period]\n", "k%d=1\n", ""),
	} {
		t.Run(name, func(t *testing.T) {
			if len(text) > 1<<20 {
				text = text[:1<<20]
			}
			_, err := config.Parse("f.toml", []byte(text))
			var cs config.Complaints
			if !errors.As(err, &cs) || len(cs) == 0 || len(cs) > 20 {
				t.Fatalf("%d complaints, want 1 to 20", len(cs))
			}
			if last := cs[len(cs)-1]; !strings.Contains(last.Remedy, "the check stops here") {
				t.Errorf("the last complaint is %s; want that there are more", last)
			}
		})
	}
	_, err := config.Parse("f.toml", []byte("[loop]\n"+strings.Repeat("x", 100_000)+" = 1\n"))
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("a key of 100,000 letters makes a complaint of %d", len(err.Error()))
	}
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fieldbrain.toml")
	if _, err := config.Read(path); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "config show") {
		t.Errorf("missing file: %v, want its name and what writes one", err)
	}
	if err := os.WriteFile(path, []byte("[loop]\nperiod = \"20ms\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := config.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Default()
	want.Loop.Period = config.Duration(20 * time.Millisecond)
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("got -, want +:\n%s", d)
	}
	if err := os.WriteFile(path, make([]byte, 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Read(path); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("huge file: %v", err)
	}
}

// Read refuses anything but a file of settings at once and with a remedy, as
// wrong use; it must not hang on a pipe without a writer.
func TestReadRefusesOtherFiles(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		folder:      folder + ": is a directory (name the file in it, such as " + folder + "/fieldbrain.toml)",
		pipe:        pipe + ": is not a regular file (write the settings into a file and name that)",
		"/dev/null": "/dev/null: is not a regular file (write the settings into a file and name that)",
	} {
		_, err := config.Read(path)
		var cs config.Complaints
		if !errors.As(err, &cs) || cs.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", path, err, want)
		}
	}
}

// Parse reads back exactly the configuration that Encode wrote, if it is legal.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawConfig(t)
		if err := want.Validate(); err != nil {
			t.Fatalf("drawn configuration: %v", err)
		}
		text, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := config.Parse("f.toml", text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if d := cmp.Diff(got, want); d != "" {
			t.Fatalf("got -, want +:\n%s", d)
		}
	})
}

func drawConfig(t *rapid.T) config.Config {
	pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	c := config.Default()
	c.Loop.Period = config.Duration(rapid.Int64Range(int64(field.MinPeriod), int64(field.MaxPeriod)).Draw(t, "period"))
	c.Loop.CPU = rapid.IntRange(-1, 1023).Draw(t, "cpu")
	c.Loop.Priority = rapid.IntRange(0, 98).Draw(t, "priority")
	c.Loop.LockMemory = rapid.Bool().Draw(t, "lock")
	c.Loop.WarmUp = rapid.IntRange(1, 10000).Draw(t, "warm")
	c.Engine.Kind = pick("kind", "auto", "avx512", "avx2", "sse", "neon", "purego")
	c.Engine.Step = pick("step", "collapsed", "dense")
	c.Body.Seed = rapid.Int64Range(0, math.MaxInt64).Draw(t, "seed")
	c.Body.Calibration = rapid.StringMatching(`[ -~äöü€𝕏]{0,60}`).Draw(t, "calibration")
	c.Body.HatAddress = rapid.SampledFrom([]int{0, 0x14, 0x15}).Draw(t, "address")
	c.Body.Sonars = append([]string{"front"}, rapid.SliceOfNDistinct(
		rapid.SampledFrom([]string{"left30", "right30", "rear"}), 0, 3, rapid.ID[string]).Draw(t, "sonars")...)
	c.Body.SonarPeriod = config.Duration(rapid.Int64Range(int64(25*time.Millisecond), int64(60*time.Millisecond)).Draw(t, "sonar period"))
	c.Body.SonarMedian = rapid.SampledFrom([]int{1, 3, 5}).Draw(t, "sonar median")
	c.Brain.Cruise = rapid.Float64Range(0.05, 0.35).Draw(t, "cruise")
	c.Brain.Arrival = rapid.Float64Range(0.05, 0.5).Draw(t, "arrival")
	c.Law.Blind = rapid.Float64Range(1, 60).Draw(t, "blind")
	c.Brain.Goal = rapid.Bool().Draw(t, "goal")
	c.Brain.Cliff = pick("cliff", "auto", "on", "off")
	c.Log.Status = config.Duration(rapid.Int64Range(int64(time.Second), int64(24*time.Hour)).Draw(t, "status"))
	c.Log.Level = pick("level", "trace", "debug", "info", "warn", "error")
	c.Control.Socket = rapid.StringMatching(`([ -?A-~][ -~]{0,101})?`).Draw(t, "socket")
	return c
}

// The document explains every key, and a file of all keys is itself valid.
func TestEncodeDocumentsEveryKey(t *testing.T) {
	text, err := config.Default().Encode()
	if err != nil {
		t.Fatal(err)
	}
	previous := ""
	for line := range strings.Lines(string(text)) {
		isKey := strings.Contains(line, " = ") && !strings.HasPrefix(line, "#")
		if (isKey || strings.HasPrefix(line, "[")) && !strings.HasPrefix(previous, "# ") {
			t.Errorf("no comment above %q", line)
		}
		previous = line
	}
	if _, err := config.Parse("doc", text); err != nil {
		t.Error(err)
	}
}

// 500 mutated files: none crashes, none changes a value without being legal,
// and every refusal names the file and, as a rule, the line.
func TestMutatedConfigs(t *testing.T) {
	text, err := config.Default().Encode()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	refused, withLine := 0, 0
	for i := range 500 {
		mutant := mutate(random, text)
		c, err := config.Parse("mutant.toml", mutant)
		if err == nil {
			if err := c.Validate(); err != nil {
				t.Fatalf("mutant %d was accepted but is not valid: %v\n%s", i, err, mutant)
			}
			continue
		}
		refused++
		var cs config.Complaints
		if !errors.As(err, &cs) || len(cs) == 0 {
			t.Fatalf("mutant %d: %v is not a list of complaints", i, err)
		}
		for _, c := range cs {
			if c.File != "mutant.toml" || c.Reason == "" || c.Remedy == "" {
				t.Errorf("mutant %d: complaint %+v lacks a part", i, c)
			}
			if c.Line > 0 {
				withLine++
			}
		}
	}
	if refused < 200 || withLine < refused {
		t.Errorf("%d of 500 refused, %d complaints with a line: the mutations do not bite", refused, withLine)
	}
}

// mutate changes a text in one to three places: bytes flipped, lines moved or
// dropped, values replaced.
func mutate(random *rand.Rand, text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	values := []string{"-1", "1e9", "nan", "true", "\"\"", "[]", "{}", "0x", "\"\\u0000\"", "1979-05-27", "'x", "99999999999999999999"}
	for range 1 + random.IntN(3) {
		i := random.IntN(len(lines))
		for !strings.Contains(lines[i], " = ") || strings.HasPrefix(lines[i], "#") {
			i = random.IntN(len(lines))
		}
		key, value, _ := strings.Cut(lines[i], " = ")
		switch random.IntN(5) {
		case 0:
			lines[i] = key + " = " + values[random.IntN(len(values))]
		case 1:
			b := []byte(lines[i])
			b[random.IntN(len(b))] = byte(random.IntN(256))
			lines[i] = string(b)
		case 2:
			lines[i] = lines[i] + "\n" + lines[i]
		case 3:
			lines[i] = key + "x = " + value
		case 4:
			j := random.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// Every configuration that Parse accepts is valid and survives a round trip; no
// input crashes it.
func FuzzParse(f *testing.F) {
	text, err := config.Default().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("loop = {period = \"10ms\"}\n[[body]]\n"))
	f.Add([]byte("[brain]\ncruise = inf\n[loop.cpu]\n\"a.b\" = 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := config.Parse("fuzz.toml", text)
		if err != nil {
			if err.Error() == "" {
				t.Error("a refusal without a word")
			}
			return
		}
		if err := c.Validate(); err != nil {
			t.Errorf("accepted but not valid: %v", err)
		}
		again, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := config.Parse("again.toml", again)
		if err != nil {
			t.Fatalf("%v in\n%s", err, again)
		}
		if d := cmp.Diff(back, c); d != "" {
			t.Errorf("round trip, got -, want +:\n%s", d)
		}
	})
}

func ExampleParse() {
	_, err := config.Parse("fieldbrain.toml", []byte("[loop]\nperiod = \"1ms\"\ncpus = 3\n"))
	fmt.Println(err)
	c, _ := config.Parse("fieldbrain.toml", []byte("[loop]\nperiod = \"10ms\"\n"))
	fmt.Println(time.Duration(c.Loop.Period))
	// Output:
	// fieldbrain.toml:2: loop.period: 1ms is out of range (choose 2.5ms .. 40ms)
	// fieldbrain.toml:3: loop.cpus: no such key of [loop] (did you mean cpu?)
	// 10ms
}
