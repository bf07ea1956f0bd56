package shell

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// shown returns what progress writes.
func shown(p Progress, at wire.Progress) string {
	var b strings.Builder
	p.To = &b
	p.Show(at)
	return b.String()
}

// TestProgress: a bar is there only where the end is known. The line is whole: it has the elapsed
// time at each width. JSON is an object a line.
func TestProgress(t *testing.T) {
	t.Parallel()
	states := wire.Progress{Depth: 12, Distinct: 1_234_567, Generated: 9_876_543, Queue: 123_456, Seconds: 75, Memory: 5 << 30}
	walks := wire.Progress{Walks: 250, Steps: 20_000, Distinct: 999, Seconds: 75}
	for _, width := range []int{30, 60, 80, 100, 200} {
		text := shown(Progress{Width: width}, states)
		line := strings.TrimPrefix(text, "\r\x1b[K")
		if strings.Contains(line, "[") {
			t.Errorf("%d columns: a bar, and nobody knows the end: %q", width, line)
		}
		if !strings.HasPrefix(line, "depth 12") || !strings.Contains(line, "75") && !strings.Contains(line, "1m15") && !strings.Contains(line, "1 min") || utf8.RuneCountInString(line) >= width {
			t.Errorf("%d columns: %q", width, line)
		}
	}
	for _, width := range []int{80, 100} {
		large := wire.Progress{Depth: 52, Distinct: 321_769_027, Generated: 1_904_000_123, Queue: 12_345_678, Seconds: 3725, Memory: 5 << 30}
		for _, at := range []wire.Progress{states, large} {
			line := shown(Progress{Width: width}, at)
			for _, part := range []string{"depth", "distinct", "generated", "/s", "GiB"} {
				if part != "generated" && !strings.Contains(line, part) || width == 100 && !strings.Contains(line, part) {
					t.Errorf("%d columns, no %s: %q", width, part, line)
				}
			}
		}
	}
	if text := shown(Progress{Width: 100, Walks: 1000}, walks); !strings.Contains(text, "[####............]") {
		t.Errorf("a quarter of the walks: %q", text)
	}
	if text := shown(Progress{Width: 100}, walks); strings.Contains(text, "[#") {
		t.Errorf("a bar without a number of walks: %q", text)
	}
	var one struct {
		Progress wire.Progress
		Asked    int64 `json:"walks_asked"`
	}
	if text := shown(Progress{Walks: 1000, JSON: true}, walks); json.Unmarshal([]byte(text), &one) != nil || one.Progress.Walks != 250 || one.Asked != 1000 || strings.Count(text, "\n") != 1 {
		t.Errorf("%q", text)
	}
}

// TestProgressOfWalks: walks on an implementation do not count states, and say nothing of them.
func TestProgressOfWalks(t *testing.T) {
	t.Parallel()
	for distinct, want := range map[int64]string{0: "3 walks, 300 steps, 30/s, 10.00 s", 7: "3 walks, 300 steps, 7 distinct, 30/s, 10.00 s"} {
		parts, _, _ := new(Progress).parts(wire.Progress{Walks: 3, Steps: 300, Distinct: distinct, Seconds: 10}, words.Count)
		if got := strings.Join(parts, ", "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
