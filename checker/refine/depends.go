package refine

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// What it computes. The variables and kinds of messages of a node that depend on events which the
// stream cannot have.
//
// Why it is right. An action that takes or sends an absent kind, or is an absent input, may have
// happened and no search knows. So all that it writes may have another value than in each state of
// the check. The same holds for what another action writes under a guard that reads such a
// variable, or computes from one. That is a least fixed point over the footprints of the node's
// actions. Messages that the node receives are no part of it, since the stream shows them. A
// message in the same lane as one that depends on absent events may stand before or after it, so it
// depends on them, too.
//
// What it costs. A few passes over the footprints, where the check finds no schedule.
//
// Example. The stream has no notifications of elections:
//
//	Notify     takes NOTIFICATION, writes Vote    Vote depends on them
//	Follow     guard reads Vote, sends FOLLOWERINFO, writes State   so do FOLLOWERINFO and State
//	Answer     takes PING, sends PONG             no: a PONG that no schedule sends is an alarm

// live gathers the footprints of the actions that the node can take.
func (d *deriver[S]) live(actions []modules.SpecAction[S], classes []PlanAction, stands []modules.SpecAction[S]) {
	for k := range actions {
		if c := classes[k].Class; c != Environment && c != Replaced && c != Irrelevant {
			d.node.prints = append(d.node.prints, d.footprint(actions[k].Name))
		}
	}
	for k := range stands {
		d.node.prints = append(d.node.prints, d.footprint(stands[k].Name))
	}
}

// dependent returns the variables and kinds that depend on absent ones: kinds as Msgs#PING, and
// actions of inputs.
func (c *Checker[S]) dependent(absent map[string]bool) map[string]bool {
	out := map[string]bool{}
	// What the node has received the stream shows.
	received := func(variable string, index []string) bool {
		return c.network(variable) >= 0 && len(index) > 0 && index[0] != "p.I"
	}
	reads := func(a modules.Access) bool { return !received(a.Variable, a.Index) && out[root(a.Variable)] }
	isAbsent := func(name string) bool { return absent[name] }
	for before := -1; before < len(out); {
		before = len(out)
		for _, f := range c.prints {
			all := absent[f.Name] || slices.ContainsFunc(f.Receives, isAbsent) || slices.ContainsFunc(f.Sends, isAbsent) || slices.ContainsFunc(f.Guard, reads)
			for k := range f.Writes {
				w := &f.Writes[k]
				if slices.ContainsFunc(w.Elements, func(e modules.Element) bool { return !received(w.Variable, e.Index) }) &&
					(all || slices.ContainsFunc(w.Sources(), reads)) {
					c.depends(out, w.Variable)
				}
			}
		}
	}
	return out
}

// depends adds a variable, and with a kind those that share its lane.
func (c *Checker[S]) depends(out map[string]bool, variable string) {
	out[root(variable)] = true
	x := c.network(variable)
	if x < 0 {
		return
	}
	_, name, one := strings.Cut(variable, "#")
	lanes := map[int]bool{}
	for _, k := range c.compares {
		if k.net == x && (!one || k.name == name) {
			lanes[c.laneOf(k.kind)] = true
		}
	}
	for _, k := range c.compares {
		if lanes[c.laneOf(k.kind)] {
			out[c.variable(k)] = true
		}
	}
}

// network returns the number of the network of a variable; -1 for another variable.
func (n *node[S]) network(variable string) int {
	return slices.IndexFunc(n.nets, func(x net) bool {
		rest, ok := strings.CutPrefix(variable, x.Variable)
		return ok && (rest == "" || rest[0] == '#' || rest[0] == '.')
	})
}

// variable returns the variable of a footprint that stands for the messages of a kind.
func (n *node[S]) variable(k compared) string { return n.nets[k.net].Variable + "#" + k.name }

// root returns the field of the state that a variable is a part of. Kinds of messages are apart.
func root(variable string) string {
	field, _, _ := strings.Cut(variable, ".")
	return field
}
