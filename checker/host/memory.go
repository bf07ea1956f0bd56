package host

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
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

// NoMemory is the reason of a result that short memory ended.
const NoMemory = "there is hardly any memory left"

// The parts of all memory below which it is short, and almost gone.
const (
	short = 20
	gone  = 40
)

var shortage struct {
	mu          sync.Mutex
	until       time.Time
	left, total int64
	asked       func() (left, total int64) // what tests ask instead of the system
}

// MemoryShort reports whether less than a twentieth of the memory is left that this process may
// use. A search ends then, and has room to write what it has found.
func MemoryShort() bool { return below(short) }

// MemoryGone reports whether less than a fortieth is left. Nothing more may be taken then.
func MemoryGone() bool { return below(gone) }

func below(part int64) bool {
	s := &shortage
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.After(s.until) || s.asked != nil {
		read := s.asked
		if read == nil {
			read = memoryLeft
		}
		s.until = now.Add(20 * time.Millisecond)
		s.left, s.total = read()
	}
	return s.left < s.total/part
}

// ForTestsMemory takes what a function returns for the memory that is left, and for all memory, in
// bytes. It returns a function that ends this.
func ForTestsMemory(left func() (left, total int64)) (end func()) {
	set := func(f func() (left, total int64)) {
		shortage.mu.Lock()
		defer shortage.mu.Unlock()
		shortage.asked, shortage.until = f, time.Time{}
	}
	set(left)
	return func() { set(nil) }
}

// memoryLeft returns how many bytes are left, and how many there are, for the system or for a
// control group that this process is in, whichever has the least. Both are 0 where the system does
// not tell.
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
	for _, g := range groupsOf(own) {
		read := func(name string) []byte {
			text, _ := os.ReadFile(filepath.Join(g.folder, name))
			return text
		}
		if l, t, ok := inGroup(read(g.most), read(g.now), read("memory.stat")); ok && l < left {
			left, total = l, t
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

// group is a control group with the files that have its limit and what it takes.
type group struct{ folder, most, now string }

// groupsOf returns the control groups of memory in /proc/self/cgroup, each with those above it,
// whose limits count, too. In a container the named group may have its files at the top.
func groupsOf(text []byte) (all []group) {
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) < 3 {
			continue
		}
		var g group
		switch {
		case part[0] == "0" && part[1] == "": // version 2
			g = group{"/sys/fs/cgroup", "memory.max", "memory.current"}
		case slices.Contains(strings.Split(part[1], ","), "memory"):
			g = group{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"}
		default:
			continue
		}
		for at := path.Clean("/" + part[2]); ; at = path.Dir(at) {
			all = append(all, group{path.Join(g.folder, at), g.most, g.now})
			if at == "/" {
				break
			}
		}
	}
	return all
}

// inGroup reads the files of a control group: its limit, what it takes, and memory.stat. What files
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
	files, ok := valueOf(stat, "total_inactive_file") // of version 1: with the groups below
	if !ok {
		files, _ = valueOf(stat, "inactive_file")
	}
	return total - max(used-files, 0), total, true
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
