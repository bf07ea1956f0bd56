package multigrain_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/configs"
)

var updateHolds = flag.Bool("holds", false, "write "+holdsFile)

const holdsFile = "docs/results/holds.md"

const holdsIntroduction = `# What holds, and on what it stands

Written by ` + "`go test . -run TestHolds -holds`" + ` from the shipped manifests of system zab and from
` + "`configs/testdata/snapshot.tsv`" + `; do not edit. All states within the bounds of each manifest were
explored. That says nothing about larger bounds. Two things can hide a violation within them:

- *Joins late: no*. Election is coarse as in figure 5b of the Remix paper: a server joins a leader
  only in an election of all that are reachable. No follower joins again while its leader serves. That hides, for example, [truncated-ack](findings/truncated-ack.md).
- *Compared*. L0 compares footprints only, so it says nothing about behaviours. L2 compares
  behaviours within small bounds, with the finest grains or *against* those that are named. *A gap
  accepted* is a behaviour that the coarse grain lacks; the manifest names it.

*Bounds* are transactions in a history, crashes, partitions and others that are not 0.
[larger-bounds.md](larger-bounds.md) says what is known of the next larger value of each.

| manifest | bounds | states | joins late | compared |
|---|---|---|---|---|
`

// holdsLarger are runs that no test repeats.
const holdsLarger = `
## Larger bounds, run once

2026-11-26 and 2026-11-27, two cores at a load of 8 to 14, one worker. All states were explored.
Servers join late. The two largest took 441 and 467 processor seconds, so an hour has room for about
eight times as many states. Their next steps, a third partition or a third crash with two
partitions, would have about ten times as many. They were not tried. What was tried and did not end
is in [hunt.md](hunt.md).

| command | states, depth | processor seconds | memory |
|---|---|---|---|
| ` + "`check configs/zab/mspec-1-join.hcl -var crashes=2 -var partitions=2`" + ` | 326 217 334, 68 | 441 | 4.7 GB, and room on disk |
| ` + "`check configs/zab/mspec-1-join.hcl -var crashes=3`" + ` | 323 943 531, 67 | 467 | 4.7 GB, and room on disk |
| ` + "`check configs/zab/mspec-1-join.hcl -var crashes=2`" + ` | 27 751 881, 57 | not measured; 92 s from start to end | 0.4 GB |
| ` + "`check configs/zab/fixes/repairs-power.hcl -var partitions=1`" + ` | 29 661 409, 75 | 60 | 0.6 GB |
| ` + "`check configs/zab/fixes/repairs-power.hcl -var transactions=2`" + ` | 45 857 087, 78 | 112 | 0.7 GB |
| ` + "`check configs/zab/fixes/repairs.hcl -var transactions=2 -var crashes=2 -var partitions=0`" + ` | 41 986 498, 78 | 88 | 0.6 GB |
| ` + "`check configs/zab/hunt/five.hcl -var partitions=1`" + `, five servers | 153 890 263, 47 | 400 | 2.4 GB |
`

// joinsLate says whether a server can join a leader that has its quorum, for grains of Election.
var joinsLate = map[string]string{"coarse": "no", "coarse-join": "yes", "coarse-election": "yes", "node": "yes", "node-votes": "yes", "baseline": "yes"}

// TestHolds compares docs/results/holds.md with the manifests that hold.
//
//	go test . -run TestHolds -holds    writes it
func TestHolds(t *testing.T) {
	var b strings.Builder
	b.WriteString(holdsIntroduction)
	for _, r := range readSnapshot(t) {
		if r.Verdict != "holds" || !strings.HasPrefix(r.Manifest, "configs/zab/") {
			continue
		}
		m, diags := configs.Load(r.Manifest, configs.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if m.System.Name != "zab" || !strings.HasSuffix(m.System.Source.Value, "/zab") {
			continue
		}
		grain := configs.NodeGrain // of node = true
		if e := m.Module("election"); e != nil {
			grain = e.Grain.Value
		}
		joins, known := joinsLate[grain]
		if !known {
			t.Errorf("%s: nothing says whether servers join late at grain %q of election", r.Manifest, grain)
		}
		compared := "L0"
		if x := m.Interaction; x != nil {
			compared = x.Level.Or("L0")
			for k, g := range x.Against {
				compared += []string{" against ", " and "}[min(k, 1)] + g.Name + "/" + g.Value.AsString()
			}
			if n := len(x.Accept); n == 1 {
				compared += ", a gap accepted"
			} else if n > 1 {
				compared += fmt.Sprintf(", %d gaps accepted", n)
			}
		}
		if joins == "yes" && grain == "baseline" {
			compared = "no coarse grain of Election"
		}
		if strings.HasPrefix(r.Manifest, "configs/zab/fixes/") && strings.HasPrefix(compared, "L0") {
			t.Errorf("%s: a repair that holds rests on level L2 or L3, and this one states L0", r.Manifest)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(r.Manifest, "configs/zab/"), ".hcl")
		fmt.Fprintf(&b, "| [%s](../../%s) | %s | %s | %s | %s |\n", name, r.Manifest, boundsOf(m), spaced(r.Distinct), joins, compared)
	}
	b.WriteString(holdsLarger)
	if *updateHolds {
		if err := os.WriteFile(holdsFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.FromSlash(holdsFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != b.String() {
		t.Errorf("%s is not what the manifests say: run\n  go test . -run TestHolds -holds", holdsFile)
	}
}

// boundsOf returns the bounds of a manifest in words: those that limit what clients and faults do.
// Faults that do not occur are left out, except crashes and partitions.
func boundsOf(m *configs.Manifest) string {
	names := []string{"servers", "transactions", "crashes", "partitions"}
	for _, fault := range []string{"losses", "closings", "snapshots", "timeouts"} {
		if x, ok := m.Bounds.Get(fault); ok {
			if n, ok := x.Int(); ok && n > 0 {
				names = append(names, fault)
			}
		}
	}
	return m.Bounds.InWords(append(names, "epochs")...)
}

// spaced writes a number with spaces between groups of three digits.
func spaced(n int) string {
	s := fmt.Sprint(n)
	for k := len(s) - 3; k > 0; k -= 3 {
		s = s[:k] + " " + s[k:]
	}
	return s
}
