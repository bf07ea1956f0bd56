package gaps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/configs"
)

const acceptsViews = `system "toy" {
  source = "./toy"
}

interaction {
  accept {
    action = "Ask" # a comment that stays
    reason = "late"
    missed = 2
    views  = 9
    digest = "0123456789abcdef0123456789abcdef01234567"
  }
  accept {
    action = "Ends"
    reason = "stuck"
    missed = 1
    views  = 9
    digest = "1123456789abcdef0123456789abcdef01234567"
  }
}
`

// TestAdopt: a block without sequences accepts no gap whose sequences are known. Sequences are
// written into the blocks whose gaps have the accepted views, and the gaps are accepted from then
// on. Another sequence of the same views is not.
func TestAdopt(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "toy.hcl")
	if err := os.WriteFile(path, []byte(acceptsViews), 0o644); err != nil {
		t.Fatal(err)
	}
	load := func() *configs.Manifest {
		m, diags := configs.Load(path, configs.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return m
	}
	gap := func(digest string, missed int, sequences string) *result.Comparison {
		d := &result.Comparison{Findings: make([]result.Finding, 2)}
		d.Differences = []wire.Difference{
			{Missed: true, Cause: "Ask", Trace: &wire.Trace{}, Extent: &wire.Extent{Missed: missed, Views: 9, Digest: digest, Sequences: sequences, Complete: true}},
			{Missed: true, Observer: "Ends", Trace: &wire.Trace{}, Extent: &wire.Extent{Missed: 3, Views: 9, Digest: digest, Sequences: sequences, Complete: true}},
		}
		return d
	}
	const views, first, second = "0123456789abcdef0123456789abcdef01234567", "aaaaaaaa0f000000000000000000000000000000", "bbbbbbbb0f300000000000000000000000000000"
	m, d := load(), gap(views, 2, first)
	if AcceptGaps(d, Of(m)); d.Findings[0].Accepted || d.Findings[1].Accepted {
		t.Fatalf("accepted by its views alone: %+v", d.Findings)
	}
	if diags := Unsequenced(m, d); len(diags) != 1 || !diags.HasErrors() {
		t.Errorf("got %v, want an error about the first block", diags)
	}
	if n, diags := Adopt(m, d); n != 1 || diags.HasErrors() {
		t.Fatal(n, diags)
	}
	if !d.Findings[0].Accepted || d.Findings[1].Accepted || len(Unsequenced(m, d)) != 0 {
		t.Errorf("with its sequences: %+v", d.Findings)
	}
	text, err := os.ReadFile(path)
	want := strings.Replace(acceptsViews, `    action = "Ask" # a comment that stays
    reason = "late"
    missed = 2
    views  = 9
    digest = "`+views+`"
`, `    action    = "Ask" # a comment that stays
    reason    = "late"
    missed    = 2
    views     = 9
    digest    = "`+views+`"
    sequences = "`+first+`"
`, 1)
	if err != nil || string(text) != want {
		t.Fatalf("the manifest is\n%s\n%v", text, err)
	}
	m = load()
	if n, _ := Adopt(m, d); n != 0 || len(Unsequenced(m, d)) != 0 {
		t.Error("a block that has its sequences was changed")
	}
	d = gap(views, 2, second)
	changed := AcceptGaps(d, Of(m))
	if d.Findings[0].Accepted || changed[0] == nil {
		t.Fatalf("other sequences are accepted: %+v", d.Findings)
	}
	if text := sequencesText(changed[0], d.Differences[0].Extent); !strings.Contains(text, "of 3 observations new ones") {
		t.Errorf("got %q", text)
	}
	d = gap(views, 2, "")
	if AcceptGaps(d, Of(m)); !d.Findings[0].Accepted {
		t.Error("a gap of level L1, which has no sequences, is refused")
	}
	d.Level = "L2"
	if changed = AcceptGaps(d, Of(m)); d.Findings[0].Accepted || changed[0] == nil {
		t.Error("a gap of level L2 without sequences is taken for the accepted one")
	}
}
