#!/usr/bin/env bash
# Installs what make build built, or removes it again: install.sh install|uninstall.
# make calls it with DESTDIR and PREFIX in the environment.
#
# PREFIX is /usr/local, the administrator's ground: packages put nothing there, and
# nothing goes below /usr. A package is made with PREFIX=/usr. Unit and user lie
# below PREFIX, too, where systemd looks for them; rules of a hand install go to
# /etc, because older udev looks nowhere below /usr/local.
#
# DESTDIR is where a package is gathered, any folder; one that does not begin with / lies
# in the folder from which people call. PREFIX stands in units and rules, which take no
# quoted paths: it is absolute and of plain characters.
set -eu -o pipefail

say() { echo "make: $*" >&2; }

# refuse ends with a reason and a remedy. Nothing was written yet.
refuse() { say "$*" && exit 1; }

# trim takes double slashes and those at the end off a path.
trim() {
	local path=$1
	while [[ $path == *//* ]]; do path=${path//\/\//\/}; done
	echo "${path%/}"
}

# plain refuses a PREFIX that units or rules would not take.
plain() {
	local LC_ALL=C
	[[ $1 == /* ]] || refuse "PREFIX is '$1', which is no absolute path, and systemd starts programs by absolute paths only: begin it with /, as in PREFIX=/usr/local"
	[[ $1 != *[!A-Za-z0-9/._+-]* ]] || refuse "PREFIX is '$1', and the units take paths of letters, digits and / . _ + - only: choose such a folder, as in PREFIX=/usr/local"
	[[ $1/ != */./* && $1/ != */../* ]] || refuse "PREFIX is '$1', and systemd takes no path with . or .. in it: write it out, as in PREFIX=/usr/local"
}

prefix=${PREFIX:-/usr/local} to=${DESTDIR:-}
plain "$prefix"
prefix=$(trim "$prefix")
[[ -z $to || $to == /* ]] || to=$PWD/$to
to=$(trim "$to")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rules=/etc/udev/rules.d
[[ $prefix == /usr ]] && rules=/usr/lib/udev/rules.d
settings=/etc/fieldbrain
program=$prefix/bin/fieldbrain child=$prefix/bin/fieldbrain-gpu
guard=$prefix/bin/fieldbrain-guard nats=$prefix/bin/fieldbrain-nats
unit=$prefix/lib/systemd/system/fieldbrain.service
watch=$prefix/lib/systemd/system/fieldbrain-guard.service
web=$prefix/lib/systemd/system/fieldbrain-web.service
sleep=$prefix/lib/systemd/system/fieldbrain-sleep.service
asleep=$prefix/lib/systemd/system/sleep.target.wants # what systemd starts before a sleep
dropin=$unit.d/gpu.conf
documents=$prefix/share/doc/fieldbrain
made=( # WORDS FOR THE PROGRAM:FILE: what the program prints about itself
	"config doc:$settings/fieldbrain.toml.example"
	"man:$prefix/share/man/man1/fieldbrain.1"
	"completion bash:$prefix/share/bash-completion/completions/fieldbrain"
	"completion zsh:$prefix/share/zsh/site-functions/_fieldbrain"
	"completion fish:$prefix/share/fish/vendor_completions.d/fieldbrain.fish"
)
pages=(README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE) # and all below docs, to which they lead

# papers lists what is installed for people to read.
papers() { find "${pages[@]}" docs -type f 2>/dev/null | sort; }

# put MODE SOURCE FILE, placed copies a text whose paths are of PREFIX /usr.
put() { install -D -m "$1" "$2" "$to$3"; }
placed() { sed -E "s,/usr/(bin|share)/,$(sed 's/[\\&,]/\\&/g' <<<"$prefix")/\1/,g" "$1" | put 0644 /dev/stdin "$2"; }

install_all() {
	put 0755 bin/fieldbrain "$program"
	placed systemd/fieldbrain.service "$unit"
	placed systemd/fieldbrain-web.service "$web"
	placed systemd/fieldbrain-sleep.service "$sleep"
	install -d -m 0755 "$to$asleep"
	ln -sfn ../fieldbrain-sleep.service "$to$asleep/fieldbrain-sleep.service"
	put 0644 systemd/fieldbrain.conf "$prefix/lib/sysusers.d/fieldbrain.conf"
	put 0644 systemd/70-fieldbrain.rules "$rules/70-fieldbrain.rules"
	install -d -m 0755 "$to$settings"
	local entry page text
	text=$(mktemp)
	for entry in "${made[@]}"; do
		# shellcheck disable=SC2086 # the words are meant to be split
		if bin/fieldbrain ${entry%%:*} >"$text" && [[ -s $text ]]; then
			put 0644 "$text" "${entry#*:}"
		else
			say "left out: ${entry#*:}, which bin/fieldbrain ${entry%%:*} does not print on this machine"
		fi
	done
	rm -f "$text"
	while read -r page; do put 0644 "$page" "$documents/$page"; done < <(papers)
	[[ -e bin/fieldbrain-nats ]] && put 0755 bin/fieldbrain-nats "$nats" # the server of sweeps; no robot needs it
	guarded
	card
	former
}

# guarded installs the guard with its unit. Without it the real car does not arm.
guarded() {
	if [[ -e bin/fieldbrain-guard ]]; then
		put 0755 bin/fieldbrain-guard "$guard"
		placed systemd/fieldbrain-guard.service "$watch"
	else
		say 'left out: fieldbrain-guard, without which the real car does not arm: make guard builds it and needs a C compiler'
	fi
}

# card lets the service use a card's nodes exactly when its program is installed.
card() {
	[[ -e bin/fieldbrain-gpu ]] && put 0755 bin/fieldbrain-gpu "$child"
	if [[ -e $to$child ]]; then
		put 0644 systemd/gpu.conf "$dropin"
	else
		rm -f "$to$dropin"
		[[ -d $to$unit.d ]] && rmdir --ignore-fail-on-non-empty "$to$unit.d"
	fi
	return 0
}

# former names what versions before 0.1.0 put elsewhere and what would win over
# what was installed now. It may have been edited, so a person removes it.
former() {
	local old=/etc/systemd/system/fieldbrain.service
	if [[ $to$old != "$to$unit" && -f $to$old && ! -L $to$old ]]; then
		say "$old overrides the installed unit: remove it, or keep it on purpose; a change of your own belongs into systemctl edit fieldbrain"
	fi
}

uninstall_all() {
	local entry page
	rm -f "$to$program" "$to$child" "$to$nats" "$to$guard" "$to$watch" "$to$web" "$to$sleep" "$to$asleep/fieldbrain-sleep.service" "$to$unit" "$to$dropin" "$to$prefix/lib/sysusers.d/fieldbrain.conf" "$to$rules/70-fieldbrain.rules"
	for entry in "${made[@]}"; do rm -f "$to${entry#*:}"; done
	while read -r page; do rm -f "$to$documents/$page" "$to$documents/${page##*/}"; done < <(papers) # both: pages lay flat before
	[[ -d $to$documents/docs ]] && find "$to$documents/docs" -depth -type d -empty -delete
	for page in "$unit.d" "$asleep" "$documents" "$settings"; do
		[[ -d $to$page ]] && rmdir --ignore-fail-on-non-empty "$to$page"
	done
	say "kept: $settings (settings, calibration), /var/lib/fieldbrain (what the car has learned), /var/lib/fieldbrain-web (the page's tokens), users and groups fieldbrain and fieldbrain-web"
}

case ${1:-} in
install) install_all ;;
uninstall) uninstall_all ;;
*) say 'install or uninstall?' && exit 2 ;;
esac
