package host

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What it computes. Whether the machine, or the control group of this process, has hardly any
// memory left. The kernel of Linux ends a process that asks for more than there is, and all that
// the process has found is lost. So a search ends by itself before that.
//
// What it costs. Some files are read, at most fifty times a second.
//
// Limits. Other processes can take what is left at any time. Where a system does not tell, memory
// is never short.

// least is the part of all memory that is left when it is short: a twentieth.
const least = 20

var shortage struct {
	mu    sync.Mutex
	until time.Time
	short bool
	left  func() (left, total int64) // what tests ask instead of the system
}

// MemoryShort reports whether less than a twentieth of the memory is left that this process may
// use.
func MemoryShort() bool {
	s := &shortage
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.After(s.until) || s.left != nil {
		read := s.left
		if read == nil {
			read = memoryLeft
		}
		left, total := read()
		s.until, s.short = now.Add(20*time.Millisecond), left < total/least
	}
	return s.short
}

// ForTestsMemory takes what a function returns for the memory that is left, and for all memory, in
// bytes. It returns a function that ends this.
func ForTestsMemory(left func() (left, total int64)) (end func()) {
	set := func(f func() (left, total int64)) {
		shortage.mu.Lock()
		defer shortage.mu.Unlock()
		shortage.left, shortage.until = f, time.Time{}
	}
	set(left)
	return func() { set(nil) }
}

// memoryLeft returns how many bytes are left, and how many there are, for the system or for the
// control group of this process, whichever has less. Both are 0 where the system does not tell.
func memoryLeft() (left, total int64) {
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, 0
	}
	left, total = inMeminfo(info)
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return left, total
	}
	if group, ok := groupOf(own); ok {
		folder := "/sys/fs/cgroup" + group + "/"
		most, _ := os.ReadFile(folder + "memory.max")
		now, _ := os.ReadFile(folder + "memory.current")
		stat, _ := os.ReadFile(folder + "memory.stat")
		if l, t, ok := inGroup(most, now, stat); ok && l < left {
			return l, t
		}
	}
	return left, total
}

// inMeminfo reads /proc/meminfo, whose unit is 1024 bytes.
func inMeminfo(text []byte) (left, total int64) {
	left, ok := valueOf(text, "MemAvailable:")
	total, all := valueOf(text, "MemTotal:")
	if !ok || !all {
		return 0, 0
	}
	return left << 10, total << 10
}

// groupOf returns the control group in /proc/self/cgroup, as version 2 writes it.
func groupOf(text []byte) (group string, ok bool) {
	for line := range strings.Lines(string(text)) {
		if group, ok := strings.CutPrefix(strings.TrimSpace(line), "0::/"); ok {
			return strings.TrimSuffix("/"+group, "/"), true
		}
	}
	return "", false
}

// inGroup reads the files memory.max, memory.current and memory.stat of a control group. What files
// of the disk take can be had back.
func inGroup(most, now, stat []byte) (left, total int64, ok bool) {
	total, err := strconv.ParseInt(string(bytes.TrimSpace(most)), 10, 64)
	if err != nil { // no limit
		return 0, 0, false
	}
	used, err := strconv.ParseInt(string(bytes.TrimSpace(now)), 10, 64)
	if err != nil {
		return 0, 0, false
	}
	files, _ := valueOf(stat, "inactive_file")
	return total - used + files, total, true
}

// valueOf returns the number after a name at the beginning of a line.
func valueOf(text []byte, name string) (n int64, ok bool) {
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == name {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
