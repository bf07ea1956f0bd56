package refine

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/refine/record"
	"github.com/multigrain/multigrain/modules"
)

// clash is a message that a state has produced where the stream has another one.
type clash struct {
	pos      int64
	produced []byte
}

// clashed notes that a state produced a message that was not visible then, and differs from what
// the stream has at position pos.
func (c *Checker[S]) clashed(pos int64, produced []byte) {
	if len(c.clashes) < 8*maxAlternatives {
		c.clashes = append(c.clashes, clash{pos, bytes.Clone(produced)})
	}
}

// lastClash returns the last position at which a state produced something else, and what.
func (c *Checker[S]) lastClash(p int64) (at int64, met []mismatch) {
	at = p
	for _, x := range c.clashes {
		at = max(at, x.pos)
	}
	for _, x := range c.clashes {
		same := func(m mismatch) bool { return bytes.Equal(m.msg, x.produced) }
		if x.pos == at && len(met) < maxAlternatives && !slices.ContainsFunc(met, same) {
			met = append(met, mismatch{x.produced, ""})
		}
	}
	return at, met
}

// why says of an alarm for which there is no alternative what keeps schedules from sending anything
// in its place.
func (c *Checker[S]) why(e *Event[S], before []record.Record) string {
	if c.barred {
		return "schedules send this message, but only behind others to that server that the stream has later"
	}
	text := fmt.Sprintf("no schedule sends anything to server %d here", e.Peer)
	if c.lanes > 1 {
		text = fmt.Sprintf("no schedule sends a message of its lane to server %d here", e.Peer)
	}
	if n := len(before); n > 0 {
		text += fmt.Sprintf(", from any of the %d states in which the node may be", n)
	}
	return text
}

// differing returns the fields in which two messages differ.
func (c *Checker[S]) differing(a, b []byte) string {
	x, y := c.view(a), c.view(b)
	var names []string
	for k, name := range x.Names {
		if !reflect.DeepEqual(x.Elems[k], y.Elems[k]) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// stateView returns a state's row.
func (c *Checker[S]) stateView(r record.Record) *modules.View {
	*c.s = c.base
	c.load(c.s, r[:c.rowSize])
	defer func() { *c.s, c.at = c.base, c.at[:0] }()
	v := modules.View{Shape: modules.Record}
	of := reflect.ValueOf(c.s).Elem()
	for _, name := range c.plan.Variables {
		v.Names = append(v.Names, name)
		v.Elems = append(v.Elems, modules.ViewOf(of.FieldByName(name).Index(c.me).Interface(), c.names))
	}
	return &v
}
