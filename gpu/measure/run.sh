#!/usr/bin/env bash
# Measures a graphics card in one call of less than ten minutes, on a machine
# with NVIDIA's driver and nothing else: no Go, no nvcc, no network. The programs
# fieldbrain and fieldbrain-gpu lie in bin/ (make build gpu, and carry them there).
#
#   gpu/measure/run.sh [FOLDER]   results; $OUT or ./measured by default
#
# Every part has its own time limit, and none stops the next. The exit code is 0
# only if the card computes the processor's field, bit for bit.
#
#   BIN=DIR     where the programs are        ROUNDS=100  of the benches
#   BUDGET=570  seconds for everything        TICKS=100   of the self-test
#   SLOW=1      factor on every limit; the software driver needs 10
set -u -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${BIN:-$here/../../bin}
out=${1:-${OUT:-measured}}
rounds=${ROUNDS:-100} ticks=${TICKS:-100} slow=${SLOW:-1} budget=${BUDGET:-570}
summary=$out/summary.txt
mkdir -p "$out" || exit 1
rm -f "$out"/{card,selftest,sanitizer,words}.txt "$out"/{dense,collapsed,peer}.json
: >"$summary"
complaints=$(mktemp) || exit 1
trap 'rm -f "$complaints"' EXIT

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
	local name=$1 limit=$2 file=$out/$3 began=$SECONDS code
	shift 3
	limited "$limit" "$@" >>"$file" 2>"$complaints"
	code=$?
	sed "s/^/$name: /" "$complaints" >>"$out/words.txt"
	case $code in
	0) say "ok      $name, $((SECONDS - began)) s" ;;
	124 | 137) say "LATE    $name: no end within its limit" ;;
	*) say "FAILED  $name: exit code $code: $( (tail -n 1 "$file"; tail -n 1 "$complaints") 2>/dev/null | tail -n 1 | cut -c 1-300)" ;;
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
		nvidia-smi --query-gpu=name,driver_version,pstate,clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem,power.draw,power.limit,temperature.gpu,persistence_mode,mig.mode.current --format=csv
		nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv
	else
		echo 'no nvidia-smi here'
	fi
	if command -v nvpmodel >/dev/null; then nvpmodel -q; fi # a Jetson's power mode
	if command -v jetson_clocks >/dev/null; then jetson_clocks --show; fi
	return 0
}

# bench STEP FILE runs one bench with its doorbell; a void run gets a second try.
bench() {
	part "bench, $1" 100 "$2" "$bin/fieldbrain" bench gpu --program "$bin/fieldbrain-gpu" --step "$1" --rounds "$rounds" --json && return
	grep -q '"void": true' "$out/$2" || return
	say '        a claim is void, the card was too restless to tell: once more'
	cat "$out/$2" >>"$out/words.txt" && rm "$out/$2"
	part "bench, $1, again" 60 "$2" "$bin/fieldbrain" bench gpu --program "$bin/fieldbrain-gpu" --step "$1" --rounds "$rounds" --json
}

table() { [[ -s $out/$1 ]] && limited 10 "$bin/fieldbrain" bench gpu --from "$out/$1"; }

sanitize() {
	local tool
	tool=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -n 1)
	if [[ -z $tool ]]; then
		say 'left out: compute-sanitizer is not on this machine'
		return
	fi
	part 'memory checked by compute-sanitizer' 60 sanitizer.txt "$tool" --tool memcheck --error-exitcode 9 "$bin/fieldbrain-gpu" --selftest --ticks 2
	part 'races checked by compute-sanitizer' 60 sanitizer.txt "$tool" --tool racecheck --error-exitcode 9 "$bin/fieldbrain-gpu" --selftest --ticks 1
}

find_driver
card_info >"$out/card.txt" 2>&1
say "card    $(grep -A1 -e '^name' -e '^no nvidia-smi' "$out/card.txt" | head -n 2 | tail -n 1)"
if ! part 'probe' 30 card.txt "$bin/fieldbrain-gpu" --probe; then
	say '        The driver starts with the program and ends it where no card answers: no card is'
	say '        visible (nvidia-smi, CUDA_VISIBLE_DEVICES, the rights on /dev/nvidia*), module and'
	say '        library are of different versions (restart), or exit code 127: there is no libcuda.so.1.'
fi
part "self-test of $ticks ticks" 60 selftest.txt "$bin/fieldbrain-gpu" --selftest --ticks "$ticks"
right=$?
sed 's/^/        /' "$out/selftest.txt" | tee -a "$summary"
bench dense dense.json
bench collapsed collapsed.json
command -v nvidia-smi >/dev/null && card_info >>"$out/card.txt" 2>&1 # the clocks that it ran with
sanitize
if command -v python3 >/dev/null; then
	part 'peer in PyTorch' 200 peer.json python3 "$here/peer.py" --seconds "$((100 * slow))"
else
	say 'left out: peer in PyTorch: no python3 here'
fi
{ echo; table dense.json; echo; table collapsed.json; echo; } 2>&1 | tee -a "$summary"
grep -h '"note"' "$out/peer.json" 2>/dev/null | tee -a "$summary"
if ((right == 0)); then
	say "PASS: the card computes the processor's field, bit for bit; results in $out, $SECONDS s"
else
	say "FAIL: the self-test did not pass; do not drive with this card; results in $out, $SECONDS s"
fi
exit $((right != 0))
