#!/usr/bin/env bash
# Measures a graphics card in two calls of less than ten minutes each, on a machine
# with NVIDIA's driver and nothing else: no Go, no nvcc, no network. The programs
# fieldbrain and fieldbrain-gpu lie in bin/ (make build gpu, and carry them there).
#
#   gpu/measure/run.sh product [FOLDER]    is it right, how fast is it, beside PyTorch
#   gpu/measure/run.sh diagnosis [FOLDER]  10,000 equal ticks, sanitizers, what takes how long
#
# Results lie in FOLDER, $OUT, or ./measured. Every part has its own time limit, which
# add up to less than ten minutes, and none stops the next. The exit code is 0 only if
# the card computes the processor's field, bit for bit.
#
#   BIN=DIR     where the programs are        ROUNDS=100   of the benches
#   BUDGET=570  seconds for one call          TICKS=100    of the product's self-test
#   SLOW=1      factor on every limit;        EQUAL=10000  of the diagnosis's
#               the software driver needs 10
set -u -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
call=${1:-}
if [[ $call != product && $call != diagnosis ]]; then
	sed -n '6,7s/^#   /run.sh: /p' "${BASH_SOURCE[0]}" >&2
	exit 2
fi
bin=${BIN:-$here/../../bin}
out=${2:-${OUT:-measured}}
rounds=${ROUNDS:-100} ticks=${TICKS:-100} equal=${EQUAL:-10000} slow=${SLOW:-1} budget=${BUDGET:-570}
summary=$out/$call.txt
mkdir -p "$out" || exit 1
case $call in
product) rm -f "$out"/{card,clocks,selftest,words}.txt "$out"/{dense,collapsed,fleet,tasks,learner,peer}.json ;;
diagnosis) rm -f "$out"/{equal,jit,timeline,sanitizer,counters,words-diagnosis}.txt "$out"/parts.json ;;
esac
words=$out/words.txt
[[ $call == diagnosis ]] && words=$out/words-diagnosis.txt
: >"$summary"
sampler=
ended() { # bash forgets the sampler's end, which is wanted
	[[ -n $sampler ]] && kill "$sampler" 2>/dev/null && wait "$sampler" 2>/dev/null
	sampler=
}
trap ended EXIT

say() { printf '%s\n' "$*" | tee -a "$summary"; }

# limited SECONDS COMMAND... runs a command for as long as its limit and what is
# left of the budget allow.
limited() {
	local limit=$(($1 * slow)) left=$((budget * slow - SECONDS))
	shift
	((limit > left)) && limit=$left
	((limit < 1)) && return 124
	timeout -k 5 "$limit" "$@"
}

# part NAME SECONDS FILE COMMAND... runs one part, appends what it prints to FILE
# and notes how it ended.
part() {
	local name=$1 limit=$2 file=$out/$3 began=$SECONDS code complaints
	complaints=$(mktemp) || return 1
	shift 3
	limited "$limit" "$@" >>"$file" 2>"$complaints"
	code=$?
	sed "s/^/$name: /" "$complaints" >>"$words"
	local last
	last=$( (tail -n 1 "$file"; tail -n 1 "$complaints") 2>/dev/null | tail -n 1 | cut -c 1-300)
	rm -f "$complaints"
	case $code in
	0) say "ok      $name, $((SECONDS - began)) s" ;;
	124 | 137) say "LATE    $name: no end within its limit" ;;
	*) say "FAILED  $name: exit code $code: $last" ;;
	esac
	return $code
}

# A driver that the linker does not find may lie where containers and boards put it.
find_driver() {
	ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' && return
	local dir
	for dir in /usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu/tegra \
		/usr/lib/aarch64-linux-gnu/nvidia /usr/lib/wsl/lib; do
		if [[ -e $dir/libcuda.so.1 ]]; then
			export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$dir
			return
		fi
	done
}

card_info() {
	date -u +%FT%TZ
	uname -srm
	grep -m1 'model name' /proc/cpuinfo
	nproc
	if command -v nvidia-smi >/dev/null; then
		limited 10 nvidia-smi --query-gpu=name,driver_version,pstate,clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem,power.draw,power.limit,temperature.gpu,persistence_mode,mig.mode.current --format=csv
		limited 10 nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv
	else
		echo 'no nvidia-smi here'
	fi
	if command -v nvpmodel >/dev/null; then nvpmodel -q; fi # a Jetson's power mode
	if command -v jetson_clocks >/dev/null; then jetson_clocks --show; fi
	return 0
}

# sample writes the card's clocks ten times a second until ended: a card that nobody asks
# much leaves its fastest state, and one that is hot leaves it, too.
sample() {
	if command -v tegrastats >/dev/null; then # a Jetson's; its nvidia-smi, since JetPack 6, knows no clock
		timeout $((budget * slow)) tegrastats --interval 100 >"$out/clocks.txt" 2>>"$words" &
	elif command -v nvidia-smi >/dev/null; then
		timeout $((budget * slow)) nvidia-smi --query-gpu=timestamp,pstate,clocks.sm,clocks.mem,power.draw,temperature.gpu,clocks_throttle_reasons.active,pcie.link.gen.current,pcie.link.width.current \
			--format=csv,noheader,nounits -lms 100 >"$out/clocks.txt" 2>>"$words" &
	else
		say 'left out: clocks: neither nvidia-smi nor tegrastats is here'
		return
	fi
	sampler=$!
}

# sampled sums the samples up.
sampled() {
	[[ -s $out/clocks.txt ]] || return
	if command -v tegrastats >/dev/null; then
		say "clocks  $(wc -l <"$out/clocks.txt") lines of tegrastats in clocks.txt"
		return
	fi
	say "clocks  $(awk -F', *' '$3+0 > 0 { n++; low = n == 1 || $3+0 < low ? $3+0 : low; high = $3+0 > high ? $3+0 : high; states[$2]++; if ($7 !~ /0x0+$/ && $7 !~ /0x0*1$/) held++ }
		END { printf "%d samples, %d to %d MHz, %d throttled, states", n, low, high, held; for (s in states) printf " %s: %d", s, states[s] }' "$out/clocks.txt")"
}

# bench STEP FILE runs one bench with its doorbell, back to back and paced at the loop's
# period; a void run gets a second try.
bench() {
	part "bench, $1" 100 "$2" "$bin/fieldbrain" bench gpu --program "$bin/fieldbrain-gpu" --step "$1" --rounds "$rounds" --json && return
	grep -q '"void": true' "$out/$2" || return
	say '        a claim is void, the card was too restless to tell: once more'
	cat "$out/$2" >>"$words" && rm "$out/$2"
	part "bench, $1, again" 60 "$2" "$bin/fieldbrain" bench gpu --program "$bin/fieldbrain-gpu" --step "$1" --rounds "$rounds" --json
}

table() { [[ -s $out/$1 ]] && limited 10 "$bin/fieldbrain" bench gpu --from "$out/$1"; }

# sanitize lets every kernel run under each tool: the self-test has those of a tick, of a
# plan, and of reading and writing, --fleet and --tasks those of the cars, the bench all others.
sanitize() {
	local tool check
	tool=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -n 1)
	if [[ -z $tool ]]; then
		say 'left out: compute-sanitizer is not on this machine'
		return
	fi
	local checks='memcheck racecheck initcheck synccheck'
	under() { part "$1, $2" 90 "sanitizer-$1-${2%% *}.txt" "$tool" --tool "$1" --error-exitcode 9 "$bin/fieldbrain-gpu" "${@:3}" & }
	for check in $checks; do # they wait for the processor more than for the card
		under "$check" self-test --selftest --ticks 1
		under "$check" cars --fleet --cars 64 --rounds 1
		under "$check" environments --tasks --cars 64 --rounds 1
	done
	wait
	for check in $checks; do under "$check" bench --bench --step collapsed --rounds 1; done
	wait
	cat "$out"/sanitizer-*.txt >"$out/sanitizer.txt" && rm -f "$out"/sanitizer-*.txt
}

# profile counts why warps wait, where the driver lets this user see it.
profile() {
	local tool
	tool=$(command -v ncu || ls /usr/local/cuda*/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | head -n 1)
	if [[ -z $tool ]]; then
		say 'left out: ncu is not on this machine'
		return
	fi
	part 'counters of the kernels' 36 counters.txt "$tool" --set full --launch-count 12 "$bin/fieldbrain-gpu" --selftest --ticks 2
}

# learner lets PyTorch drive cars on the card, and holds them to the processor's.
learner() {
	local library=$bin/libfieldbrain_card.so
	if ! command -v python3 >/dev/null || [[ ! -e $library || ! -e $bin/libfieldbrain_env.so ]]; then
		say 'left out: learner in PyTorch: wants python3 and what make env card builds'
		return
	fi
	part 'learner in PyTorch' 45 learner.json env FIELDBRAIN_CARD_LIBRARY="$library" FIELDBRAIN_ENV_LIBRARY="$bin/libfieldbrain_env.so" \
		PYTHONPATH="$bin/python" PYTHONDONTWRITEBYTECODE=1 python3 "$here/learner.py"
	grep -h -e '"note"' -e 'wrong_bytes' "$out/learner.json" 2>/dev/null | tee -a "$summary"
}

# timeline says what every block of a tick does, from kernels that note it.
timeline() {
	if [[ ! -e $bin/stamps.fatbin ]]; then
		say 'left out: timeline of the blocks: make stamps builds kernels that note it'
		return
	fi
	part 'timeline, dense' 15 timeline.txt "$bin/fieldbrain-gpu" --timeline "$bin/stamps.fatbin"
	part 'timeline, collapsed' 15 timeline.txt "$bin/fieldbrain-gpu" --timeline "$bin/stamps.fatbin" --step collapsed
}

product() {
	part "self-test of $ticks ticks" 60 selftest.txt "$bin/fieldbrain-gpu" --selftest --ticks "$ticks"
	right=$?
	sed 's/^/        /' "$out/selftest.txt" | tee -a "$summary"
	sample
	bench dense dense.json
	bench collapsed collapsed.json
	part 'simulated cars' 40 fleet.json "$bin/fieldbrain-gpu" --fleet --cars 1,256,4096,65536,262144 --rounds 2
	part 'environments for learners' 30 tasks.json "$bin/fieldbrain-gpu" --tasks --rounds 2
	ended
	sampled
	learner
	if command -v python3 >/dev/null; then
		part 'peer in PyTorch' 90 peer.json python3 "$here/peer.py" --seconds "$((60 * slow))"
	else
		say 'left out: peer in PyTorch: no python3 here'
	fi
	{ echo; table dense.json; echo; table collapsed.json; echo; } 2>&1 | tee -a "$summary"
	grep -h '"note"' "$out/peer.json" 2>/dev/null | tee -a "$summary"
}

diagnosis() {
	part "self-test of $equal ticks" 150 equal.txt "$bin/fieldbrain-gpu" --selftest --ticks "$equal"
	right=$?
	sed 's/^/        /' "$out/equal.txt" | tee -a "$summary"
	part 'what the stages spend their time on' 30 parts.json "$bin/fieldbrain" bench gpu --program "$bin/fieldbrain-gpu" --parts --steps 0 --rounds "$rounds" --json
	timeline
	part "self-test with code that the driver makes" 50 jit.txt env CUDA_FORCE_PTX_JIT=1 CUDA_CACHE_DISABLE=1 "$bin/fieldbrain-gpu" --selftest --ticks 5
	part 'cars with code that the driver makes' 40 jit.txt env CUDA_FORCE_PTX_JIT=1 CUDA_CACHE_DISABLE=1 "$bin/fieldbrain-gpu" --fleet --cars 64 --rounds 1
	part 'environments with such code' 35 jit.txt env CUDA_FORCE_PTX_JIT=1 CUDA_CACHE_DISABLE=1 "$bin/fieldbrain-gpu" --tasks --cars 64 --rounds 1
	sanitize
	profile
	{ echo; table parts.json; echo; } 2>&1 | tee -a "$summary"
}

find_driver
right=1
card_info >>"$out/card.txt" 2>&1
say "card    $(grep -A1 -e '^name' -e '^no nvidia-smi' "$out/card.txt" | head -n 2 | tail -n 1)"
if ! part 'probe' 30 card.txt "$bin/fieldbrain-gpu" --probe; then
	say '        The driver starts with the program and ends it where no card answers: no card is'
	say '        visible (nvidia-smi, CUDA_VISIBLE_DEVICES, the rights on /dev/nvidia*), module and'
	say '        library are of different versions (restart), or exit code 127: there is no libcuda.so.1.'
fi
"$call"
if ((right == 0)); then
	say "PASS: the card computes the processor's field, bit for bit; results in $out, $SECONDS s"
else
	say "FAIL: the self-test did not pass; do not drive with this card; results in $out, $SECONDS s"
fi
exit $((right != 0))
