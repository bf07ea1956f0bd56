package host

import (
	"os"
	"runtime"
	"testing"
)

// TestMemoryShort asks with other numbers than the system's.
func TestMemoryShort(t *testing.T) {
	for _, x := range []struct {
		left, total int64
		want        bool
	}{{0, 0, false}, {100, 2000, false}, {99, 2000, true}, {2000, 2000, false}} {
		end := ForTestsMemory(func() (int64, int64) { return x.left, x.total })
		if got := MemoryShort(); got != x.want {
			t.Errorf("%d of %d bytes: %t", x.left, x.total, got)
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
	for text, want := range map[string]string{"0::/\n": "", "0::/a.slice/b.scope\n": "/a.slice/b.scope", "12:cpu:/x\n0::/y\n": "/y"} {
		if group, ok := groupOf([]byte(text)); !ok || group != want {
			t.Errorf("%q: %q, %t", text, group, ok)
		}
	}
	if _, ok := groupOf([]byte("4:memory:/x\n")); ok {
		t.Error("version 1 has no such group")
	}
	if _, _, ok := inGroup([]byte("max\n"), []byte("5\n"), nil); ok {
		t.Error("no limit is one")
	}
	left, total, ok := inGroup([]byte("1000\n"), []byte("900\n"), []byte("anon 600\nfile 300\ninactive_file 250\n"))
	if !ok || left != 350 || total != 1000 {
		t.Error(left, total, ok)
	}
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/meminfo"); err == nil {
			if left, total := memoryLeft(); left <= 0 || total < left {
				t.Error("of this machine:", left, total)
			}
		}
	}
}
