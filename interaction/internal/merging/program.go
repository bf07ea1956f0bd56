package merging

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/internal/footprint"
)

// Step is an action, fine or coarse.
type Step struct {
	Name  string
	Print *footprint.Result
	Facts []Fact // that its guard requires

	guard  []bool             // by variable: the guard reads it
	writes []*footprint.Write // by variable
	takes  []int              // kinds of messages that it takes whenever it is done
}

// Program is a coarse grain together with the fine steps that it replaces.
type Program struct {
	Variables    []footprint.Variable
	Fine, Coarse []*Step
	// Kept are the variables that the coarse grain must keep, by number.
	Kept []bool
	// Judged are those of Kept that only properties read: no module depends on them.
	Judged []bool
	// Outside are those that actions write which the grain does not replace.
	Outside []bool
	// Environment are those that only actions of the environment write.
	Environment []bool
	// Initial is the constant that each variable has at first; "" if it is not one.
	Initial []string

	allowed   map[*Step][]*Step // by coarse action: fine steps that it can contain
	contained map[*Step][]*Step // by coarse action: fine steps that it always contains
	needed    []*Step           // fine steps that some coarse action always contains
}

// Counterparts returns, by name, the fine steps that coarse action b always contains, and those
// that it can contain. Call Compare first.
func (p *Program) Counterparts(b *Step) (contained, allowed []string) {
	for _, a := range p.contained[b] {
		contained = append(contained, a.Name)
	}
	for _, a := range p.allowed[b] {
		allowed = append(allowed, a.Name)
	}
	return contained, allowed
}

// Alike compares the guards of coarse action b and of the fine steps that it can contain. By step
// it returns how many per cent of the variables that one guard reads both read. Call Compare first.
func (p *Program) Alike(b *Step) map[string]int {
	out := map[string]int{}
	for _, a := range p.allowed[b] {
		both, either := 0, 0
		for v := range p.Variables {
			if a.guard[v] && b.guard[v] {
				both++
			}
			if a.guard[v] || b.guard[v] {
				either++
			}
		}
		out[a.Name] = 100 * both / max(either, 1)
	}
	return out
}

// prepare computes what Compare needs.
func (p *Program) prepare() {
	for _, s := range slices.Concat(p.Fine, p.Coarse) {
		s.guard = make([]bool, len(p.Variables))
		s.writes = make([]*footprint.Write, len(p.Variables))
		for _, r := range s.Print.Guard {
			s.guard[r.Variable] = true
		}
		for k := range s.Print.Writes {
			s.writes[s.Print.Writes[k].Variable] = &s.Print.Writes[k]
		}
		s.takes = p.takenBy(s)
	}
	p.allowed, p.contained = map[*Step][]*Step{}, map[*Step][]*Step{}
	for _, b := range p.Coarse {
		p.allowed[b] = p.mayContain(b)
	}
	for _, b := range p.Coarse {
		p.contained[b] = p.mustContain(b)
		if a := p.twin(b); a != nil {
			p.contained[b] = []*Step{a}
		}
		for _, a := range p.contained[b] {
			if !slices.Contains(p.needed, a) {
				p.needed = append(p.needed, a)
			}
		}
	}
	for k := 0; k < len(p.needed); k++ {
		for _, f := range p.needed[k].Facts {
			if a := p.onlyProducer(f); a != nil && !slices.Contains(p.needed, a) {
				p.needed = append(p.needed, a)
			}
		}
	}
}

// takenBy returns the kinds that a step certainly takes: of each Net the one kind that the guard
// reads and the effect receives.
func (p *Program) takenBy(s *Step) (out []int) {
	byNet := map[string][]int{}
	for v, of := range p.Variables {
		if of.Kind != "" && s.guard[v] && s.Print.Receives[v] != nil {
			byNet[of.Net] = append(byNet[of.Net], v)
		}
	}
	for _, kinds := range byNet {
		if len(kinds) == 1 {
			out = append(out, kinds[0])
		}
	}
	slices.Sort(out)
	return out
}

// twin returns the fine step that is the same action as a coarse one, nil if there is none.
func (p *Program) twin(b *Step) *Step {
	for _, a := range p.Fine {
		if a.Name == b.Name {
			return a
		}
	}
	return nil
}

// sentWithin reports whether a fine step may send a kind of messages.
func (p *Program) sentWithin(kind int) bool {
	return slices.ContainsFunc(p.Fine, func(a *Step) bool { return a.Print.Sends[kind] != nil })
}

// mayContain returns the fine steps that a coarse action may contain. An action that both grains
// have contains itself. Any other one contains no step that takes a kind of messages from outside
// which the action does not take.
func (p *Program) mayContain(b *Step) (out []*Step) {
	if a := p.twin(b); a != nil {
		return []*Step{a}
	}
	for _, a := range p.Fine {
		if !slices.ContainsFunc(a.takes, func(k int) bool { return !p.sentWithin(k) && b.Print.Receives[k] == nil }) {
			out = append(out, a)
		}
	}
	return out
}

// mustContain returns the fine steps without which a coarse action cannot have its effects. They
// are the only ones that send or receive a kind, or that write a kept variable. Further ones alone
// can make a fact true that such a step requires.
func (p *Program) mustContain(b *Step) (out []*Step) {
	may := p.allowed[b]
	add := func(does func(a *Step) bool) {
		var found []*Step
		for _, a := range may {
			if does(a) {
				found = append(found, a)
			}
		}
		if len(found) == 1 && !slices.Contains(out, found[0]) {
			out = append(out, found[0])
		}
	}
	for v := range p.Variables {
		switch {
		case b.Print.Sends[v] != nil:
			add(func(a *Step) bool { return a.Print.Sends[v] != nil })
		case b.Print.Receives[v] != nil:
			add(func(a *Step) bool { return a.Print.Receives[v] != nil })
		case p.Kept[v] && b.writes[v] != nil:
			add(func(a *Step) bool { return a.writes[v] != nil })
		}
	}
	for k := 0; k < len(out); k++ {
		for _, f := range out[k].Facts {
			if a := p.onlyProducer(f); a != nil && slices.Contains(may, a) && !slices.Contains(out, a) && !p.between(f) {
				out = append(out, a)
			}
		}
	}
	return out
}

// number finds a variable by name; -1 if there is none.
func (p *Program) number(name string) int {
	return slices.IndexFunc(p.Variables, func(v footprint.Variable) bool { return v.Name == name })
}

// onlyProducer returns the one fine step that can make a fact true. It returns nil if there are
// several, if the fact may hold at first, or if somebody else may make it true.
func (p *Program) onlyProducer(f Fact) *Step {
	v := p.number(f.Variable)
	if v < 0 || f.Differs || p.Outside[v] || p.Initial[v] == "" || p.Initial[v] == f.Value {
		return nil
	}
	var found []*Step
	for _, a := range p.Fine {
		if w := a.writes[v]; w != nil && (w.Computed || slices.Contains(w.Constants, f.Value)) {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// between reports whether a fact can hold between two coarse actions: one of them may make it
// true.
func (p *Program) between(f Fact) bool {
	v := p.number(f.Variable)
	return slices.ContainsFunc(p.Coarse, func(b *Step) bool {
		w := b.writes[v]
		return w != nil && (w.Computed || slices.Contains(w.Constants, f.Value))
	})
}

// sources returns the variables from which a step computes v, by number, with those of control
// alone marked.
func sources(w *footprint.Write) (all, control map[int]bool) {
	all, control = map[int]bool{}, map[int]bool{}
	for _, list := range [][]footprint.Read{w.Data, w.Indices} {
		for _, r := range list {
			all[r.Variable] = true
		}
	}
	for _, r := range w.Control {
		if !all[r.Variable] {
			control[r.Variable] = true
		}
	}
	for v := range control {
		all[v] = true
	}
	return all, control
}

// index returns the index of the only element that a write changes; known is false if it is not
// exact.
func index(w *footprint.Write) (text string, known bool) {
	if len(w.Elements) != 1 || w.Elements[0].Key != "" {
		return "", false
	}
	return indexText(w.Elements[0].Index)
}

func indexText(terms []string) (text string, known bool) {
	if slices.Contains(terms, "*") {
		return "", false
	}
	if len(terms) == 0 {
		return "", true
	}
	return "[" + strings.Join(terms, "][") + "]", true
}
