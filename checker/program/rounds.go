package program

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/priorities"
	"github.com/multigrain/multigrain/checker/internal/rounds"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// inRounds makes the strategy "rounds".
func inRounds[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], o wire.Options, all []wire.Parameter, values map[string]float64) (*strategy[checker.Node[S, U]], error) {
	type node = checker.Node[S, U]
	plan, err := planOf(composed, o, values["heuristic"] == 1)
	if err != nil {
		return nil, err
	}
	space := rounds.NewSpace(plan.Servers, int(values["rounds"]), int(values["period"]), int(values["isolated"]))
	late := values["late"] == 1 || values["late"] < 0 && plan.Ordered()
	by := rounds.New(spec, stateOf[S, U], plan, space,
		rounds.Settings{Late: late, Pause: values["pause"], Weights: o.Simulate.Weights})
	for k := range all {
		if all[k].Name == "late" && late {
			all[k].Value = 1
		} else if all[k].Name == "late" {
			all[k].Value = 0
		}
	}
	all = append([]wire.Parameter{{Name: "servers", Value: float64(plan.Servers), Meaning: "servers, n"}}, all...)
	return &strategy[node]{Strategy: by, about: func() *wire.Strategy { return aboutRounds(plan, space, all, late) }, sections: sectionsOfRounds(plan)}, nil
}

// planOf derives the rounds of a composition. The error is a *wire.Error where that is refused.
func planOf[S any](composed *modules.Spec[S], o wire.Options, heuristic bool) (*rounds.Plan, error) {
	if o.Footprints == nil {
		return nil, errors.New("the strategy needs footprints")
	}
	opt := rounds.Options{Heuristic: heuristic, Roles: map[string]rounds.Role{}}
	for name, text := range o.Simulate.Strategy.Roles {
		role, ok := rounds.RoleNamed(text)
		if !ok {
			return nil, fmt.Errorf("action %s has role %q, which does not exist", name, text)
		}
		opt.Roles[name] = role
	}
	plan, err := rounds.NewPlan(composed, o.Footprints.Actions, opt)
	if refused, ok := errors.AsType[*rounds.Refused](err); ok {
		return nil, &wire.Error{Kind: wire.ErrorStrategy, Action: refused.Action, Message: refused.Error()}
	}
	return plan, err
}

// stateOf returns the State of a node.
func stateOf[S any, U checker.Counters](n *checker.Node[S, U]) unsafe.Pointer {
	return unsafe.Pointer(&n.State)
}

// aboutRounds describes the walks in rounds. It makes the bound of isolations among the parameters
// the one of the space: that is d in the formula.
func aboutRounds(plan *rounds.Plan, space *rounds.Space, all []wire.Parameter, late bool) *wire.Strategy {
	for k := range all {
		if all[k].Name == "isolated" {
			all[k].Value = float64(space.Isolated)
		}
	}
	size, bound := space.Size(), space.Bound()
	s := &wire.Strategy{Name: "rounds", Parameters: all, Space: size.String(), SpaceOf: "schedules of isolated servers", Heuristic: plan.Heuristic}
	s.Probability, _ = new(big.Rat).SetFrac(big.NewInt(1), size).Float64()
	paper, _ := new(big.Rat).SetFrac(big.NewInt(1), bound).Float64()
	s.Guarantee = fmt.Sprintf("a walk has each schedule with probability %.3g", s.Probability)
	if size.Cmp(bound) <= 0 {
		s.Guarantee += fmt.Sprintf(", which is at least 1/(nr)^d = %.3g", paper)
	} else {
		s.Guarantee += fmt.Sprintf("; 1/(nr)^d = %.3g", paper)
	}
	s.Guarantee += "; the order of deliveries, the internal steps and the faults of a round are drawn in addition"
	if late {
		s.Notes = append(s.Notes, "messages that isolation delays are received in a later round, so walks need not be communication-closed")
	}
	if len(plan.Joint) > 0 {
		s.Notes = append(s.Notes, "these actions change variables of several servers in one step, without messages, and take place in the kernel: "+strings.Join(plan.Joint, ", "))
	}
	return s
}

// roundsNotes says what walks in rounds left out: rounds after the last step that a walk may take,
// and actions that were enabled and not taken.
func roundsNotes(o *wire.Simulate, depth int, r *wire.Report) (notes []string) {
	if n := r.Simulation.Ends.Depth; n > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d walks ended at the depth of %d steps: they took the rounds of their schedules up to there only", n, r.Simulation.Walks, depth))
	}
	var never []string
	for _, a := range r.Actions {
		if w, ok := o.Weights[a.Name]; a.Enabled > 0 && a.Fired == 0 && o.Strategy.Roles[a.Name] != rounds.Never.String() && (!ok || w > 0) {
			never = append(never, a.Name)
		}
	}
	if len(never) > 0 {
		notes = append(notes, "enabled, and not fired in any walk: "+strings.Join(never, ", ")+"; rounds take an action in the part of its role, and the block roles of the manifest gives it another")
	}
	return notes
}

// sectionsOfRounds divides a counterexample into rounds.
func sectionsOfRounds(plan *rounds.Plan) func(*simulate.Origin) []wire.Section {
	return func(o *simulate.Origin) (out []wire.Section) {
		notes, ok := o.Notes.(rounds.Notes)
		if !ok {
			return nil
		}
		for k, from := range o.From {
			round := notes.Rounds[from]
			if len(out) > 0 && out[len(out)-1].Round == round {
				continue
			}
			s := wire.Section{Step: k + 1, Round: round, Kernel: []int{}}
			for i := range plan.Servers {
				if notes.Schedule[round-1]>>i&1 == 0 {
					s.Kernel = append(s.Kernel, i)
				} else {
					s.Isolated = append(s.Isolated, i)
				}
			}
			s.Text = fmt.Sprintf("round %d, kernel %s", round, setText(s.Kernel))
			if len(s.Isolated) > 0 {
				s.Text += ", isolated " + setText(s.Isolated)
			}
			out = append(out, s)
		}
		return out
	}
}

// setText returns a set of servers, as {0, 2}.
func setText(servers []int) string {
	return "{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(servers), " ", ", "), "[]") + "}"
}

// byAgents makes the strategies "pct" and "delays".
func byAgents[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], o wire.Options, known *wire.KnownStrategy, values map[string]float64) (*strategy[checker.Node[S, U]], error) {
	type node = checker.Node[S, U]
	plan, err := planOf(composed, o, true)
	if err != nil {
		return nil, err
	}
	of, names := plan.Agents()
	by := &priorities.Strategy[node]{Of: of, Agents: len(names), Depth: int(values["depth"]), Steps: o.Simulate.Depth}
	for k, in := range spec.Instances {
		if w, ok := o.Simulate.Weights[spec.Actions[in.Action].Name]; ok && w == 0 {
			by.Of[k] = -1
		}
	}
	about := &wire.Strategy{Name: known.Name, Parameters: append(known.Values(o.Simulate.Strategy.Parameters),
		wire.Parameter{Name: "agents", Value: float64(by.Agents), Meaning: "servers, channels, and the environment at each server and link, n"},
		wire.Parameter{Name: "steps", Value: float64(by.Steps), Meaning: "steps of a walk, k"})}
	const rest = "; if an agent has several steps, which one is taken is drawn in addition, and the bound does not count it"
	if known.Name == "delays" {
		by.Kind, by.Depth = priorities.Delays, int(values["delays"])
		about.Guarantee = fmt.Sprintf("a walk delays at given steps with a probability of at least 1/k^d = %.3g", by.Probability())
	} else {
		about.Guarantee = fmt.Sprintf("a walk shows a bug of depth d with a probability of at least 1/(n k^(d-1)) = %.3g", by.Probability())
	}
	about.Guarantee += rest
	about.Probability = by.Probability()
	return &strategy[node]{Strategy: by, about: func() *wire.Strategy { return about }}, nil
}

// withLoss makes the strategy "loss".
func withLoss[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], o wire.Options, known *wire.KnownStrategy, values map[string]float64) (*strategy[checker.Node[S, U]], error) {
	plan, err := planOf(composed, o, true)
	if err != nil {
		return nil, err
	}
	space := rounds.NewSpace(plan.Servers, 1, 1, 0)
	by := rounds.New(spec, stateOf[S, U], plan, space, rounds.Settings{Weights: o.Simulate.Weights})
	about := &wire.Strategy{Name: known.Name, Parameters: known.Values(o.Simulate.Strategy.Parameters)}
	if plan.Ordered() {
		about.Notes = append(about.Notes, "channels keep their order: what follows a lost message is received only after a step of the environment has removed that message")
	}
	return &strategy[checker.Node[S, U]]{Strategy: rounds.NewLoss(by, values["p"]), about: func() *wire.Strategy { return about }}, nil
}
