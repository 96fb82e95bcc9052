# Builds, tests and installs fieldbrain. make alone lists the targets.

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
GO          ?= go
FUZZTIME    ?= 20s
TESTFLAGS   ?=
RUNFLAGS    ?=
DESTDIR     ?=

# Packages in which goroutines meet, and the pure computing ones. Behaviours and
# the planner's bench take too long in the emulator.
CONCURRENT := ./brain ./daemon/... ./field/cpu/... ./gpu ./robot/picarx ./testbench ./testbench/hat ./testbench/suite ./cmd/fieldbrain
COMPUTING  := ./field/... ./brain ./brain/belief/... ./brain/memory ./brain/plan \
	./testbench $(addprefix ./testbench/,hat noise picture plant scenarios suite world)

# Cross-compilation for the Jetson. Static, so that the target's libraries do
# not matter and the emulator finds everything in one file.
ARM64  := GOOS=linux GOARCH=arm64 CGO_ENABLED=1 CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++
STATIC := -tags netgo,osusergo -ldflags '-linkmode external -extldflags -static'

# Field theory, behaviour, saved drives and the comparison with the float64 reference take minutes each in
# the emulator and stay native: equal hashes carry their results over. neon
# collapsed on one thread runs for a thousand ticks in CI (.ci/run hashes).
NATIVE := Agrees|TestT([1-9]|1[0-7])[A-Z]|TestB[0-9]|Bounded|TestSkippingIsLossless|TestOneHash/purego/dense/1|TestRecallBiasesTheHeading|TestO[0-9]|TestLibraryDoesNotAllocate|TestOneHash/neon/collapsed/1|TestRestoredDrivesOn|TestS4EngineLost

# Tests of one thread that take minutes under the race detector, which has nothing
# to find in them. OneHash/purego/collapsed runs the same workers as dense.
ALONE := TestSkippingIsLossless|TestUniformDecision|TestOneHash/purego/dense

# Only what builds or tests needs Go: sudo's PATH, with which people install,
# often does not have it.
BUILDS := $(filter-out help install clean,$(or $(MAKECMDGOALS),help))

ifneq ($(BUILDS),)
ifeq ($(shell command -v $(GO)),)
$(error Go is not on the PATH: install Go 1.26 or newer from https://go.dev/dl, or name it: make GO=/usr/local/go/bin/go)
endif

# The fast engines are C++. Without a working C and C++ compiler the program is
# built in pure Go: the same field, several times slower.
hash     := \#
compiles  = $(shell echo '$(hash)include <stdlib.h>' | $(2) -x $(1) -fsyntax-only - 2>&1 || true)
ifneq ($(CGO_ENABLED),0)
ifneq ($(call compiles,c,$(shell $(GO) env CC))$(call compiles,c++,$(shell $(GO) env CXX)),)
export CGO_ENABLED := 0
NOTICE := no working C and C++ compiler (apt install g++): building the pure Go engine, the same field but slower
endif
endif
endif

.PHONY: help build run test race bench fuzz arm64 arm64-test lint kernels golden install check clean notice

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-11s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

notice:
	@$(if $(NOTICE),echo 'make: $(NOTICE)',:)

build: notice ## Build bin/fieldbrain (static when cgo is off)
	$(GO) build -trimpath -o bin/fieldbrain ./cmd/fieldbrain

run: build ## Drive the simulated car in real time, with a live view on a terminal
	bin/fieldbrain run --body sim --arm $(RUNFLAGS)

test: notice ## Run all tests (TESTFLAGS=-short leaves out the long ones)
	$(GO) test $(TESTFLAGS) ./...

race: notice ## Run the tests of everything concurrent under the race detector
	$(GO) test -race -short -skip '$(ALONE)' $(TESTFLAGS) $(CONCURRENT)

bench: build ## Measure this machine: the field's engines, then the loop's punctuality
	bin/fieldbrain bench field
	bin/fieldbrain bench latency

fuzz: notice ## Fuzz every target for FUZZTIME (20s) each
	@$(GO) test -list '^Fuzz' ./... | awk '/^Fuzz/ {t[n++] = $$1; next} {for (i = 0; i < n; i++) print $$2, t[i]; n = 0}' | \
	while read -r package target; do \
	$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package; done

arm64: ## Cross-build for a Jetson: bin/fieldbrain-arm64 and, without cgo, -arm64-purego
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 $(GO) build -trimpath -o bin/fieldbrain-arm64-purego ./cmd/fieldbrain
	$(ARM64) $(GO) build -trimpath $(STATIC) -o bin/fieldbrain-arm64 ./cmd/fieldbrain

arm64-test: ## Run the pure computing packages' tests for arm64 in an emulator
	$(ARM64) $(GO) test $(STATIC) -exec qemu-aarch64-static -skip '$(NATIVE)' $(TESTFLAGS) $(COMPUTING)

lint: notice ## Vet, staticcheck, and formatting by gofumpt
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	@unformatted=$$($(GO) tool gofumpt -l .); test -z "$$unformatted" || { echo "not formatted, run go tool gofumpt -w on: $$unformatted"; exit 1; }

kernels: ## Compile the CUDA kernels and their static report (needs nvcc 11.8 or newer)
	$(GO) run ./gpu/kernels/report

golden: notice ## Rewrite the golden files from what the program does now; review the diff
	$(GO) test $$(grep -rlE --include='*_test.go' 'flag\.Bool\("update"' . | xargs -rn1 dirname | sort -u) -update

install: bin/fieldbrain ## Install what make build built, unit, users and udev rules (sudo make install; DESTDIR)
	install -D -m 0755 bin/fieldbrain $(DESTDIR)/usr/bin/fieldbrain
	install -D -m 0644 systemd/fieldbrain.service $(DESTDIR)/etc/systemd/system/fieldbrain.service
	install -D -m 0644 systemd/fieldbrain.conf $(DESTDIR)/usr/lib/sysusers.d/fieldbrain.conf
	install -D -m 0644 systemd/70-fieldbrain.rules $(DESTDIR)/etc/udev/rules.d/70-fieldbrain.rules
	install -d -m 0755 $(DESTDIR)/etc/fieldbrain
	@if [ -e bin/fieldbrain-gpu ]; then set -x; \
	install -D -m 0755 bin/fieldbrain-gpu $(DESTDIR)/usr/bin/fieldbrain-gpu; \
	install -D -m 0644 systemd/gpu.conf $(DESTDIR)/etc/systemd/system/fieldbrain.service.d/gpu.conf; fi

# Never built from here: root would own the build's files and caches.
bin/fieldbrain:
	@echo 'make: bin/fieldbrain is not there: run make build first, without sudo' >&2; exit 1

check: lint test race ## What every commit passes: lint, test, race

clean: ## Remove what was built
	rm -rf bin out

# fieldbrain-gpu needs no CUDA toolkit: its cuda.h is gpu/softcuda/include, and
# what it is linked with has the driver's names and nothing behind them. The real
# libcuda.so.1 comes with the driver and is found at the start. Another header:
# make gpu CUDA=/usr/local/cuda (11.4 or newer; cu does not compile with 13's).
CUDA    ?=
CUDALIB := $(if $(CUDA),$(CUDA)/lib64/stubs,$(CURDIR)/bin/stub)
CUDAENV  = CGO_CFLAGS="-O2 -g -I$(or $(CUDA:%=%/include),$(CURDIR)/gpu/softcuda/include)" CGO_LDFLAGS="-O2 -g -L$(CUDALIB)$(1)"

.PHONY: gpu jetson

bin/stub/libcuda.so bin/stub-arm64/libcuda.so: gpu/softcuda/include/softcuda/functions.h
	@mkdir -p $(@D)
	sed -nE 's/^#define cu.*/&/p; s/^CUresult (cu\w+)\(.*/int \1(void) { return 999; }/p' $< | \
	$(if $(findstring arm64,$@),aarch64-linux-gnu-gcc,$(shell $(GO) env CC)) -shared -fPIC -Wl,-soname,libcuda.so.1 -x c - -o $@

gpu: $(if $(CUDA),,bin/stub/libcuda.so) ## Build bin/fieldbrain-gpu, the child that steps the field on a CUDA device
	CGO_ENABLED=1 $(call CUDAENV,) $(GO) build -trimpath -tags cuda -o bin/fieldbrain-gpu ./cmd/fieldbrain-gpu

jetson: arm64 bin/stub-arm64/libcuda.so ## Cross-build both programs for a Jetson: bin/fieldbrain-arm64, -gpu-arm64
	$(ARM64) $(call CUDAENV,-arm64) $(GO) build -trimpath -tags cuda -o bin/fieldbrain-gpu-arm64 ./cmd/fieldbrain-gpu 2> >(grep -v 'skipping incompatible' >&2)
