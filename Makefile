# Builds, tests and installs fieldbrain. make alone lists the targets.

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
GO          ?= go
FUZZTIME    ?= 20s
TESTFLAGS   ?=
RUNFLAGS    ?=
SWEEPFLAGS  ?=
DESTDIR     ?=
PREFIX      ?= /usr/local

# Packages in which goroutines meet, and the pure computing ones. Behaviours and
# the planner's bench take too long in the emulator. Besides, race leaves out SINGLE,
# whose packages start no goroutine or have no tests, and arm64-test CARRIED, whose results whole
# drives carry over, bit for bit (.ci/run arm64): test-all takes them, too.
SINGLE     := /(daemon/(config|store)|cpu/(bench|native)|failover|cartest|fieldbrain/(export|ladder|manual|response))$$
CARRIED    := /(brain|brain/(ground|line|memory|plan|quality|route|stall|table)|field/(ablation|cpu/bench|exercise|failover|fieldtest)|testbench|testbench/(hat|picture|plant|scenarios|suite|vector/env|world))$$
CONCURRENT := ./daemon/... ./field/cpu/... ./field/failover ./gpu ./robot/picarx ./testbench ./testbench/hat ./testbench/suite ./testbench/vector/env ./cmd/fieldbrain/...
COMPUTING  := ./field/... ./brain ./brain/belief/... ./brain/ground ./brain/line ./brain/memory ./brain/plan ./brain/quality ./brain/rollout ./brain/rollout/native ./brain/route ./brain/stall ./brain/table \
	./testbench $(addprefix ./testbench/,hat noise picture plant scenarios suite vector vector/env world)
but         = $$($(GO) list $(2) | grep -vE '$(1)')

# Cross-compilation for the Jetson. Static, so that the target's libraries do
# not matter and the emulator finds everything in one file.
ARM64  := GOOS=linux GOARCH=arm64 CGO_ENABLED=1 CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++
STATIC := -tags netgo,osusergo -ldflags '-linkmode external -extldflags -static'

# Only what builds or tests needs Go: sudo's PATH, with which people install,
# often does not have it.
BUILDS := $(filter-out help install uninstall service-test clean,$(or $(MAKECMDGOALS),help))

# What a target needs besides Go: $(1) is a command, $(2) what installs it. It is
# asked for before any line of the recipe runs.
needs    = $(if $(shell command -v $(1)),,$(error $@ needs $(1), which is not on the PATH: $(2)))
CROSS    = $(call needs,aarch64-linux-gnu-gcc,apt install g++-aarch64-linux-gnu)$(call needs,aarch64-linux-gnu-g++,apt install g++-aarch64-linux-gnu)
EMULATOR = $(call needs,qemu-aarch64-static,apt install qemu-user-static)
NATIVECC = $(if $(COMPLAINT),$(error $@ needs a C and a C++ compiler that work: apt install g++))

ifneq ($(BUILDS),)
GOMIN  := $(shell sed -n 's/^go //p' go.mod)
GOFROM := from https://go.dev/dl and put its bin folder first on the PATH, or name it: make GO=/usr/local/go/bin/go
older   = $(filter-out $(1),$(firstword $(shell printf '%s\n' $(1) $(GOIS) | sort -V)))
ifeq ($(shell command -v $(GO)),)
$(error Go is not on the PATH: install Go $(GOMIN) or newer $(GOFROM))
endif
# Debian 12 has Go 1.19 and Ubuntu 22.04 has 1.18: their own words about go.mod
# name no remedy. Go 1.21 and newer fetches what go.mod asks for by itself, where
# GOTOOLCHAIN lets it.
GOIS := $(or $(firstword $(filter go1.%,$(shell $(GO) version 2>/dev/null))),go0)
ifneq ($(call older,go$(GOMIN)),)
ifeq ($(GOIS),go0)
$(error Go does not start, or could not fetch Go $(GOMIN), which go.mod asks for: $(shell $(GO) version 2>&1); install it $(GOFROM))
else ifneq ($(call older,go1.21),)
$(error $(GOIS) is too old, go.mod asks for Go $(GOMIN). Packages of a distribution are often that old: install a newer one beside it $(GOFROM))
endif
$(error $(GOIS) is too old, go.mod asks for Go $(GOMIN), and GOTOOLCHAIN=$(shell $(GO) env GOTOOLCHAIN) forbids to fetch it: run GOTOOLCHAIN=auto make $(MAKECMDGOALS), or install a newer one $(GOFROM))
endif

# What one target or clone has compiled serves every other: without -trimpath the
# folder's name would be part of it, and make test would compile all C++ anew after
# make build.
export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath

# The fast engines are C++. Without a working C and C++ compiler the program is
# built in pure Go: the same field, several times slower.
hash     := \#
compiles  = $(shell echo '$(hash)include <stdlib.h>' | $(2) -x $(1) -fsyntax-only - 2>&1 || true)
COMPLAINT := $(call compiles,c,$(shell $(GO) env CC))$(call compiles,c++,$(shell $(GO) env CXX))
ifneq ($(CGO_ENABLED),0)
ifneq ($(COMPLAINT),)
export CGO_ENABLED := 0
NOTICE := no working C and C++ compiler (apt install g++): building the pure Go engine, the same field but slower, and no fieldbrain-guard, without which the real car does not arm
endif
endif
endif

.PHONY: help build guard card env run test test-heavy test-all test-builds race bench fuzz arm64 arm64-test arm64-fleet lint kernels stamps neon golden foreign hour sweep-storm rename pictures screenshot webpictures install uninstall service-test check clean notice

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-11s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

notice:
	@$(if $(NOTICE),echo 'make: $(NOTICE)',:)

build: notice ## Build bin/fieldbrain (static when cgo is off), fieldbrain-nats and the guard
	@$(benchsum); set -x; $(GO) build -ldflags "-X main.benchSum=$$sum" -o bin/fieldbrain ./cmd/fieldbrain
	$(GO) build -o bin/fieldbrain-nats ./cmd/fieldbrain-nats
	@$(if $(COMPLAINT),:,$(call guardian,$(shell $(GO) env CC),bin/fieldbrain-guard))

# benchsum puts into sum what bench drive --results tells an unchanged bench by: the
# hash of the compiled code of testbench/trials and all that it imports, standard
# library included, or nothing where that cannot be told. go build prints each
# package's hash behind that of its sources.
benchsum = built=$$($(GO) list -export -deps -f '{{.ImportPath}} {{.BuildID}}' ./testbench/trials | sed 's, [^ /]*/, ,') && \
	sum=$$(sha256sum <<< "$$built" | cut -c 1-32) || sum=

# guardian compiles the guard, one C file without libraries: $(1) the compiler, $(2)
# the program. Static where the C library allows it: nothing it needs can be missing
# or be replaced under it.
guardian = g="$(1) -std=gnu11 -O2 -Wall -Wextra -o $(2) cmd/fieldbrain-guard/guard.c"; $$g -static 2>/dev/null || \
	{ echo 'make: no static C library (dnf install glibc-static): the guard is linked with the shared one' >&2; $$g; } || \
	{ echo 'make: the guard needs headers of Linux 5.10 or newer: apt install linux-libc-dev libc6-dev' >&2; exit 1; }

guard: ## Build bin/fieldbrain-guard, which stops the car when the daemon cannot
	@$(NATIVECC)mkdir -p bin
	@$(call guardian,$(shell $(GO) env CC),bin/fieldbrain-guard)

env: ## Build the environments for learners: bin/libfieldbrain_env.so, its header, bin/python
	@$(NATIVECC)mkdir -p bin/python
	$(GO) build -buildmode=c-shared -o bin/libfieldbrain_env.so ./cmd/fieldbrain-env
	@rm -rf bin/libfieldbrain_env.h bin/python/fieldbrain_env
	cp cmd/fieldbrain-env/fieldbrain_env.h bin
	cp -R testbench/vector/env/python/fieldbrain_env bin/python

run: build ## Let the simulated car explore a room in real time, under fieldbrain top on a terminal
	bin/fieldbrain run --body sim --arm --scenario explore --seed 8 $(RUNFLAGS)

# tested runs tests, without go's limit of 10 minutes, and ends with what their
# tier left out (testbench/tier). make lint vets. Under bin/left-out make test
# leaves the packages and the tests that test-heavy then runs. Many tests wait for
# a daemon that keeps real time: one package more than processors fills the gaps.
# Processes this short need not collect at twice the heap: a tenth of their time.
tested = GOGC=$${GOGC:-400} $(GO) test -json -vet=off -timeout 180m -p $$(($$(nproc) + 1)) $(TESTFLAGS) $(1) | $(GO) run ./testbench/tier/report $(REPORTFLAGS)
LEFT  := bin/left-out

# The package whose tests wait longest is started first.
# SERVERS compile a NATS server, for half a minute: make test leaves them whole.
SERVERS   := ./testbench/sweep/queue ./testbench/sweep/server ./cmd/fieldbrain-nats
PACKAGES  ?= ./cmd/fieldbrain $$($(GO) list ./... | grep -vE '/(sweep/(queue|server)|fieldbrain-nats)$$')

test: notice ## Run the tests, in about 4 minutes, and list what they leave out
	@mkdir -p bin
	$(call tested,$(PACKAGES)) -left $(LEFT) -without "$(SERVERS)" -why "heavy: they compile a NATS server"

test-heavy: notice ## Run what make test left out, as .ci/run does; before make test: everything
	FIELDBRAIN_TIER=heavy $(call tested,$$(cat $(LEFT) 2>/dev/null || echo ./...))
	test ! -e $(LEFT) || FIELDBRAIN_TIER=heavy $(call tested,$(SERVERS))

test-all: notice ## Run every test in full length, and in every other build, in about three quarters of an hour
	@echo 'every test in full length: 51 minutes of processor time where it was timed, about half an hour on two cores that do nothing else, and half as much for the other builds; make test takes minutes'
	FIELDBRAIN_TIER=all $(call tested,./...) -dearest 20
	@$(MAKE) --no-print-directory test-builds

test-builds: notice ## Run the tests of the other builds: race detector, without C, arm64 in an emulator (a part of test-all)
	$(if $(filter 0,$(CGO_ENABLED)),@echo 'left out without a C compiler: the race detector; this build was the one without C',\
	$(MAKE) race SINGLE=none && $(MAKE) gpu && $(MAKE) build CGO_ENABLED=0 && $(MAKE) test CGO_ENABLED=0 LEFT=bin/left-out-purego && $(MAKE) build)
	$(if $(and $(shell command -v aarch64-linux-gnu-g++),$(shell command -v qemu-aarch64-static)),$(MAKE) arm64-test CARRIED=none,\
	@echo 'left out: arm64 in an emulator: apt install g++-aarch64-linux-gnu qemu-user-static')

# What finds races names lines without DWARF: a tenth of the compiling.
race: notice ## Run the tests of everything concurrent under the race detector
	@$(NATIVECC)
	$(call tested,-race -gcflags=all=-dwarf=false $(call but,$(SINGLE),$(CONCURRENT)))

bench: build ## Measure this machine: the field's engines, then the loop's punctuality
	bin/fieldbrain bench field
	bin/fieldbrain bench latency

fuzz: notice ## Hostile files, settings and sockets with counts, then fuzz every target for FUZZTIME (20s) each
	FIELDBRAIN_TIER=all $(GO) test -count=1 -v ./testbench/hostile
	@$(GO) test -list '^Fuzz' ./... | awk '/^Fuzz/ {t[n++] = $$1; next} {for (i = 0; i < n; i++) print $$2, t[i]; n = 0}' | \
	while read -r package target; do \
	$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$package; done

arm64: ## Cross-build for a Jetson: bin/fieldbrain-arm64, without cgo -arm64-purego, and the guard
	@$(CROSS)
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o bin/fieldbrain-arm64-purego ./cmd/fieldbrain
	$(ARM64) $(GO) build $(STATIC) -o bin/fieldbrain-arm64 ./cmd/fieldbrain
	@$(call guardian,aarch64-linux-gnu-gcc,bin/fieldbrain-guard-arm64)

# The library is shared by its nature: the target's own C library serves it (glibc 2.34
# or newer with Debian 12's compiler; JetPack 6 has 2.35).
# The server has no C in it.
arm64-fleet: ## Cross-build for arm64 what sweeps and learners need: bin/fieldbrain-nats-arm64, bin/env-arm64
	@$(CROSS)rm -rf bin/env-arm64 && mkdir -p bin/env-arm64/python
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o bin/fieldbrain-nats-arm64 ./cmd/fieldbrain-nats
	$(ARM64) $(GO) build -buildmode=c-shared -o bin/env-arm64/libfieldbrain_env.so ./cmd/fieldbrain-env
	@rm -f bin/env-arm64/libfieldbrain_env.h
	cp cmd/fieldbrain-env/fieldbrain_env.h bin/env-arm64
	cp -R testbench/vector/env/python/fieldbrain_env bin/env-arm64/python

arm64-test: ## Run the pure computing packages' tests for arm64 in an emulator
	@$(CROSS)$(EMULATOR)
	$(ARM64) FIELDBRAIN_EMULATOR=qemu-aarch64-static $(call tested,$(STATIC) -exec qemu-aarch64-static $(call but,$(CARRIED),$(COMPUTING)))

lint: notice ## Vet, staticcheck, and formatting by gofumpt
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	@unformatted=$$($(GO) tool gofumpt -l .); test -z "$$unformatted" || { echo "not formatted, run go tool gofumpt -w on: $$unformatted"; exit 1; }

kernels: ## Compile the CUDA kernels and their static report (needs nvcc 11.8 or newer)
	@$(call needs,nvcc,install the CUDA toolkit 11.8 or newer; Debian: apt install nvidia-cuda-toolkit (non-free))
	$(GO) run ./gpu/kernels/report

STAMPED ?= 75 86 87 89 90
stamps: ## Compile kernels that note what each block does: bin/stamps.fatbin, for fieldbrain-gpu --timeline (needs nvcc)
	@$(call needs,nvcc,install the CUDA toolkit 11.8 or newer; Debian: apt install nvidia-cuda-toolkit (non-free))mkdir -p bin
	cd gpu/kernels && nvcc -std=c++17 -O3 --fmad=false -DFIELDBRAIN_STAMPS -fatbin $(foreach n,$(STAMPED),-gencode arch=compute_$(n),code=sm_$(n)) -o ../../bin/stamps.fatbin fieldbrain.cu

neon: ## Judge the NEON engine by llvm-mca: docs/neon.md (needs the compiler for arm64 and llvm-19)
	@$(CROSS)$(if $(shell command -v llvm-mca-19),,$(call needs,llvm-mca,apt install llvm-19))
	$(GO) run ./field/cpu/model/report

golden: notice ## Rewrite the golden files from what the program does now; review the diff
	$(GO) test $$(grep -rlE --include='*_test.go' 'flag\.Bool\("update"' . | xargs -rn1 dirname | sort -u) -update

pictures: build ## Make the pictures of README and concept page anew, from real runs
	bin/fieldbrain sim --scenario goal --seed 12 --animation docs/pictures/drive.gif
	mkdir -p out && bin/fieldbrain sim --seconds 60 --record out/drive.mcap
	bin/fieldbrain export out/drive.mcap --png docs/pictures/recording.png
	$(GO) run ./testbench/figures/draw docs/pictures
	$(GO) run ./testbench/family/draw docs/pictures/families.png

screenshot: build ## Make the pictures of fieldbrain top anew, from a run of three quarters of a minute
	mkdir -p out && rm -rf out/top.*
	bin/fieldbrain run --body sim --arm --scenario explore --seed 8 --seconds 45 --view off --socket out/top.sock 2>out/top.log & \
	sleep 28 && bin/fieldbrain top --once --page out/top.page --picture docs/pictures/top.svg && \
	bin/fieldbrain top --once --page out/top.page --picture docs/pictures/top-moving.svg --film 12; wait

webpictures: notice ## Make the pictures of the page anew, from a real run in a real browser (needs chromium and chromedriver)
	@$(call needs,chromedriver,apt install chromium chromium-driver)
	FIELDBRAIN_PICTURES=$(CURDIR)/docs/pictures FIELDBRAIN_TIER=heavy $(GO) test -count=1 -vet=off -run 'TestBrowser$$' -v ./cmd/fieldbrain

foreign: build ## Let Foxglove's own reader read a recording of ours (needs node and npm)
	@$(call needs,npm,install Node.js 20 or newer with npm)
	mkdir -p out/foreign && cp daemon/recording/foreign/* out/foreign
	cd out/foreign && npm install --ignore-scripts --no-audit --no-fund --silent
	bin/fieldbrain sim --seconds 65 --record out/foreign/drive.mcap
	bin/fieldbrain export out/foreign/drive.mcap --mcap out/foreign/whole.mcap
	cd out/foreign && node read.mjs drive.mcap && node read.mjs whole.mcap

hour: build ## Record an hour of driving with faults, orders, planner and library, and replay it on every engine (minutes; purego in parts)
	mkdir -p out/hour && rm -f out/hour/hour.* && bin/fieldbrain scenario new out/hour/base.toml --from room
	sed 's/spread_heading_deg = .*/spread_heading_deg = 0/; /^\[\[limit/,$$d' out/hour/base.toml >out/hour/hour.toml && rm out/hour/base.toml
	seq 60 60 3540 | awk -f testbench/hour.awk >>out/hour/hour.toml && bin/fieldbrain scenario check out/hour/hour.toml
	set -- --order '1800s drive 0.9 -0.7 1500ms' --order '2000s explore'; for at in $$(seq 2200 80 3560); do \
	case $$((at / 80 % 4)) in 0) goal='2.6 0.6';; 1) goal='0.4 -0.9';; 2) goal='1.5 1';; 3) goal='2.8 -0.8';; esac; \
	set -- "$$@" --order "$${at}s goal $$goal"; done; \
	bin/fieldbrain sim --scenario out/hour/hour.toml --seconds 3600 --record out/hour/hour.mcap "$$@" || test $$? -eq 1
	for engine in avx512 avx2 sse neon; do bin/fieldbrain replay out/hour/hour.mcap --to $$engine || test $$? -eq 2 || exit 1; done
	bin/fieldbrain replay out/hour/hour.mcap --to purego --jobs 0

sweep-storm: build ## Sweep 20,000 drives in peace and in a storm that kills workers and server, and compare (17 minutes on two processors; SWEEPFLAGS)
	bin/fieldbrain bench sweep $(SWEEPFLAGS)

rename: ## Give the module a path that go get can fetch: make rename MODULE=example.org/owner/fieldbrain
	@$(GO) run ./cmd/rename $(MODULE)

# make hands DESTDIR and PREFIX on in the environment, whatever characters they have. A $
# would be make's own, and what follows it would be lost before the script saw it.
PLACES = $(foreach v,DESTDIR PREFIX,$(if $(findstring $$,$(value $v)),$(error $v is $(value $v), and make takes what follows a $$ for a variable of its own: write the path out, make $@ $v=/some/path)))

install: bin/fieldbrain ## Install what make build built, with unit, user, rules, manual (sudo make install; PREFIX, DESTDIR)
	@$(PLACES)systemd/install.sh install

uninstall: ## Remove what make install installed; settings and what the car learned stay
	@$(PLACES)systemd/install.sh uninstall

service-test: ## Try the installed units under systemd in an emulated machine (as root; qemu-system-x86, debootstrap)
	@systemd/guest/run.sh

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
	@$(if $(findstring arm64,$@),$(CROSS),$(NATIVECC))mkdir -p $(@D)
	sed -nE 's/^#define cu.*/&/p; s/^CUresult (cu\w+)\(.*/int \1(void) { return 999; }/p' $< | \
	$(if $(findstring arm64,$@),aarch64-linux-gnu-gcc,$(shell $(GO) env CC)) -shared -fPIC -Wl,-soname,libcuda.so.1 -x c - -o $@

gpu: $(if $(CUDA),,bin/stub/libcuda.so) ## Build bin/fieldbrain-gpu, the child that steps the field on a CUDA device
	@$(NATIVECC)
	CGO_ENABLED=1 $(call CUDAENV,) $(GO) build -tags cuda -o bin/fieldbrain-gpu ./cmd/fieldbrain-gpu

card: $(if $(CUDA),,bin/stub/libcuda.so) ## Build the cars on a card for learners there: bin/libfieldbrain_card.so, its header, bin/python
	@$(NATIVECC)mkdir -p bin/python
	CGO_ENABLED=1 $(call CUDAENV,) $(GO) build -tags cuda -buildmode=c-shared -o bin/libfieldbrain_card.so ./cmd/fieldbrain-card
	@rm -rf bin/libfieldbrain_card.h bin/python/fieldbrain_env
	cp cmd/fieldbrain-card/fieldbrain_card.h bin
	cp -R testbench/vector/env/python/fieldbrain_env bin/python

jetson: arm64 bin/stub-arm64/libcuda.so ## Cross-build both programs for a Jetson: bin/fieldbrain-arm64, -gpu-arm64
	@$(CROSS)
	$(ARM64) $(call CUDAENV,-arm64) $(GO) build -tags cuda -o bin/fieldbrain-gpu-arm64 ./cmd/fieldbrain-gpu 2> >(grep -v 'skipping incompatible' >&2)
