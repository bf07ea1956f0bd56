package protocol

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

func TestStateIsFlat(t *testing.T) {
	t.Parallel()
	for _, err := range modules.CheckState(reflect.TypeFor[State]()) {
		t.Error(err)
	}
}

func TestZxid(t *testing.T) {
	t.Parallel()
	zs := []Zxid{{}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 2}} // in order
	follows := map[[2]Zxid]bool{
		{{1, 1}, {}}: true, {{1, 2}, {1, 1}}: true, {{2, 1}, {}}: true, {{2, 1}, {1, 1}}: true, {{2, 1}, {1, 2}}: true,
		{{2, 2}, {2, 1}}: true,
	}
	for a, z := range zs {
		for b, y := range zs {
			if z.After(y) != (a > b) {
				t.Errorf("%v after %v: %v", z, y, z.After(y))
			}
			if z != (Zxid{}) && z.Follows(y) != follows[[2]Zxid{z, y}] {
				t.Errorf("%v follows %v: %v", z, y, z.Follows(y))
			}
		}
	}
}

func TestIndexOf(t *testing.T) {
	t.Parallel()
	a, b := Txn{Zxid: Zxid{1, 1}}, Txn{Zxid: Zxid{1, 2}}
	for _, c := range []struct {
		history []Txn
		z       Zxid
		want    int
	}{
		{nil, Zxid{}, 0}, {nil, a.Zxid, 1}, {[]Txn{a, b}, Zxid{}, 0}, {[]Txn{a, b}, a.Zxid, 1}, {[]Txn{a, b}, b.Zxid, 2},
		{[]Txn{a}, b.Zxid, 2}, {[]Txn{a, a}, a.Zxid, 3},
	} {
		h := history(c.history...)
		if have := indexOf(&h, c.z); have != c.want {
			t.Errorf("%v in %v: %d, want %d", c.z, c.history, have, c.want)
		}
	}
}

func history(txns ...Txn) (h History) {
	for _, t := range txns {
		h.Append(t)
	}
	return h
}

func initial() (s State) {
	Init(func(init State) bool { s = init; return true })
	return s
}

// names gives constants their names, as the catalog's enumerations do.
func names(t reflect.Type, v int64) (string, bool) {
	list := map[reflect.Type][]string{
		reflect.TypeFor[ServerState](): {"LOOKING", "FOLLOWING", "LEADING"},
		reflect.TypeFor[ZabState]():    {"ELECTION", "DISCOVERY", "SYNCHRONIZATION", "BROADCAST"},
		reflect.TypeFor[Kind](): {"NoKind", "CEPOCH", "NEWEPOCH", "ACKEPOCH", "NEWLEADER", "ACKLD", "COMMITLD", "PROPOSE", "ACK",
			"COMMIT"},
		reflect.TypeFor[Assertion](): {"StateInconsistent", "ProposalInconsistent", "CommitInconsistent", "AckInconsistent"},
	}[t]
	if t == reflect.TypeFor[Server]() && v < 0 {
		return "none", true
	}
	if v < 0 || v >= int64(len(list)) {
		return "", false
	}
	return list[v], true
}

// text returns a value on one line.
func text(v modules.View) string {
	open := map[modules.Shape][2]string{
		modules.Record: {"(", ")"}, modules.Function: {"[", "]"}, modules.Sequence: {"<", ">"},
		modules.Collection: {"{", "}"}, modules.Mapping: {"{", "}"},
	}
	if v.Shape == modules.Scalar {
		return v.Text
	}
	out := open[v.Shape][0]
	for k, e := range v.Elems {
		if k > 0 {
			out += " "
		}
		if v.Shape == modules.Mapping {
			out += v.Names[k] + ":"
		}
		out += text(e)
	}
	return out + open[v.Shape][1]
}

// differences lists the variables that differ, by server where they belong to one.
func differences(a, b modules.View) (out []string) {
	for k, name := range a.Names {
		x, y := a.Elems[k], b.Elems[k]
		if reflect.DeepEqual(x, y) {
			continue
		}
		if x.Shape != modules.Function {
			out = append(out, fmt.Sprintf("%s = %s", name, text(y)))
			continue
		}
		for i := range x.Elems {
			if !reflect.DeepEqual(x.Elems[i], y.Elems[i]) {
				out = append(out, fmt.Sprintf("%s[%d] = %s", name, i, text(y.Elems[i])))
			}
		}
	}
	return slices.Clip(out)
}
