package softcuda

import (
	"regexp"
	"testing"
)

// A trouble is a scenario, the order for a fault, and what the client and the
// error stream say then.
type trouble struct {
	scenario, order string
	says, complains string // regular expressions
}

func (w trouble) check(t *testing.T, c client) {
	t.Run(w.scenario+" "+w.order, func(t *testing.T) {
		var env []string
		if w.order != "" {
			env = append(env, w.order)
		}
		out, complaints := c.run(t, w.scenario, env...)
		if !regexp.MustCompile(`(?s)^` + w.says + `$`).MatchString(out) {
			t.Errorf("the client says\n%s\nwant %s\ncomplaints: %s", out, w.says, complaints)
		}
		if !regexp.MustCompile(w.complains).MatchString(complaints) {
			t.Errorf("the library complains %q, want %s", complaints, w.complains)
		}
	})
}

// sound is what the four launches say when nothing is wrong.
const sound = "launch 1: CUDA_SUCCESS, CUDA_SUCCESS\nlaunch 2: CUDA_SUCCESS, CUDA_SUCCESS\n" +
	"launch 3: CUDA_SUCCESS, CUDA_SUCCESS\nlaunch 4: CUDA_SUCCESS, CUDA_SUCCESS\n" +
	"copy: CUDA_SUCCESS, sum 4\nallocate: CUDA_SUCCESS\nquery: CUDA_SUCCESS\nend\n"

func TestFaults(t *testing.T) {
	c := newClient(t, Options{})
	for _, w := range []trouble{
		{"launches", "", sound, `^$`},
		{"launches", "SOFTCUDA_NO_DEVICE=1", "cuInit: CUDA_ERROR_NO_DEVICE\n", `^$`},
		{
			"launches", "SOFTCUDA_FAIL_LAUNCH=3",
			"launch 1: CUDA_SUCCESS, CUDA_SUCCESS\nlaunch 2: CUDA_SUCCESS, CUDA_SUCCESS\n" +
				"launch 3: CUDA_SUCCESS, CUDA_ERROR_ILLEGAL_ADDRESS\ncopy: CUDA_ERROR_ILLEGAL_ADDRESS, sum -1\n" +
				"allocate: CUDA_ERROR_ILLEGAL_ADDRESS\nquery: CUDA_ERROR_ILLEGAL_ADDRESS\nend\n", `launch 3 fails`,
		},
		{"launches", "SOFTCUDA_FAIL_LAUNCH=1:702", "launch 1: CUDA_SUCCESS, CUDA_ERROR_LAUNCH_TIMEOUT\n.*", `launch 1 fails`},
		{"launches", "SOFTCUDA_SLOW_LAUNCH=2:30", sound, `^$`},
		{"launches", "SOFTCUDA_SLOW_LAUNCH=every:10", sound, `^$`},
		{"hang", "SOFTCUDA_HANG_LAUNCH=1", "event: CUDA_ERROR_NOT_READY, stream: CUDA_ERROR_NOT_READY\n", `launch 1 hangs`},
		{
			"allocations", "SOFTCUDA_OOM_AT=2",
			"allocation 1: CUDA_SUCCESS\nallocation 2: CUDA_ERROR_OUT_OF_MEMORY\nallocation 3: CUDA_SUCCESS\nend\n", `allocation 2`,
		},
		{"registration", "", "register: CUDA_SUCCESS\nend\n", `^$`},
		{"registration", "SOFTCUDA_NO_REGISTER=1", "register: CUDA_ERROR_NOT_SUPPORTED\nend\n", `^$`},
		{"answers", "", "answer 1: 10 5\nanswer 2: 20 10\nanswer 3: 30 15\nend\n", `^$`},
		{"answers", "SOFTCUDA_WRONG_RESULT=4:8:77", "answer 1: 10 5\nanswer 2: 77 10\nanswer 3: 30 15\nend\n", `^$`},
		{"answers", "SOFTCUDA_WRONG_RESULT=4+:12:77", "answer 1: 10 5\nanswer 2: 20 77\nanswer 3: 30 77\nend\n", `^$`},
		{"leak", "SOFTCUDA_LEAKS=1", "end\n", `leak: 1234 bytes`},
	} {
		w.check(t, c)
	}
}

func TestDetected(t *testing.T) {
	c := newClient(t, Options{})
	for _, w := range []trouble{
		{
			"divergent", "", "divergent: CUDA_ERROR_LAUNCH_FAILED\nend\n",
			`kernel divergent, block \(0,0,0\), thread .*: divergent barrier: of 64 threads 40 wait at __syncthreads, .* 24 have ended`,
		},
		{"mixed", "", "mixed: CUDA_ERROR_LAUNCH_FAILED\nend\n", `divergent warp: .*__shfl_sync`},
		{"beyond", "", "beyond: CUDA_ERROR_LAUNCH_FAILED\nend\n", `outside of its dynamic shared memory`},
		{"nowhere", "", "nowhere: CUDA_ERROR_ILLEGAL_ADDRESS\nend\n", `behind device memory of 256 bytes`},
	} {
		w.check(t, c)
	}
}

// TestTracked sees with the checking variant what shows in no result.
func TestTracked(t *testing.T) {
	c := newClient(t, Options{Track: true})
	c.good(t)
	const failed = ": CUDA_ERROR_LAUNCH_FAILED\nend\n"
	for _, w := range []trouble{
		{"unwritten", "", "unwritten" + failed, `thread \(7,0,0\): reads byte 28 of dynamic shared memory, which nobody wrote`},
		{"beyond", "", "beyond" + failed, `writes 4 bytes at 256 of dynamic shared memory, which has 256`},
		{"race", "", "race" + failed, `race: reads byte \d+ of dynamic shared memory, which thread \d+ wrote`},
		{"race", "SOFTCUDA_RACES=0", "race: CUDA_SUCCESS\nend\n", `^$`},
		{"nowhere", "", "nowhere" + failed, `writes 4 bytes at 0x[0-9a-f]+, where the device has no memory`},
	} {
		w.check(t, c)
	}
}
