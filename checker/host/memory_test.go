package host

import (
	"os"
	"runtime"
	"slices"
	"testing"
)

// TestMemoryShort asks with other numbers than the system's.
func TestMemoryShort(t *testing.T) {
	for _, x := range []struct {
		left, total int64
		short, gone bool
	}{{0, 0, false, false}, {100, 2000, false, false}, {99, 2000, true, false}, {50, 2000, true, false}, {49, 2000, true, true}, {2000, 2000, false, false}} {
		end := ForTestsMemory(func() (int64, int64) { return x.left, x.total })
		if short, gone := MemoryShort(), MemoryGone(); short != x.short || gone != x.gone {
			t.Errorf("%d of %d bytes: short %t, gone %t", x.left, x.total, short, gone)
		}
		end()
	}
}

// TestMemoryFiles reads files as Linux writes them.
func TestMemoryFiles(t *testing.T) {
	text := "MemTotal: 24605888 kB\nMemFree: 1000 kB\nMemAvailable:   20000000 kB\n"
	if left, total := inMeminfo([]byte(text)); left != 20000000<<10 || total != 24605888<<10 {
		t.Error(left, total)
	}
	if left, total := inMeminfo([]byte("MemTotal: 7 kB\n")); left != 0 || total != 0 {
		t.Error(left, total)
	}
	for text, want := range map[string][]string{
		"0::/\n":                       {"/sys/fs/cgroup/memory.max"},
		"0::/a.slice/b.scope\n":        {"/sys/fs/cgroup/a.slice/b.scope/memory.max", "/sys/fs/cgroup/a.slice/memory.max", "/sys/fs/cgroup/memory.max"},
		"5:cpu:/c\n4:memory:/x\n":      {"/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.limit_in_bytes"},
		"4:hugetlb,memory:/\n0::/\n":   {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory.max"},
		"12:cpu:/x\nnot a line\n\n":    nil,
		"0::/../outside:with:colons\n": {"/sys/fs/cgroup/outside:with:colons/memory.max", "/sys/fs/cgroup/memory.max"},
	} {
		var got []string
		for _, g := range groupsOf([]byte(text)) {
			got = append(got, g.folder+"/"+g.most)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if _, _, ok := inGroup([]byte("max\n"), []byte("5\n"), nil); ok {
		t.Error("no limit is one")
	}
	left, total, ok := inGroup([]byte("1000\n"), []byte("900\n"), []byte("anon 600\nfile 300\ninactive_file 250\n"))
	if !ok || left != 350 || total != 1000 {
		t.Error(left, total, ok)
	}
	left, total, ok = inGroup([]byte("1000\n"), []byte("900\n"), []byte("inactive_file 1\ntotal_inactive_file 40\n"))
	if !ok || left != 140 || total != 1000 {
		t.Error(left, total, ok)
	}
	// Version 1 has this number where there is no limit.
	if left, _, ok = inGroup([]byte("9223372036854771712\n"), []byte("900\n"), nil); !ok || left < 1<<62 {
		t.Error(left, ok)
	}
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/meminfo"); err == nil {
			if left, total := memoryLeft(); left <= 0 || total < left {
				t.Error("of this machine:", left, total)
			}
		}
	}
}
