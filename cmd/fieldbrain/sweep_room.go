package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// What a sweep needs of its folder's disk, in bytes: a result takes 1.8 kB in the server's
// streams and as much in the files at the end (2026-11-30); the rest is for the server's
// own and for what others write from one look to the next.
const (
	roomInStreams = 2 << 10
	roomInFiles   = 2 << 10
	roomBeside    = 16 << 20
)

// roomBefore is what a sweep of so many jobs needs before it begins.
func roomBefore(jobs int) uint64 { return roomLeft(jobs) + roomInStreams*uint64(jobs) }

// roomLeft is what it needs to the end, for its files.
func roomLeft(jobs int) uint64 { return roomBeside + roomInFiles*uint64(jobs) }

// roomTime is from one look at the disk to the next.
const roomTime = time.Second

// hasRoom refuses a folder on whose disk a sweep has no room, or no longer: a server on a
// full disk stores nothing and says nothing, and its sweep waits for ever. Where nobody can
// say what is free, whoever writes finds out.
func hasRoom(folder string, need uint64) error {
	var st unix.Statfs_t
	if err := unix.Statfs(folder, &st); err != nil || st.Blocks == 0 {
		return nil
	}
	free := st.Bavail * uint64(st.Bsize)
	if free >= need {
		return nil
	}
	return fmt.Errorf("--out: %s: %w: %.1f MB are free, the sweep needs %.1f MB: %s there, or name another folder with --out, and give the command again",
		folder, syscall.ENOSPC, float64(free)/1e6, float64(need)/1e6, room)
}

// watchRoom looks at every tick whether there is still room, until there is none or ctx
// ends.
func watchRoom(ctx context.Context, tick <-chan time.Time, look func() error) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick:
		}
		if err := look(); err != nil {
			return err
		}
	}
}
