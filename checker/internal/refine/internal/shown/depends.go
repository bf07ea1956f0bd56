package shown

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// What it computes. The variables and kinds of messages of a node that depend on events which the
// stream does not show.
//
// Why it is right. An action that takes or sends such a kind, or is such an input, may have
// happened without a trace. So all that it writes may have another value than in each state of the
// check. The same holds for what another action writes under a guard that reads such a variable, or
// computes from one. That is a least fixed point over the footprints of the node's actions.
// Messages that the node receives are no part of it, since the stream shows them. A message in the
// same lane as one that depends on absent events may stand before or after it, so it depends on
// them, too.
//
// What it costs. A few passes over the footprints, each time no schedule is found.
//
// Example. The stream has no notifications of elections:
//
//	Notify     takes NOTIFICATION, writes Vote                      Vote depends on them
//	Follow     guard reads Vote, sends FOLLOWERINFO, writes State   so do FOLLOWERINFO and State
//	Answer     takes PING, sends PONG                               PONG does not

// dependent returns the variables and kinds that depend on absent ones: kinds as Msgs#PING, and
// actions of inputs.
func (c *Composition) dependent(absent map[string]bool) map[string]bool {
	out := map[string]bool{}
	received := func(variable string, index []string) bool {
		return c.network(variable) >= 0 && len(index) > 0 && index[0] != "p.I"
	}
	reads := func(a modules.Access) bool { return !received(a.Variable, a.Index) && out[root(a.Variable)] }
	isAbsent := func(name string) bool { return absent[name] }
	for before := -1; before < len(out); {
		before = len(out)
		for _, f := range c.Footprints {
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
func (c *Composition) depends(out map[string]bool, variable string) {
	out[root(variable)] = true
	x := c.network(variable)
	if x < 0 {
		return
	}
	_, name, one := strings.Cut(variable, "#")
	lanes := map[int]bool{}
	for _, k := range c.Kinds {
		if k.Net == x && (!one || k.Name == name) {
			lanes[c.Lane(k.Number)] = true
		}
	}
	for _, k := range c.Kinds {
		if lanes[c.Lane(k.Number)] {
			out[c.variable(k)] = true
		}
	}
}

// network returns the number of the network of a variable; -1 for another variable.
func (c *Composition) network(variable string) int {
	return slices.IndexFunc(c.Networks, func(name string) bool {
		rest, ok := strings.CutPrefix(variable, name)
		return ok && (rest == "" || rest[0] == '#' || rest[0] == '.')
	})
}

// variable returns the variable of a footprint that stands for the messages of a kind.
func (c *Composition) variable(k Kind) string { return c.Networks[k.Net] + "#" + k.Name }

// root returns the field of the state that a variable is a part of. Kinds of messages are apart.
func root(variable string) string {
	field, _, _ := strings.Cut(variable, ".")
	return field
}
