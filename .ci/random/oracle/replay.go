package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Trace is a counterexample in ITF.
type Trace struct {
	States []map[string]any
}

// ReadTrace reads a counterexample.
func ReadTrace(text []byte) (*Trace, error) {
	t := &Trace{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, err
	}
	if len(t.States) == 0 {
		return nil, fmt.Errorf("the trace has no state")
	}
	return t, nil
}

// behaviour is a trace as the machine takes it.
type behaviour struct {
	states    []*Value
	instances []int // instance k leads to state k+1
}

// Replay takes a trace step by step. The error says which state or step is not the machine's.
func (m *Machine) replay(t *Trace) (*behaviour, error) {
	b := &behaviour{}
	for _, v := range m.Inits() {
		if m.differs(v, t.States[0]) == "" {
			b.states = []*Value{v}
			break
		}
	}
	if b.states == nil {
		return nil, fmt.Errorf("state 0 is not initial")
	}
	for k := 1; k < len(t.States); k++ {
		i, err := m.instance(t.States[k])
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", k, err)
		}
		s := b.states[k-1]
		if !m.Enabled(s, m.Instances[i]) {
			return nil, fmt.Errorf("step %d is not enabled", k)
		}
		n := m.Apply(s, m.Instances[i])
		if d := m.differs(n, t.States[k]); d != "" {
			return nil, fmt.Errorf("after step %d: %s", k, d)
		}
		if n.Raised != 0 && k < len(t.States)-1 {
			return nil, fmt.Errorf("step %d raises an assertion, and others follow", k)
		}
		b.states, b.instances = append(b.states, n), append(b.instances, i)
	}
	return b, nil
}

// Violates replays a trace and returns an error if it is no counterexample of a property.
func (m *Machine) Violates(t *Trace, property int, constraints []int) error {
	b, err := m.replay(t)
	if err != nil {
		return err
	}
	last := len(b.states) - 1
	for k, s := range b.states[:last] {
		if !m.within(s, constraints) {
			return fmt.Errorf("state %d is outside the constraints, and others follow", k)
		}
	}
	n, wrong := b.states[last], false
	switch {
	case property == Deadlock:
		wrong = !slices.ContainsFunc(m.Instances, func(in Instance) bool { return m.Enabled(n, in) })
	case m.Spec.Properties[property].Kind == State:
		wrong = m.BreaksState(property, n)
	case m.Spec.Properties[property].Kind == Step:
		wrong = last > 0 && m.BreaksStep(property, b.states[last-1], n, b.instances[last-1])
	default:
		wrong = n.Raised>>m.Spec.Properties[property].Raise&1 == 1
	}
	if !wrong {
		return fmt.Errorf("the end violates nothing")
	}
	return nil
}

// Repeats replays a lasso, whose last state equals that of position loop, and returns an error if it
// is no counterexample of liveness property k.
func (m *Machine) Repeats(t *Trace, loop, k int) error {
	b, err := m.replay(t)
	if err != nil {
		return err
	}
	last := len(b.states) - 1
	if loop < 0 || loop > last || b.states[loop].Key() != b.states[last].Key() {
		return fmt.Errorf("the last state is not that of position %d", loop)
	}
	l := &m.Spec.Liveness[k]
	params := []Param{{}}
	if l.Each {
		params = m.Spec.params(&Action{Domain: Each})
	}
	asked := slices.ContainsFunc(params, func(p Param) bool { return m.asks(b, loop, l, p) })
	if !asked {
		return fmt.Errorf("nothing is asked for in vain")
	}
	for i, in := range m.Instances {
		if !m.Fair(l, in) || slices.Contains(b.instances[min(loop, last):], i) {
			continue
		}
		able := true
		for _, s := range b.states[loop:] {
			able = able && m.Enabled(s, in) && m.Apply(s, in).Key() != s.Key()
		}
		if able {
			return fmt.Errorf("the loop is not fair: %s%v is always enabled and never taken", m.Spec.Actions[in.Action].Name, in.Param)
		}
	}
	return nil
}

// asks reports whether From holds at some position and To at none from there on.
func (m *Machine) asks(b *behaviour, loop int, l *Leads, p Param) bool {
	holds := func(e *Node, s *Value) bool { return (&scope{m: m, s: s, p: p}).is(e) }
	for k := range b.states {
		if l.From == nil && k > 0 || l.From != nil && !holds(l.From, b.states[k]) {
			continue
		}
		if !slices.ContainsFunc(b.states[min(k, loop):], func(s *Value) bool { return holds(l.To, s) }) {
			return true
		}
		if k < loop && !slices.ContainsFunc(b.states[k:], func(s *Value) bool { return holds(l.To, s) }) {
			return true
		}
	}
	return false
}

// instance finds the instance that a state of a trace names.
func (m *Machine) instance(state map[string]any) (int, error) {
	name, _ := state["mbt::actionTaken"].(string)
	var p Param
	picks, _ := state["mbt::nondetPicks"].(map[string]any)
	for field, to := range map[string]*int{"I": &p.I, "J": &p.J, "K": &p.K} {
		if pick, ok := picks[field].(map[string]any); ok {
			fmt.Sscan(plain(pick["value"]), to)
		}
	}
	if pick, ok := picks["S"].(map[string]any); ok {
		for _, i := range strings.Fields(strings.Trim(plain(pick["value"]), "{}")) {
			p.K |= 1 << (i[0] - '0')
		}
	}
	for i, in := range m.Instances {
		if m.Spec.Actions[in.Action].Name == name && in.Param == p {
			return i, nil
		}
	}
	return 0, fmt.Errorf("there is no %s%v", name, p)
}

// differs compares a state with one of a trace. It returns "" if they are equal.
func (m *Machine) differs(v *Value, state map[string]any) string {
	for k := range m.Spec.Vars {
		name := m.Spec.Vars[k].Name
		if mine, theirs := m.text(v, k), plain(state[name]); mine != theirs {
			return fmt.Sprintf("%s is %s, in the trace %s", name, mine, theirs)
		}
	}
	for k, b := range m.Spec.Budgets {
		if theirs, ok := state[b.Name]; ok && plain(theirs) != fmt.Sprint(v.Spent[k]) {
			return fmt.Sprintf("%s is %d, in the trace %s", b.Name, v.Spent[k], plain(theirs))
		}
	}
	return ""
}

// plain prints a value of ITF: sets in braces, in order, maps and records as the values of their
// keys.
func plain(v any) string {
	all := func(list []any, open, end string, order bool) string {
		var out []string
		for _, e := range list {
			out = append(out, plain(e))
		}
		if order {
			slices.Sort(out)
		}
		return open + strings.Join(out, " ") + end
	}
	switch v := v.(type) {
	case []any:
		return all(v, "[", "]", false)
	case map[string]any:
		if n, ok := v["#bigint"].(string); ok {
			return n
		}
		if list, ok := v["#set"].([]any); ok {
			return all(list, "{", "}", true)
		}
		var out []string
		if list, ok := v["#map"].([]any); ok {
			for _, e := range list {
				pair := e.([]any)
				out = append(out, plain(pair[0])+":"+plain(pair[1]))
			}
			slices.Sort(out)
		} else {
			for _, name := range slices.Sorted(maps.Keys(v)) {
				out = append(out, name+":"+plain(v[name]))
			}
		}
		return "(" + strings.Join(out, " ") + ")"
	}
	return fmt.Sprint(v)
}

// text prints a variable as plain prints that of a trace.
func (m *Machine) text(v *Value, x int) string {
	list, n := v.Slot[m.first[x]], m.Spec.Nodes
	set := func(bits []int) string {
		var out []string
		for i, b := range bits {
			if b == 1 {
				out = append(out, fmt.Sprint(i))
			}
		}
		return "{" + strings.Join(out, " ") + "}"
	}
	each := func(text func(i int) string) string {
		var out []string
		for i := range n {
			if t := text(i); t != "" {
				out = append(out, fmt.Sprintf("%d:%s", i, t))
			}
		}
		return "(" + strings.Join(out, " ") + ")"
	}
	switch m.Spec.Vars[x].Kind {
	case Num:
		return fmt.Sprint(list[0])
	case Flag:
		return fmt.Sprint(list[0] == 1)
	case Ref:
		if list[0] < 0 {
			return "Nobody"
		}
		return fmt.Sprint(list[0])
	case Nums:
		return each(func(i int) string { return fmt.Sprint(list[i]) })
	case Flags:
		return each(func(i int) string { return fmt.Sprint(list[i] == 1) })
	case Set:
		return set(list)
	case Sets:
		return each(func(i int) string { return set(list[i*n : i*n+n]) })
	case Map:
		return each(func(i int) string {
			if list[i] < 0 {
				return ""
			}
			return fmt.Sprint(list[i])
		})
	case Seq:
		return fmt.Sprint(list)
	case Recs:
		var out []string
		for _, r := range list {
			out = append(out, fmt.Sprintf("(A:%d B:%d)", r/16, r%16))
		}
		return "{" + strings.Join(out, " ") + "}"
	}
	return each(func(i int) string { return each(func(j int) string { return m.flight(v, x, i, j) }) })
}

// flight prints a channel.
func (m *Machine) flight(v *Value, x, i, j int) string {
	var out []string
	for _, r := range v.Slot[m.channel(x, i, j)] {
		out = append(out, fmt.Sprintf("(Kind:K%d V:%d)", r/16, r%16))
	}
	text := "[" + strings.Join(out, " ") + "]"
	if v.Slot[m.first[x]][i*m.Spec.Nodes+j] == 1 {
		return "(cut:true messages:" + text + ")"
	}
	return text
}
