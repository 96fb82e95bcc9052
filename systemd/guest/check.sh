#!/bin/bash
# In the guest of make service-test: what the installed units do under systemd, each
# check with what it saw. Lines that begin with "check: " are for people; the last one
# counts. Times are the guest's own.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/words.sh"

verify() {
	local out
	out=$(systemd-analyze verify --man=no fieldbrain.service fieldbrain-guard.service fieldbrain-web.service fieldbrain-sleep.service 2>&1)
	[[ -z $out ]] || fail "$out"
}

exposure() { # of 10, tenths: as systemd judges it; below 20 it says OK
	local unit
	for unit in fieldbrain-guard fieldbrain fieldbrain-web fieldbrain-sleep; do
		saw+="$unit $(systemd-analyze security --no-pager $unit.service | sed -n 's/.*level for [^:]*: \([0-9.]*\).*/\1/p') "
		systemd-analyze security --no-pager --threshold=20 $unit.service >/dev/null || fail "$unit is more exposed than 2.0" || return
	done
}

order() {
	local guarded began
	systemctl stop fieldbrain fieldbrain-guard
	systemctl start fieldbrain || fail 'it does not start' || return
	guarded=$(prop fieldbrain-guard ActiveEnterTimestampMonotonic) began=$(prop fieldbrain ExecMainStartTimestampMonotonic)
	saw="the daemon $(((began - guarded) / 1000)) ms after the guard was ready"
	((guarded > 0 && guarded <= began)) || fail 'the daemon started first'
}

classes() {
	local guard daemon
	daemon=$(pid) guard=$(pid fieldbrain-guard)
	[[ $(chrt -p "$guard") == *SCHED_FIFO*'priority: 60'* ]] || fail "the guard: $(chrt -p "$guard")" || return
	chrt -a -p "$daemon" | grep -q 'priority: 50' || fail "no thread of the daemon at 50: $(chrt -a -p "$daemon")" || return
	saw="locked: guard $(awk '/VmLck/ {print $2}' "/proc/$guard/status") kB, daemon $(awk '/VmLck/ {print $2}' "/proc/$daemon/status") kB"
	! grep -q 'VmLck:[[:space:]]*0 kB' "/proc/$guard/status" "/proc/$daemon/status" || fail 'memory is not locked' || return
	daemon; grep -i 'degraded' /run/status >/run/degraded
	! grep -E 'realtime|memory|guard' /run/degraded || fail "$(cat /run/degraded)" || return
	if [[ $(nproc) == 1 ]]; then # nobody above another, and it says so
		saw+=', one processor'
		grep -q one-processor /run/degraded && ! chrt -a -p "$daemon" | grep -q 'priority: [14]' || fail "$(cat /run/degraded; chrt -a -p "$daemon")"
	else
		chrt -a -p "$daemon" | grep -q 'priority: 49' && chrt -a -p "$daemon" | grep -q 'priority: 1$' || fail "$(chrt -a -p "$daemon")"
	fi
}

# The guest's stop by hand: zero duties first, a save, and no waiting for anybody.
stop() {
	local from
	drive || return
	from=$(ms)
	systemctl stop fieldbrain
	saw="in $(($(ms) - from)) ms, motors off after $(off "$from") ms, result $(prop fieldbrain Result)"
	stopped || fail 'the motors run on' || return
	[[ $(prop fieldbrain Result) == success ]] && (($(ms) - from < 3000)) || fail 'not an orderly end in time' || return
	is fieldbrain-guard active || fail 'the guard went with it'
}

killed() {
	local old from
	drive || return
	old=$(pid) from=$(ms)
	kill -9 "$old"
	within 2 stopped || fail 'the motors run on' || return
	saw="motors off after $(off "$from") ms"
	within 10 renewed "$old" || fail 'it is not started anew' || return
	saw+=", the next one answers after $(($(ms) - from)) ms"
	journalctl -b -u fieldbrain --no-pager | grep -q 'reset line pulled low' || fail 'the exit helper has not reset the HAT' || return
	disarmed || fail 'the next one is not disarmed' || return
	drive
}

frozen() {
	local old from
	drive || return
	old=$(pid) from=$(ms)
	systemctl freeze fieldbrain || fail 'systemctl freeze refuses' || return
	within 2 stopped || fail 'the motors run on' || return
	saw="motors off after $(off "$from") ms"
	journalctl -b -u fieldbrain-guard --no-pager -n 3 | grep -q 'no tick for' || fail 'not by the guard' || return
	sleep 5
	saw+="; 5 s later $(prop fieldbrain FreezerState), $(prop fieldbrain SubState), daemon $([[ $(pid) == "$old" ]] && echo "the same" || echo another)"
	systemctl thaw fieldbrain # or it refuses: its start after the watchdog's kill may be under way, which thaws it
	stopped || fail 'the motors run again' || return
	within 20 disarmed || fail "it does not come back disarmed: $(cat /run/status)" || return
	drive
}

stands() { # SIGSTOP: the guard stops the car, the manager's watchdog ends the daemon
	local old from
	drive || return
	old=$(pid) from=$(ms)
	kill -STOP "$old"
	within 2 stopped || fail 'the motors run on' || return
	saw="motors off after $(off "$from") ms"
	within 15 renewed "$old" || fail 'the watchdog has not ended it' || return
	saw+=", the next one answers after $(($(ms) - from)) ms"
	journalctl -b -u fieldbrain --no-pager | grep -qi 'watchdog timeout' || fail 'not by the watchdog' || return
	drive
}

# What a sleep starts before it freezes anything. The guest itself is not put to sleep:
# nobody would wake it.
sleeps() {
	local from
	[[ " $(prop sleep.target Wants) " == *' fieldbrain-sleep.service '* && " $(prop fieldbrain-sleep Before) " == *' sleep.target '* ]] || fail 'no sleep waits for it' || return
	drive || return
	from=$(ms)
	systemctl start fieldbrain-sleep || fail "$(journalctl -b -u fieldbrain-sleep --no-pager -n 3)" || return
	saw="motors off after $(off "$from") ms, the sleep may come after $(($(ms) - from)) ms"
	stopped || fail 'the motors run on' || return
	fieldbrain reset >/dev/null && drive || fail 'no way back' || return
	kill -STOP "$(pid)"
	systemctl start fieldbrain-sleep && stopped || fail 'not beside a daemon that stands' || return
	systemctl stop fieldbrain fieldbrain-guard
	from=$(ms)
	systemctl start fieldbrain-sleep && (($(ms) - from < 1000)) || fail 'without a daemon the sleep waits'
}

guard_killed() {
	local old from
	drive || return
	old=$(pid fieldbrain-guard) from=$(ms)
	kill -9 "$old"
	within 2 stopped || fail 'the motors run on' || return
	saw="motors off after $(off "$from") ms"
	within 3 guard_renewed "$old" || fail 'it is not started anew' || return
	saw+=", a new guard after $(($(ms) - from)) ms"
	drive
}

guard_stands() {
	local old from
	drive || return
	old=$(pid fieldbrain-guard) from=$(ms)
	kill -STOP "$old"
	within 2 stopped || fail 'the motors run on' || return
	saw="motors off after $(off "$from") ms"
	within 5 guard_renewed "$old" || fail 'the watchdog has not ended it' || return
	saw+=", a new guard after $(($(ms) - from)) ms"
	drive
}

refused() { ! fieldbrain arm >/run/arm 2>&1 && grep -q 'no-guard' /run/arm; }
unguarded() {
	drive || return
	systemctl mask --runtime --now fieldbrain-guard 2>/dev/null
	within 2 stopped || fail 'the motors run on' || return
	within 2 refused || fail "armed without a guard: $(cat /run/arm)" || return
	systemctl restart fieldbrain
	within 10 refused || fail "a new one arms without a guard: $(cat /run/arm)" || return
	stopped || fail 'the motors run' || return
	fresh || return
	drive
}

# What the graphics card's program has started outlives nobody.
orphan() {
	local group old
	group=/sys/fs/cgroup$(prop fieldbrain ControlGroup)
	runuser -u fieldbrain -- sleep 1000 &
	sleep 0.3
	old=$(pgrep -u fieldbrain -x sleep)
	echo "$old" >"$group/cgroup.procs" || fail 'no process joins the group' || return
	kill -9 "$(pid)"
	within 5 gone "$old" || fail 'it lives on'
}
gone() { ! kill -0 "$1" 2>/dev/null; }

# A process that no signal ends, as one whose driver holds it (a freezer of version 1
# is deaf to SIGKILL), keeps neither the exit helper nor the next daemon waiting.
stuck() {
	local ice=/run/ice group from old
	mkdir -p $ice
	mountpoint -q $ice || mount -t cgroup -o freezer ice $ice || fail 'no freezer of version 1' || return
	mkdir -p $ice/stuck
	group=/sys/fs/cgroup$(prop fieldbrain ControlGroup)
	runuser -u fieldbrain -- sleep 1000 &
	sleep 0.3
	old=$(pgrep -u fieldbrain -x sleep)
	echo "$old" >$ice/stuck/cgroup.procs
	echo FROZEN >$ice/stuck/freezer.state
	echo "$old" >"$group/cgroup.procs"
	drive || return
	from=$(ms)
	systemctl stop fieldbrain
	saw="stopped in $(($(ms) - from)) ms"
	(($(ms) - from < 3000)) && stopped || fail 'the stop waited for it' || return
	! gone "$old" || fail 'nothing was stuck' || return
	from=$(ms)
	systemctl start fieldbrain && within 10 daemon || fail 'the next one does not start' || return
	saw+=", the next one answers $(($(ms) - from)) ms later"
	kill -9 "$(pid)"
	from=$(ms)
	sleep 0.2
	within 10 daemon || fail 'none follows one that was killed' || return
	saw+=", after SIGKILL $(($(ms) - from)) ms later"
	echo THAWED >$ice/stuck/freezer.state
	within 2 gone "$old" || fail 'nobody had sent it a signal'
}

wrong() { # settings with a mistake: five tries, then it stays off
	systemctl stop fieldbrain
	cp /etc/fieldbrain/fieldbrain.toml /run/sound
	echo 'nonsense = 1' >>/etc/fieldbrain/fieldbrain.toml
	systemctl start fieldbrain 2>/dev/null
	within 20 is fieldbrain failed
	saw="$(prop fieldbrain ActiveState), exit status $(prop fieldbrain ExecMainStatus), restarts $(prop fieldbrain NRestarts)"
	cp /run/sound /etc/fieldbrain/fieldbrain.toml
	[[ $saw == 'failed, exit status 2, restarts 4' || $saw == 'failed, exit status 2, restarts 5' ]] || fail 'want five starts' || return
	journalctl -b -u fieldbrain --no-pager -n 30 | grep -q nonsense || fail 'its journal does not name the mistake'
}

failing() { # a daemon that dies again and again stays off
	local n
	for n in {1..12}; do
		is fieldbrain failed && break
		kill -9 "$(pid)" 2>/dev/null
		sleep 1
	done
	saw="$(prop fieldbrain ActiveState), $(prop fieldbrain Result), restarts $(prop fieldbrain NRestarts)"
	is fieldbrain failed || fail 'it starts for ever' || return
	stopped || fail 'the motors run' || return
	fresh || return
	drive
}

# probe: the daemon's sandbox, from a copy of its unit with another program.
probe() {
	local unit=/usr/local/lib/systemd/system/fieldbrain.service
	sed -E '/^(ExecStart|ExecStopPost|Restart|RestartSec|WatchdogSec|Type|NotifyAccess|Wants|After|RestartPreventExitStatus)=/d' $unit >/run/systemd/system/probe.service
	sed -i 's,^\[Service\],&\nType=oneshot\nExecStart=/bin/bash /run/probe.sh,' /run/systemd/system/probe.service
	systemctl daemon-reload
	rm -f /run/fieldbrain/probe
	systemctl start probe || fail 'the probe does not run' || return
	saw=$(tr '\n' ' ' </run/fieldbrain/probe)
}
allowed() { [[ " $saw" == *" +$1 "* ]] || fail "$1 is refused"; }
denied() { [[ " $saw" == *" -$1 "* ]] || fail "$1 is allowed"; }

cat >/run/probe.sh <<'P'
exec >/run/fieldbrain/probe 2>/dev/null
try() { local n=$1; shift; if "$@"; then echo "+$n"; else echo "-$n"; fi; }
opens() { : <>"$1"; }
try hat opens /dev/fieldbrain-i2c
for n in /dev/i2c-*; do [[ $n -ef /dev/fieldbrain-i2c ]] || try other-bus opens "$n"; done
for n in /dev/gpiochip*; do [[ -e $n ]] && try gpio opens "$n"; done
try kmsg opens /dev/kmsg
try null opens /dev/null
try fifo50 chrt -f 50 true
try fifo51 chrt -f 51 true
try lock bash -c '[[ $(ulimit -l) == unlimited ]]'
try etc touch /etc/x
try state touch /var/lib/fieldbrain/x
try run touch /run/fieldbrain/x
try home ls /home/.
try network bash -c ': </dev/tcp/127.0.0.1/1 || [[ -e /sys/class/net/ens3 ]]'
try module modprobe dummy
try mount unshare -m true
true
P

devices() {
	local hat
	modprobe i2c-dev && modprobe i2c-piix4 && modprobe i2c-stub chip_addr=0x14 || fail 'no I2C adapters in this kernel' || return
	modprobe gpio-sim 2>/dev/null || modprobe gpio-mockup gpio_mockup_ranges=-1,8 2>/dev/null
	udevadm settle
	[[ ! -e /dev/fieldbrain-i2c ]] || fail 'an adapter of another board is taken for the header' || return
	hat=$(grep -l PIIX4 /sys/class/i2c-dev/*/name | head -n 1)
	hat=$(basename "$(readlink -f "${hat%/name}/device/..")")
	echo "SUBSYSTEM==\"i2c-dev\", KERNELS==\"$hat\", GROUP=\"i2c\", MODE=\"0660\", SYMLINK+=\"fieldbrain-i2c\"" >/etc/udev/rules.d/71-fieldbrain.rules
	udevadm control --reload && udevadm trigger && udevadm settle
	[[ $(stat -L -c '%G %a' /dev/fieldbrain-i2c) == 'i2c 660' ]] || fail "the rule for $hat has no effect: $(ls -l /dev/i2c* 2>&1)" || return
	chmod 666 /dev/i2c-* /dev/kmsg # so that only the unit can refuse them
	probe || return
	allowed hat && denied other-bus && denied kmsg && allowed null || return
	if compgen -G '/dev/gpiochip*' >/dev/null; then
		[[ $(stat -c '%G %a' /dev/gpiochip0) == 'gpio 660' ]] && allowed gpio || fail 'no GPIO chip for the group' || return
	else
		saw+='(this kernel has no GPIO chip to try)'
	fi
}

sandbox() {
	probe || return
	allowed fifo50 && denied fifo51 && allowed lock && denied etc && allowed state && allowed run && denied home && denied module && denied mount
}

rules() {
	local out path
	for path in /sys/class/i2c-dev/i2c-0 /sys/bus/gpio/devices/gpiochip0; do
		[[ -e $path ]] || continue
		out+=$(udevadm test --action=add "$path" 2>&1 | grep -E '7[01]-fieldbrain' | grep -Ei 'invalid|unknown|error|fail|ignor')
	done
	[[ -z $out ]] || fail "$out"
}

doctor() {
	fieldbrain doctor --body picarx >/run/doctor 2>&1
	local line
	for line in 'realtime class' 'memory lock' limits guard daemon; do
		grep -qE "^ok +$line" /run/doctor || fail "$line: $(grep -A 2 "$line" /run/doctor)" || return
	done
	saw=$(tail -n 1 /run/doctor)
}

people() { # who may give orders
	id member >/dev/null 2>&1 || useradd -G fieldbrain member
	id stranger >/dev/null 2>&1 || useradd stranger
	drive || return
	! runuser -u stranger -- fieldbrain estop >/run/stranger 2>&1 || fail 'a stranger may stop the car' || return
	within 3 moving || fail "it stands after a refused stop, and one that is latched would for good: $(cat /run/stranger)" || return
	runuser -u member -- fieldbrain estop >/run/member 2>&1 && within 1 stopped || fail "a member does not: $(cat /run/member)" || return
	runuser -u member -- fieldbrain reset >/run/member 2>&1 && drive || fail "$(cat /run/member)" || return
	kill -STOP "$(pid)"
	runuser -u member -- fieldbrain estop >/run/member 2>&1
	grep -q 'stopped by fieldbrain-guard' /run/member || fail "beside a daemon that stands: $(cat /run/member)" || return
	kill -CONT "$(pid)" 2>/dev/null
	sleep 1
	runuser -u member -- fieldbrain reset >/dev/null 2>&1
	true
}

web() {
	systemctl start fieldbrain-web || fail 'it does not start' || return
	sleep 2
	is fieldbrain-web active || fail "$(journalctl -b -u fieldbrain-web --no-pager -n 5)" || return
	saw="$(ss -ltn 2>/dev/null | awk 'NR > 1 {print $4}' | tr '\n' ' ')"
	systemctl stop fieldbrain-web
}

# Once, as docs/robot.md says it.
echo "trying: $(uname -r), $(systemctl --version | head -n 1), $(ms) ms after the start"
systemd-sysusers && systemctl daemon-reload
udevadm control --reload && udevadm trigger
systemctl start stand || echo "check: FAIL  there is no simulated car"

check 'systemd finds no mistake' verify
check 'exposure' exposure
check 'the guard is first' order
check 'real-time class and locked memory' classes
check 'stop' stop
check 'SIGKILL' killed
check 'systemctl freeze' frozen
check 'SIGSTOP, watchdog' stands
check 'before a sleep' sleeps
check 'the guard dies' guard_killed
check 'the guard stands' guard_stands
check 'no guard, no driving' unguarded
check 'left behind' orphan
check 'stuck in a driver' stuck
check 'wrong settings' wrong
check 'start limit' failing
check 'devices' devices
check 'sandbox' sandbox
check 'udev rules' rules
check 'doctor' doctor
check 'people' people
check 'the page' web
echo "check: $passed passed, $failed failed"
