package rounds

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// What it computes. For each instance of an action: the part of a round that takes it (Role), the
// servers that it needs, and the channels from which it may receive.
//
// Why it is right. A plan only selects among enabled steps, so every walk in rounds is a behaviour
// of the composition. A wrong plan can lose behaviours, and it cannot add one. Footprints contain
// every access that a step can make. So an action whose guard reads no channel receives nothing,
// and a step touches no server but those that its accesses name. If an access does not say which
// channel it reads, the plan is refused. With Options.Heuristic the reasons are reported instead.
//
// What it costs. Once before the walks: instances times the accesses of their action's footprint,
// and servers times channels for the deliveries.
//
// Example. Three servers. HandleVote receives from J, Timeout receives nothing, and Crash spends a
// budget.
//
//	instance             guard reads         role      servers  receives from
//	HandleVote(I:1 J:0)  Net#VOTE[p.J][p.I]  delivery  1        channel 0 to 1
//	Timeout(I:2)         Role[p.I]           internal  2
//	Crash(I:0)           Up[p.I]             fault     0

// Role is the part of a round in which an action takes its steps.
type Role uint8

// Roles.
const (
	Internal Role = iota // receives no message
	Delivery             // receives or observes messages
	Repair               // of the environment, spends no budget
	Fault                // of the environment, spends a budget
	Never                // not taken: the manifest says so
)

var roleNames = []string{"internal", "delivery", "repair", "fault", "never"}

func (r Role) String() string { return roleNames[r] }

// RoleNamed returns the role with a name.
func RoleNamed(name string) (Role, bool) {
	k := slices.Index(roleNames, name)
	return Role(max(k, 0)), k >= 0
}

// Options change the derivation of a Plan.
type Options struct {
	// Roles overrides the roles of actions, by name.
	Roles map[string]Role
	// Heuristic accepts a composition for which rounds are not exact. The reasons are in
	// Plan.Heuristic then.
	Heuristic bool
}

// Refused says why rounds cannot be derived. Action is "" where that is not about one.
type Refused struct{ Action, Reason string }

func (e *Refused) Error() string {
	if e.Action == "" {
		return e.Reason
	}
	return "action " + e.Action + " " + e.Reason
}

// Plan says of every instance of a composition in which part of a round it is taken, derived from
// footprints:
//
//   - An action of a module that is no environment receives if its guard reads channels that end at
//     the acting server, p.I. Their senders are the first index of these accesses. It is internal
//     otherwise.
//   - It touches the acting server, and each other server whose variables it reads or writes: the
//     first index of an access names it. A written variable whose first index is not known stands
//     for all servers that the parameters name.
//   - A step of the environment that spends a budget is a fault, any other one a repair.
type Plan struct {
	Servers int
	Roles   []Role // by action
	// Joint are the internal actions that change variables of several servers in one step, without
	// a message.
	Joint []string
	// Heuristic gives the reasons why rounds are not exact; empty where they are.
	Heuristic []string

	channels []modules.Channels
	of       []instance
	doubtful []string // the actions of Heuristic
}

// instance holds the knowledge about one instance.
type instance struct {
	role Role
	// servers that the step needs or touches. For a delivery and an internal step they must be in
	// the kernel, except that a server may take internal steps of its own everywhere. For a step
	// of the environment they are those that the parameters name.
	servers  uint64
	acting   int       // the server that acts; -1: none
	from     []channel // it receives from one of them
	position int       // of the message in the channel, from 0
}

// channel leads from one server to another.
type channel struct{ net, from, to int }

// NewPlan derives the rounds of a composition. The error is a *Refused.
func NewPlan[S any](spec *modules.Spec[S], footprints []modules.Footprint, opt Options) (*Plan, error) {
	p := &Plan{channels: modules.ChannelsOf(reflect.TypeFor[S]())}
	p.channels = slices.DeleteFunc(p.channels, func(c modules.Channels) bool {
		return !slices.ContainsFunc(footprints, func(f modules.Footprint) bool { return touchesNet(&f, c.Name) })
	})
	for _, c := range p.channels {
		p.Servers = max(p.Servers, c.Servers)
	}
	for k := range spec.Actions {
		for _, param := range spec.Actions[k].Params {
			p.Servers = max(p.Servers, bits.Len64(serversOf(reflect.ValueOf(param))))
		}
	}
	if p.Servers < 2 || p.Servers > 64 {
		return nil, &Refused{Reason: fmt.Sprintf("the composition has %d servers: rounds need 2 to 64", p.Servers)}
	}
	for name := range opt.Roles {
		if !slices.ContainsFunc(spec.Actions, func(a modules.SpecAction[S]) bool { return a.Name == name }) {
			return nil, &Refused{Action: name, Reason: "has a role, and the composition does not have it"}
		}
	}
	for k := range spec.Actions {
		a := &spec.Actions[k]
		at := slices.IndexFunc(footprints, func(f modules.Footprint) bool { return f.Name == a.Name })
		if at < 0 {
			return nil, &Refused{a.Name, "has no footprint"}
		}
		d := deriver{plan: p, state: reflect.TypeFor[S](), print: &footprints[at], environment: a.Environment, spends: len(a.Budgets) > 0}
		role, overridden := opt.Roles[a.Name]
		switch {
		case overridden:
		case len(footprints[at].Guard) == 0 && neverEnabled(a):
			role = Never
		default:
			role = d.role()
		}
		p.Roles = append(p.Roles, role)
		joint := false
		for _, param := range a.Params {
			in := d.instance(role, reflect.ValueOf(param))
			joint = joint || role == Internal && in.servers&(in.servers-1) != 0
			p.of = append(p.of, in)
		}
		if joint {
			p.Joint = append(p.Joint, a.Name)
		}
		if reason := d.doubt(role); reason != "" && !overridden {
			p.Heuristic = append(p.Heuristic, "action "+a.Name+" "+reason)
			p.doubtful = append(p.doubtful, a.Name)
		}
	}
	if !slices.Contains(p.Roles, Delivery) {
		p.Heuristic = append(p.Heuristic, "no action receives a message at the server that acts, so a round has internal steps only")
	}
	if len(p.Heuristic) > 0 && !opt.Heuristic {
		if k := slices.IndexFunc(p.doubtful, func(a string) bool { return a != "" }); k >= 0 {
			return nil, &Refused{p.doubtful[k], strings.TrimPrefix(p.Heuristic[k], "action "+p.doubtful[k]+" ")}
		}
		return nil, &Refused{Reason: p.Heuristic[0]}
	}
	return p, nil
}

// neverEnabled reports whether an action whose guard reads nothing is enabled in no state: options
// of the composition switch it off. Such a guard has the same value in every state.
func neverEnabled[S any](a *modules.SpecAction[S]) (never bool) {
	defer func() {
		if recover() != nil { // the guard reads a state after all
			never = false
		}
	}()
	s := new(S)
	for k := range a.Params {
		if a.Enabled(s, k) {
			return false
		}
	}
	return true
}

// touchesNet reports whether a footprint accesses messages of a Net or Bag.
func touchesNet(f *modules.Footprint, net string) bool {
	is := func(variable string) bool { return strings.HasPrefix(variable, net+"#") }
	return slices.ContainsFunc(f.Guard, func(a modules.Access) bool { return is(a.Variable) }) ||
		slices.ContainsFunc(f.Writes, func(w modules.Write) bool { return is(w.Variable) })
}

// deriver derives what a plan knows of one action.
type deriver struct {
	plan                *Plan
	state               reflect.Type
	print               *modules.Footprint
	environment, spends bool
}

func (d *deriver) role() Role {
	switch {
	case d.environment && d.spends:
		return Fault
	case d.environment:
		return Repair
	case len(d.incoming()) > 0 || len(d.print.Receives) > 0:
		return Delivery
	}
	return Internal
}

// incoming returns the guard's accesses to channels that end at the acting server.
func (d *deriver) incoming() (out []modules.Access) {
	for _, a := range d.print.Guard {
		n := len(a.Index)
		if d.net(a.Variable) >= 0 && strings.Contains(a.Variable, "#") && n >= 2 && a.Index[n-1] == "p.I" && a.Index[n-2] != "p.I" {
			out = append(out, a)
		}
	}
	return out
}

// net returns the number of the channels to which a variable belongs; -1 if to none.
func (d *deriver) net(variable string) int {
	variable, _, _ = strings.Cut(variable, "#")
	variable = strings.TrimSuffix(variable, ".cut")
	return slices.IndexFunc(d.plan.channels, func(c modules.Channels) bool { return c.Name == variable })
}

// doubt says why rounds with this action are not exact; "" if they are.
func (d *deriver) doubt(role Role) string {
	if role != Delivery {
		return ""
	}
	incoming := d.incoming()
	if len(incoming) == 0 {
		return "takes messages, and its guard does not say from which channel"
	}
	for _, a := range incoming {
		if a.Index[len(a.Index)-2] == "*" {
			return "receives " + a.Variable + " from a server that its parameters do not name"
		}
	}
	for _, kind := range d.print.Receives {
		if w := d.print.Write(kind); w != nil && slices.ContainsFunc(w.Elements, func(e modules.Element) bool {
			n := len(e.Index)
			return n < 2 || e.Index[n-1] == "*" || e.Index[n-2] == "*"
		}) && slices.Contains(d.print.Sends, kind) {
			return "sends and receives " + kind + " in one step, which is more than one round"
		}
	}
	return ""
}

// instance returns what is known of the action with a parameter.
func (d *deriver) instance(role Role, param reflect.Value) (in instance) {
	named := serversOf(param)
	acting := valueOf(param, "p.I")
	in.role, in.acting = role, acting
	if k := valueOf(param, "p.K"); k > 0 {
		in.position = k - 1
	}
	switch role {
	case Repair, Fault, Never:
		in.servers = named
		return in
	case Delivery:
		incoming := d.incoming()
		for _, a := range incoming {
			from := valueOf(param, a.Index[len(a.Index)-2])
			for x := range d.plan.Servers {
				if c := (channel{d.net(a.Variable), x, acting}); (from < 0 || from == x) && d.exists(c) && !slices.Contains(in.from, c) {
					in.from = append(in.from, c)
				}
			}
		}
		if len(incoming) == 0 { // which channel is not known
			for net := range d.plan.channels {
				for x := range d.plan.Servers {
					if c := (channel{net, x, acting}); d.exists(c) {
						in.from = append(in.from, c)
					}
				}
			}
		}
	}
	if acting >= 0 {
		in.servers = 1 << acting
	}
	return d.touched(param, named, in)
}

// exists reports whether there is a channel. There is none to an action without an acting server.
func (d *deriver) exists(c channel) bool {
	n := d.plan.channels[c.net].Servers
	return c.from != c.to && c.to >= 0 && c.from < n && c.to < n
}

// touched adds the servers that a step touches, apart from the acting one.
func (d *deriver) touched(param reflect.Value, named uint64, in instance) instance {
	add := func(variable string, index []string, key string, written bool) {
		term := key
		if len(index) > 0 {
			term = index[0]
		}
		if term == "" || d.net(variable) >= 0 || !d.ofServers(variable, len(index) > 0) {
			return
		}
		switch x := valueOf(param, term); {
		case x >= 0 && x < d.plan.Servers && term != "p.K":
			in.servers |= 1 << x
		case term == "*" && written:
			in.servers |= named
		}
	}
	for _, a := range d.print.Reads() {
		add(a.Variable, a.Index, a.Key, false)
	}
	for _, w := range d.print.Writes {
		for _, e := range w.Elements {
			add(w.Variable, e.Index, e.Key, true)
		}
	}
	return in
}

// ofServers reports whether a variable has one element for each server. One without an index is a
// set of servers, perhaps.
func (d *deriver) ofServers(variable string, indexed bool) bool {
	t := d.state
	for name := range strings.SplitSeq(variable, ".") {
		if t.Kind() != reflect.Struct {
			return false
		}
		f, ok := t.FieldByName(name)
		if !ok {
			return false
		}
		if t = f.Type; t.Kind() == reflect.Array {
			return indexed && t.Len() == d.plan.Servers
		}
	}
	return !indexed && strings.HasPrefix(t.Name(), "Set[")
}

// valueOf returns the value of a term, such as p.J, with a parameter; -1 if it is none or not
// known.
func valueOf(param reflect.Value, term string) int {
	if x, err := strconv.Atoi(term); err == nil {
		return x
	}
	name, ok := strings.CutPrefix(term, "p.")
	if !ok || param.Kind() != reflect.Struct {
		return -1
	}
	f := param.FieldByName(name)
	switch {
	case f.IsValid() && f.CanInt():
		return int(f.Int())
	case f.IsValid() && f.CanUint() && f.Uint() < 1<<16:
		return int(f.Uint())
	}
	return -1
}

// serversOf returns the servers that a parameter names: the fields of the type of its field I, and
// the members of its sets.
func serversOf(param reflect.Value) (out uint64) {
	if param.Kind() != reflect.Struct {
		return 0
	}
	acting, ok := param.Type().FieldByName("I")
	for f, v := range param.Fields() {
		switch {
		case strings.HasPrefix(f.Type.Name(), "Set["):
			out |= elementsOf(v)
		case ok && f.Type == acting.Type && v.CanInt() && v.Int() >= 0 && v.Int() < 64:
			out |= 1 << v.Int()
		case ok && f.Type == acting.Type && v.CanUint() && v.Uint() < 64:
			out |= 1 << v.Uint()
		}
	}
	return out
}

// elementsOf returns the elements of a modules.Set as bits.
func elementsOf(v reflect.Value) uint64 {
	set := reflect.New(v.Type())
	set.Elem().Set(v)
	return modules.SetAt(set.UnsafePointer())
}

// Ordered reports whether a channel keeps the order of its messages.
func (p *Plan) Ordered() bool {
	return slices.ContainsFunc(p.channels, func(c modules.Channels) bool { return !c.Bag })
}

// Agents groups the instances by who acts: a server with its own steps, a channel with the
// deliveries of its messages, and the environment at a server or a link. It returns the number of
// each instance's agent, -1 for an instance that is never taken, and the names of the agents.
func (p *Plan) Agents() (of []int, names []string) {
	for k := range p.of {
		in := &p.of[k]
		name := fmt.Sprint("server ", in.acting)
		switch {
		case in.role == Never:
			of = append(of, -1)
			continue
		case in.role == Fault || in.role == Repair:
			name = fmt.Sprintf("environment at %b", in.servers)
		case in.role == Delivery && len(in.from) == 1:
			c := in.from[0]
			name = fmt.Sprintf("%s from %d to %d", p.channels[c.net].Name, c.from, c.to)
		case in.role == Delivery:
			name = fmt.Sprint("channels to ", in.acting)
		}
		at := slices.Index(names, name)
		if at < 0 {
			at = len(names)
			names = append(names, name)
		}
		of = append(of, at)
	}
	return of, names
}
