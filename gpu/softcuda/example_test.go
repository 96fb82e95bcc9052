package softcuda_test

import (
	"context"
	"log"
	"os/exec"

	"fieldbrain/gpu/softcuda"
)

// A worker is built against the software driver, and run with the third launch failing.
func ExampleBuild() {
	lib, err := softcuda.Build(context.Background(), softcuda.Options{})
	if err != nil {
		log.Fatal(err)
	}
	build := exec.Command("go", "build", "-tags", "cuda", "-o", "fieldbrain-gpu", "fieldbrain/cmd/fieldbrain-gpu")
	build.Env = append(build.Environ(), lib.CgoEnv()...)
	if err := build.Run(); err != nil {
		log.Fatal(err)
	}
	worker := exec.Command("./fieldbrain-gpu")
	worker.Env = lib.Env("SOFTCUDA_FAIL_LAUNCH=3")
	if err := worker.Run(); err != nil {
		log.Print(err)
	}
}
