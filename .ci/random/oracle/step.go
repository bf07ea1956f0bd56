package oracle

import "slices"

// Inits returns the initial states, in order, equal ones too.
func (m *Machine) Inits() (out []*Value) {
	for _, in := range m.Spec.Inits {
		for q := range m.Spec.Nodes {
			v := m.zero()
			c := &scope{m: m, s: v, n: v, q: q}
			c.run(in.Body)
			out = append(out, v)
			if !in.Each {
				break
			}
		}
	}
	return out
}

func (r *Rule) rides(action int) bool {
	if r.On >= 0 {
		return r.On == action
	}
	return !slices.Contains(r.Except, action)
}

// Enabled reports whether an instance can happen in s.
func (m *Machine) Enabled(s *Value, in Instance) bool {
	c := &scope{m: m, s: s, p: in.Param}
	if !c.is(m.Spec.Actions[in.Action].Guard) {
		return false
	}
	for k := range m.Spec.Rules {
		if r := &m.Spec.Rules[k]; r.When != nil && r.rides(in.Action) && !c.is(r.When) {
			return false
		}
	}
	for k, b := range m.Spec.Budgets {
		if slices.Contains(b.Actions, in.Action) && s.Spent[k] >= b.Limit {
			return false
		}
	}
	return true
}

// Apply returns the state after an enabled instance.
func (m *Machine) Apply(s *Value, in Instance) *Value {
	n := s.clone()
	c := &scope{m: m, s: s, n: n, p: in.Param}
	c.run(m.Spec.Actions[in.Action].Effect)
	for k := range m.Spec.Rules {
		if r := &m.Spec.Rules[k]; r.After != nil && r.rides(in.Action) {
			(&scope{m: m, s: s, n: n, p: in.Param}).run(r.After)
		}
	}
	for k, b := range m.Spec.Budgets {
		if slices.Contains(b.Actions, in.Action) {
			n.Spent[k]++
		}
	}
	return n
}

// within reports whether a state satisfies the chosen constraints.
func (m *Machine) within(v *Value, constraints []int) bool {
	for _, k := range constraints {
		if !(&scope{m: m, s: v}).is(m.Spec.Constraints[k].Holds) {
			return false
		}
	}
	return true
}
