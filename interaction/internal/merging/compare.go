package merging

import (
	"slices"

	"github.com/multigrain/multigrain/interaction/internal/footprint"
)

// What it computes. The differences between a coarse grain and the fine steps that it replaces, as
// far as footprints show them: lost writes, sources and receives, other elements and foreign reads.
//
// Why it is right. If a coarse action is some sequence of fine steps, its footprint follows from
// theirs. It writes what the steps write, from what they read, unless a later step of the sequence
// hides it. So each check asks for something that no sequence explains. Facts that guards require
// say which steps a coarse action can contain, and which it always contains: a step that takes a
// message is contained in an action that takes the message. A difference that some sequence may
// explain is not certain, and is reported only if none is certain. The converse does not hold:
// footprints without a loss do not prove that a grain preserves interactions.
//
// What it costs. For each fine step and each pair of kept variables one look at every coarse
// action.
//
// Example. The fine steps take a message and then reply. The coarse action does both and forgets
// that a server has voted:
//
//	Take    reads Msgs#ASK       writes Voted[p.I] from Msgs#ASK
//	Reply   reads Voted[p.I]     writes Msgs#YES from Voted[p.I]
//	Both    reads Msgs#ASK       writes Msgs#YES from Msgs#ASK
//
// If another module depends on Voted, then Both has lost the write of Take, for certain.

// Kind says what a coarse grain lacks, or has too much.
type Kind int

// The kinds of losses.
const (
	LostWrite    Kind = iota // an action contains a step and lacks one of its writes
	LostSource               // a variable is no longer computed from a source
	OtherElement             // an action writes another element than the steps
	LostReceive              // a kind of messages is no longer received
	ForeignRead              // a guard reads what no step reads
)

// Loss is a difference between a coarse grain and its fine steps.
type Loss struct {
	Kind   Kind
	Coarse *Step // the action it is about; nil: the grain as a whole
	Fine   *Step // the step that has what is lost
	// Variable is the one that is written, received or read. Sources lists the variables from
	// which it was computed.
	Variable int
	Sources  []int
	Element  string // that the coarse action writes
	// Certain says that no merging of fine steps has the footprint of the coarse action.
	Certain bool
	// OnAWay says that some mergings have it and some do not, of a variable that only properties
	// read: see onEveryWay.
	OnAWay bool
}

// Compare returns what the footprints of the coarse actions lack.
func (p *Program) Compare() (out []Loss) {
	p.prepare()
	for _, b := range p.Coarse {
		if p.twin(b) != nil {
			continue
		}
		out = append(out, p.lostWrites(b)...)
		out = append(out, p.otherElements(b)...)
		out = append(out, p.foreignReads(b)...)
	}
	out = append(out, p.lostSources()...)
	out = joined(append(out, p.lostReceives()...))
	for _, b := range p.Coarse {
		if p.twin(b) != nil {
			continue
		}
		for _, l := range p.onEveryWay(b, out) {
			out = slices.DeleteFunc(out, func(o Loss) bool { return !o.Certain && o.Coarse == nil && o.Variable == l.Variable })
			out = append(out, l)
		}
	}
	return out
}

// joined makes one loss of those with one cause: sources of one variable that one action lost.
// Losses that a merging may explain are one for each fine step, and none where others are certain.
func joined(all []Loss) (out []Loss) {
	certain := slices.ContainsFunc(all, func(l Loss) bool { return l.Certain })
	for _, l := range all {
		k := slices.IndexFunc(out, func(o Loss) bool {
			return l.Kind == LostSource && o.Kind == l.Kind && o.Coarse == l.Coarse && (o.Variable == l.Variable || !l.Certain && o.Fine == l.Fine)
		})
		switch {
		case !l.Certain && certain:
		case k < 0:
			out = append(out, l)
		case out[k].Variable == l.Variable && !slices.Contains(out[k].Sources, l.Sources[0]):
			out[k].Sources = append(out[k].Sources, l.Sources[0])
		}
	}
	return out
}

// lostWrites returns the kept variables that a step certainly writes and the coarse action that
// contains it does not.
func (p *Program) lostWrites(b *Step) (out []Loss) {
	for _, a := range p.contained[b] {
		for v, w := range a.writes {
			if w == nil || !p.Kept[v] && !p.readBesides(b, v) || b.writes[v] != nil || w.Keeps || p.Variables[v].Kind != "" {
				continue
			}
			if !p.hides(b, a, func(c *Step) bool { return c != a && c.writes[v] != nil }) && !p.writtenBefore(b, a, v) {
				out = append(out, Loss{Kind: LostWrite, Coarse: b, Fine: a, Variable: v, Certain: true})
			}
		}
	}
	return out
}

// readBesides reports whether the coarse grain has another action that depends on v. The grain
// then has to maintain v although no other module needs it.
func (p *Program) readBesides(not *Step, v int) bool {
	return slices.ContainsFunc(p.Coarse, func(b *Step) bool {
		if b == not || b.guard[v] {
			return b != not
		}
		return slices.ContainsFunc(b.writes, func(w *footprint.Write) bool {
			if w == nil || w.Variable == v || !p.Kept[w.Variable] {
				return false
			}
			all, _ := sources(w)
			return all[v]
		})
	})
}

// writtenBefore reports whether another step of a coarse action may write v: step a may then put
// back what v was.
func (p *Program) writtenBefore(b, a *Step, v int) bool {
	return slices.ContainsFunc(p.allowed[b], func(c *Step) bool { return c != a && c.writes[v] != nil })
}

// lostSources returns the sources of kept variables that are lost. Either a coarse action contains
// a step that has them, or the whole grain needs such a step.
func (p *Program) lostSources() (out []Loss) {
	for _, a := range p.Fine {
		for v, w := range a.writes {
			if w == nil || !p.Kept[v] {
				continue
			}
			all, _ := sources(w)
			for x := range p.Variables {
				if all[x] && x != v && p.Kept[x] {
					out = append(out, p.lostSource(a, v, x)...)
				}
			}
		}
	}
	return out
}

// lostSource decides whether source x of v, which step a has, is lost.
func (p *Program) lostSource(a *Step, v, x int) (out []Loss) {
	somewhere, explained := false, false // some coarse action has the source; some may do without
	for _, b := range p.Coarse {
		has := p.computes(b, v, x)
		somewhere = somewhere || has
		if p.twin(b) == a {
			return nil
		}
		if has || !slices.Contains(p.allowed[b], a) {
			continue
		}
		if p.explained(b, a, v, x) {
			explained = true
		} else if slices.Contains(p.contained[b], a) {
			out = append(out, Loss{Kind: LostSource, Coarse: b, Fine: a, Variable: v, Sources: []int{x}, Certain: true})
		}
	}
	if _, control := sources(a.writes[v]); control[x] && explained || p.Variables[v].Value == "Raised" {
		return out
	}
	if len(out) == 0 && !somewhere && slices.Contains(p.needed, a) {
		out = append(out, Loss{Kind: LostSource, Fine: a, Variable: v, Sources: []int{x}, Certain: !explained})
	}
	return out
}

// computes reports whether an action computes v from x.
func (p *Program) computes(b *Step, v, x int) bool {
	if b.writes[v] == nil {
		return false
	}
	all, _ := sources(b.writes[v])
	return all[x]
}

// explained reports whether a coarse action may contain step a although x is no source of v in it.
func (p *Program) explained(b, a *Step, v, x int) bool {
	w := a.writes[v]
	_, control := sources(w)
	if control[x] && b.guard[x] {
		return true // the guard decides it
	}
	if slices.ContainsFunc(a.Facts, func(f Fact) bool { return !f.Differs && p.number(f.Variable) == x }) {
		return true // the step requires a constant
	}
	for _, r := range w.Control { // a branch that is not taken there
		if y := r.Variable; y != v && (b.guard[y] || !p.Kept[y] || slices.ContainsFunc(p.allowed[b], func(c *Step) bool { return c.writes[y] != nil })) {
			return true
		}
	}
	for _, c := range p.allowed[b] { // what was just written is computed from other sources
		if from := c.writes[x]; from != nil && c != a {
			return true
		}
	}
	return p.hides(b, a, func(c *Step) bool {
		over := c.writes[v]
		if over == nil || over.Keeps {
			return false
		}
		at, exact := index(over)
		was, known := index(w)
		all, _ := sources(over)
		return exact && (at == "" || !known || at == was) && !all[x] && !all[v]
	})
}

// lostReceives returns the kinds from outside that a needed step takes and no coarse action does.
func (p *Program) lostReceives() (out []Loss) {
	for v, of := range p.Variables {
		if of.Kind == "" || of.Value == "Raised" || !p.Kept[v] || p.sentWithin(v) || !p.Outside[v] {
			continue
		}
		if slices.ContainsFunc(p.Coarse, func(b *Step) bool { return b.Print.Receives[v] != nil }) {
			continue
		}
		for _, a := range p.Fine {
			if slices.Contains(a.takes, v) {
				out = append(out, Loss{Kind: LostReceive, Fine: a, Variable: v, Certain: slices.Contains(p.needed, a)})
				break
			}
		}
	}
	return out
}

// foreignReads returns variables that the guard of a coarse action reads and the guard of no
// merging can depend on. No guard of the fine steps reads such a variable, nor a variable that the
// steps compute from it. A guard may ask whether the action would change anything, so variables
// that the steps write count as read. The steps may learn of the environment's variables by the
// messages that they miss, so a loss of that kind is not certain. A guard that reads a channel
// whatever its messages are asks for their order, which footprints do not know.
func (p *Program) foreignReads(b *Step) (out []Loss) {
	may := make([]bool, len(p.Variables))
	var order []int
	add := func(v int) {
		if !may[v] {
			may[v] = true
			order = append(order, v)
		}
	}
	for _, a := range p.Fine {
		for v, reads := range a.guard {
			if reads {
				add(v)
			}
		}
	}
	for k := 0; k < len(order); k++ {
		for _, a := range p.Fine {
			if w := a.writes[order[k]]; w != nil {
				all, _ := sources(w)
				for x := range all {
					add(x)
				}
			}
		}
	}
	for v, reads := range b.guard {
		written := slices.ContainsFunc(p.Fine, func(a *Step) bool { return a.writes[v] != nil })
		if reads && !may[v] && !written && !p.kindBlind(b, v) {
			out = append(out, Loss{Kind: ForeignRead, Coarse: b, Variable: v, Certain: !p.Environment[v]})
		}
	}
	return out
}

// kindBlind reports whether a guard reads v as one of all kinds of messages of its channels.
func (p *Program) kindBlind(b *Step, v int) bool {
	if p.Variables[v].Kind == "" {
		return false
	}
	for x, of := range p.Variables {
		if of.Kind != "" && of.Net == p.Variables[v].Net && !b.guard[x] {
			return false
		}
	}
	return true
}
