# The words of check.sh: what it asks of the guest, how it waits, and what one check is.
export PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin
passed=0 failed=0 why='' saw=''
log=/run/stand.log # of the simulated car: when its motors went on and off

ms() { local up _; read -r up _ </proc/uptime; echo "${up/./}0"; }
prop() { systemctl show -P "$2" "$1"; }
pid() { prop "${1:-fieldbrain}" MainPID; }
is() { [[ $(prop "$1" ActiveState) == "$2" ]]; }
moving() { [[ $(tail -n 1 $log 2>/dev/null) == *'motors on' ]]; }
stopped() { ! moving; }
daemon() { fieldbrain status >/run/status 2>&1; }
said() { grep -q "$1" /run/status; }
disarmed() { daemon && grep -qi disarmed /run/status; }
fail() { why=$*; return 1; }

# within SECONDS COMMAND...: polls.
within() {
	local end=$(($(ms) + $1 * 1000))
	shift
	until "$@"; do
		(($(ms) < end)) || return 1
		sleep 0.05
	done
}

# fresh makes daemon and guard run, disarmed, whatever was before.
fresh() {
	systemctl unmask --runtime fieldbrain-guard fieldbrain 2>/dev/null
	systemctl reset-failed
	systemctl start fieldbrain-guard && systemctl start fieldbrain && within 20 daemon || fail 'daemon and guard do not start'
}

# drive arms the car until it moves.
drive() {
	local end=$(($(ms) + 60000))
	while (($(ms) < end)); do
		moving && return
		fieldbrain arm >/run/arm 2>&1
		within 1 moving && return
	done
	fail "the car does not drive: $(cat /run/arm)"
}

# off SINCE: how long after that instant (ms) the motors stood, from the car's own log.
off() {
	local us
	us=$(tail -n 1 $log)
	echo $((${us%% *} / 1000 - $1))
}

# renewed OLD: there is another daemon, and it answers.
renewed() { [[ $(pid) != "$1" && $(pid) != 0 ]] && is fieldbrain active && daemon; }
guard_renewed() { [[ $(pid fieldbrain-guard) != "$1" && $(pid fieldbrain-guard) != 0 ]] && is fieldbrain-guard active; }

# check NAME FUNCTION: one check, from a fresh state.
check() {
	[[ $1 == *"${ONLY:-}"* ]] || return
	why='' saw=''
	echo "trying: $1"
	if fresh && "$2"; then
		passed=$((passed + 1))
		echo "check: ok    $1${saw:+: $saw}"
		return
	fi
	failed=$((failed + 1))
	echo "check: FAIL  $1: ${why:-no reason}${saw:+ ($saw)}"
	{
		journalctl -b --no-pager -o short-monotonic -n 25 -u fieldbrain -u fieldbrain-guard -u probe
		cat /run/arm /run/status
		ps -L -o tid,cls,rtprio,stat,cputimes,wchan:20,comm -p "$(pid)" # whose thread uses the processor up
	} 2>&1 | sed 's/^/check:       /'
}
