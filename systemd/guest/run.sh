#!/usr/bin/env bash
# Tries what make install installs under a real service manager: Debian in an emulated
# machine (qemu; no KVM needed), where check.sh starts, kills, stops and freezes
# guard and daemon that drive a simulated HAT. make service-test calls it as root.
#
# Time in the guest follows the instructions it has run (-icount): a busy host makes
# the test longer and no process in it late. Its disk is memory (an NVDIMM) for the same
# reason: while a guest waits for a disk of the host's its time goes on, and as many
# seconds may pass in it as the host is busy.
#
#	GUEST=FOLDER    keep the guest there instead of in out/guest: 1.5 GB
#	ONLY=WORD       only the checks whose name has it
set -eu -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
guest=${GUEST:-out/guest}
release=bookworm mirror=${MIRROR:-http://deb.debian.org/debian}
packages=systemd,systemd-sysv,udev,dbus,kmod,procps,make,linux-image-amd64
modules='nfit nd_pmem ext4' # that find the disk
size=1536M                  # of the disk
limit=3600 # s, for the whole guest: twelve minutes of a processor's time, and a busy host has other work

skip() {
	echo "service-test: SKIPPED, the units were not tried under a service manager: $*"
	exit 0
}
[[ $(uname -m) == x86_64 ]] || skip "the guest is made for x86_64"
[[ $(id -u) == 0 ]] || skip "a guest is made by root: sudo make service-test"
for tool in qemu-system-x86_64:qemu-system-x86 debootstrap:debootstrap mke2fs:e2fsprogs; do
	command -v "${tool%:*}" >/dev/null || skip "no ${tool%:*} here: apt install ${tool#*:}"
done
[[ -x bin/fieldbrain && -x bin/fieldbrain-guard ]] || skip 'bin/fieldbrain or bin/fieldbrain-guard is missing: run make build first, without sudo'

# The base is made once: Debian, and an initial file system with what the disk needs.
root=$guest/root
if [[ ! -e $guest/made ]]; then
	for part in proc sys; do mountpoint -q "$root/$part" && umount "$root/$part"; done # of a start that was broken off
	rm -rf "$root" "$guest/modules"
	mkdir -p "$guest"
	INITRD=No debootstrap --variant=minbase --include="$packages" "$release" "$root" "$mirror" >"$guest/debootstrap.log" 2>&1 ||
		{ tail -5 "$guest/debootstrap.log" >&2; exit 1; }
	rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/usr/share/{doc,locale,man} "$root"/lib/modules/*/kernel/{drivers/{gpu,net,media,infiniband,scsi,staging,usb,video,iio,ata,hwmon},sound,net,fs/{xfs,btrfs,ocfs2,nfs*,smb,ceph}}
	chroot "$root" depmod "$(basename "$root"/lib/modules/*)"
	: >"$guest/made"
fi
if [[ $(cat "$guest/modules" 2>/dev/null) != "$modules" ]]; then
	echo MODULES=list >"$root/etc/initramfs-tools/conf.d/guest"
	printf '%s\n' $modules >"$root/etc/initramfs-tools/modules"
	chroot "$root" update-initramfs -c -k all >>"$guest/debootstrap.log" 2>&1
	echo "$modules" >"$guest/modules"
fi

# What is installed is what make install installs, and nothing else.
make -s uninstall install DESTDIR="$root" 2>"$guest/install.log" || { cat "$guest/install.log" >&2; exit 1; }
install -D -m 0755 systemd/guest/check.sh "$root/root/check.sh"
install -D -m 0644 systemd/guest/words.sh "$root/root/words.sh"
install -D -m 0644 systemd/guest/check.service "$root/etc/systemd/system/check.service"
install -D -m 0644 systemd/guest/stand.service "$root/etc/systemd/system/stand.service"
install -D -m 0644 systemd/guest/fieldbrain.toml "$root/etc/fieldbrain/fieldbrain.toml"
echo "GUARD_OPTIONS=--simulator /run/stand/l.sock" >"$root/etc/fieldbrain/guard.conf"
# What the condition one-processor advises: a slice of the daemon's threads is 100 ms otherwise.
echo kernel.sched_rr_timeslice_ms=4 >"$root/etc/sysctl.d/guest.conf"
echo "ONLY=${ONLY:-}" >"$root/etc/check.conf"
ln -sf ../check.service "$root/etc/systemd/system/multi-user.target.wants/check.service"
rm -f "$guest/disk"
mke2fs -q -t ext4 -E lazy_itable_init=1 -d "$root" "$guest/disk" $size

echo "service-test: a guest starts, and takes some minutes (log: $guest/console)"
timeout --foreground "$limit" qemu-system-x86_64 -nodefaults -display none -no-reboot -cpu max \
	-icount shift=0,sleep=off -kernel "$root"/boot/vmlinuz-* -initrd "$root"/boot/initrd.img-* \
	-append 'root=/dev/pmem0 rw console=ttyS0 quiet panic=-1 systemd.show_status=false systemd.mask=serial-getty@ttyS0.service' \
	-machine pc,nvdimm=on -m 1024,slots=1,maxmem=4G -device nvdimm,memdev=disk \
	-object "memory-backend-file,id=disk,share=on,mem-path=$guest/disk,size=$size" -serial stdio </dev/null >"$guest/console" 2>&1 ||
	echo "service-test: the guest did not end by itself within $limit s" >&2
tr -d '\r' <"$guest/console" | sed -n 's/^check: //p'
tr -d '\r' <"$guest/console" | grep -q '^check: .* passed, 0 failed' || { echo "service-test: FAILED, see $guest/console" >&2; exit 1; }
