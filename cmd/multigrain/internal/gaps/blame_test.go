package gaps

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/modules"
)

// joining is a composition with two coarse actions: Elect, whose effect is a function of its own,
// and Join.
func joining() *compose.Comparison {
	return &compose.Comparison{
		Mixed: &compose.Composition{Catalog: &grains.Catalog{}},
		Views: &interaction.Views{
			Coarse: []interaction.CoarseAction{
				{Action: "Elect", At: grains.Place{File: "elect.go", Line: 3}, Allowed: []string{"Ack"}, Alike: map[string]int{"Ack": 20}},
				{Action: "Join", At: grains.Place{File: "join.go", Line: 5}, Allowed: []string{"Ack"}, Alike: map[string]int{"Ack": 90}},
			},
			Writers: []interaction.Writer{{Action: "Elect", Variable: "Leader", At: []modules.Position{{File: "elect.go", Line: 40}}}},
		},
	}
}

// TestPlaceOfMissed: a missed behaviour is placed where the blamed action writes what differs. If
// the guard of the action refused it, it is placed at the action. Without a blamed action it is the
// one whose guard is most like that of the finer step.
func TestPlaceOfMissed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lacking string
		refused bool
		file    string
		line    int
	}{
		{"Elect", false, "elect.go", 40},
		{"Elect", true, "elect.go", 3},
		{"Join", true, "join.go", 5},
		{"", false, "join.go", 5},
	} {
		variable := "Leader"
		if c.lacking == "" {
			variable = "Log"
		}
		d := &wire.Difference{Missed: true, Observer: "Sync", Cause: "Ack", Variable: variable, Lacking: c.lacking, Refused: c.refused, Trace: &wire.Trace{},
			Here: &modules.View{}, There: &modules.View{}}
		if f := FindingOf(joining(), d); f.File != c.file || f.Line != c.line {
			t.Errorf("lacking %q, refused %t: placed at %s:%d", c.lacking, c.refused, f.File, f.Line)
		}
	}
}

// TestNewestPart: of a gap that has grown, the action counts that should have led to what is new.
func TestNewestPart(t *testing.T) {
	t.Parallel()
	missing := func(numbers ...uint64) (out []wire.Missing) {
		for _, x := range numbers {
			out = append(out, wire.Missing{Fingerprint: wire.FingerprintOf(x)})
		}
		return out
	}
	accepted := new(configs.Acceptance)
	accepted.Digest.Value = wire.DigestOf([]uint64{1, 2})
	gap := func(numbers ...uint64) *wire.Difference {
		return &wire.Difference{Missed: true, Lacking: "Elect", Missing: missing(numbers...), Also: []wire.Sight{
			{Observer: "Sync", Lacking: "Elect", Missing: []wire.Fingerprint{wire.FingerprintOf(2)}},
			{Observer: "Fail", Lacking: "Join", Refused: true, Missing: []wire.Fingerprint{wire.FingerprintOf(7)}},
		}}
	}
	if d := newest(gap(1, 2, 7), accepted); d.Lacking != "Join" || !d.Refused {
		t.Errorf("what Join should have led to is blamed on %s", d.Lacking)
	}
	if d := newest(gap(1, 2, 9), accepted); d.Lacking != "Elect" || d.Refused {
		t.Errorf("what the gap itself shows is blamed on %s", d.Lacking)
	}
}

// TestTextOfMessages: a difference shows a message with the fields of its kind.
func TestTextOfMessages(t *testing.T) {
	t.Parallel()
	message := func(zxid string) *modules.View {
		return &modules.View{Shape: modules.Record, Names: []string{"Kind", "Zxid", "Data"}, Elems: []modules.View{{Text: "ACK"}, {Text: zxid}, {Text: "0"}}}
	}
	d := &wire.Difference{Missed: true, Observer: "Take", Variable: "Msgs", Cell: "Msgs[0][1]#ACK", Here: message("1"), There: message("2"), Trace: &wire.Trace{}}
	got := Text(d, narrate.Known{Messages: map[string][]string{"ACK": {"Zxid"}}})
	if !strings.Contains(got, "Msgs[0][1]#ACK = {Kind: ACK, Zxid: 1};") || !strings.Contains(got, "it is {Kind: ACK, Zxid: 2} after") {
		t.Error(got)
	}
}
