package refine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/refine/flatjson"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. The kinds of messages and inputs that the composition compares and the stream
// cannot have: a tap was not asked for them, or does not see their port.
//
// Why it is right. A header states what a stream has: docs/reference/stream.md. Without one there
// is only evidence of whole networks: one of which no event was read yet counts as absent. If what
// the node has sent so far depends on absent events (depends.go), the lack of a schedule is no
// evidence against the node. A schedule that explains a message needs none of them, so what is
// explained stays decided.
//
// What it costs. A flag for each event that is read, and dependent where no schedule is found.
//
// Example. A composition with Election at its baseline, next to a tap of the quorum port:
//
//	header    networks [Messages]             the stream cannot have NOTIFICATION
//	out       FOLLOWERINFO                    no schedule without an election: undecided, no alarm

// header is what an event Header states. A nil list states nothing.
type header struct{ networks, kinds, inputs []string }

// headerOf reads the lists of a header. It returns an error for a name that the specification does
// not have.
func (d *Decoder[S]) headerOf(lists *[3][]byte) (*header, error) {
	h := &header{}
	for k, x := range []struct {
		what string
		to   *[]string
		has  func(name string) bool
	}{
		{"network", &h.networks, d.hasNetwork}, {"kind of messages", &h.kinds, d.hasKind},
		{"input", &h.inputs, func(name string) bool { return slices.Contains(d.node.declared, name) }},
	} {
		if lists[k] == nil {
			continue
		}
		names, err := flatjson.NewScanner(lists[k]).Texts()
		if err != nil {
			return nil, fmt.Errorf("a header lists names of %ss as texts: %w", x.what, err)
		}
		for _, name := range names {
			if !x.has(name) {
				return nil, fmt.Errorf("the header names %.40q, and the specification has no such %s", name, x.what)
			}
		}
		*x.to = append([]string{}, names...)
	}
	return h, nil
}

func (d *Decoder[S]) hasNetwork(name string) bool {
	for x := range d.node.nets {
		if d.node.nets[x].Variable == name {
			return true
		}
	}
	for _, w := range d.node.unmodelled {
		if w.Variable == name {
			return true
		}
	}
	return false
}

func (d *Decoder[S]) hasKind(name string) bool {
	return slices.ContainsFunc(d.msgs, func(c *flatjson.Codec) bool {
		kinds := c.FieldNamed([]byte(c.Type.Field(0).Name)).Of
		return kinds != nil && kinds.Has(name)
	})
}

// compared is a kind of messages that steps of the node take or send.
type compared struct {
	name string
	kind uint8
	net  int
}

// compare lists the kinds that the composition compares, by name.
func (n *node[S]) compare(enum modules.Enum) {
	for x := range n.nets {
		for name, number := range enum(n.nets[x].Message.Field(0).Type) {
			k := compared{name, uint8(number), x}
			taken := func(j int) bool { return len(n.handlers[j*256+int(k.kind)]) > 0 }
			if slices.ContainsFunc(n.peers, taken) || slices.Contains(n.kinds, k.kind) {
				n.compares = append(n.compares, k)
			}
		}
	}
	slices.SortFunc(n.compares, func(a, b compared) int { return strings.Compare(a.name, b.name) })
}

// holdings is what is known of what the stream has.
type holdings struct {
	headers [][]byte // lines, each once, up to maxHeaders
	stated  bool     // a header states networks or kinds
	// lacks has what the composition compares and a header leaves out: kinds, as dependent takes
	// them, and inputs.
	lacks  []string
	heard  []bool    // by net: an event of it was read
	others []string  // networks that the composition does not model and of which events were read
	sent   [256]bool // kinds of outgoing messages that were read
}

// maxHeaders is how many different headers are kept for Checker.Parts.
const maxHeaders = 16

// hear notes what an event that is read says about what the stream has.
func (c *Checker[S]) hear(e *Event[S]) {
	h := &c.holds
	switch {
	case e.Kind == In || e.Kind == Out:
		h.heard[c.netAt[kind(e.Msg)]] = true
		h.sent[kind(e.Msg)] = h.sent[kind(e.Msg)] || e.Kind == Out
	case e.Kind == Input && e.Input != nil && e.Input.instance.about >= 0:
		h.heard[e.Input.instance.about] = true
	case e.Kind == LeftOut && !slices.Contains(h.others, e.Network):
		h.others = append(h.others, e.Network)
	case e.Kind == Header:
		c.state(e)
	}
}

// state notes what a header leaves out. What an earlier one left out stays unknown.
func (c *Checker[S]) state(e *Event[S]) {
	h, says := &c.holds, e.header
	if len(h.headers) < maxHeaders && !slices.ContainsFunc(h.headers, func(l []byte) bool { return string(l) == string(e.line) }) {
		h.headers = append(h.headers, e.line)
	}
	h.stated = h.stated || says.networks != nil || says.kinds != nil
	lack := func(name string) {
		if !slices.Contains(h.lacks, name) {
			h.lacks = append(h.lacks, name)
		}
	}
	for _, k := range c.compares {
		unseen := says.networks != nil && !slices.Contains(says.networks, c.nets[k.net].Variable)
		if unseen || says.kinds != nil && !slices.Contains(says.kinds, k.name) {
			lack(c.variable(k))
		}
	}
	for _, name := range c.declared {
		if says.inputs != nil && c.takes(name) && !slices.Contains(says.inputs, name) {
			lack(name)
		}
	}
}

// takes reports whether an input is an event of the stream in this composition.
func (n *node[S]) takes(input string) bool { return len(n.inputs[input]) > 0 && !n.unused[input] }

// absent returns the kinds and inputs that the composition compares and the stream cannot have, as
// far as is known, and how it is known.
func (c *Checker[S]) absent() (names []string, how string) {
	h := &c.holds
	names, how = slices.Clone(h.lacks), "a header leaves it out"
	if h.stated || c.opt.Complete {
		return names, how
	}
	for _, k := range c.compares {
		if !h.heard[k.net] {
			names, how = append(names, c.variable(k)), "no header states it, and no event of that network was read so far"
		}
	}
	return names, how
}

// missing returns why the lack of a schedule is no evidence: what the node has sent depends on what
// the stream cannot have. With kept it also asks for the variables that a restart keeps. It returns
// "" if there is no such reason.
func (c *Checker[S]) missing(kept bool) string {
	const most = 5
	names, how := c.absent()
	if len(names) == 0 {
		return ""
	}
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	depend := c.dependent(set)
	sent := func(k compared) bool { return c.holds.sent[k.kind] && depend[c.variable(k)] }
	if !slices.ContainsFunc(c.compares, sent) && !(kept && slices.ContainsFunc(c.kept, func(v string) bool { return depend[v] })) {
		return ""
	}
	shown := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		network, kind, ok := strings.Cut(name, "#")
		if ok {
			name = kind + " of " + network
		}
		shown = append(shown, name)
	}
	text := strings.Join(shown, ", ")
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("messages of the node depend on %s, and the stream does not show that: %s. Let the tap report it, or choose a manifest without it", text, how)
}

// headerLines returns the lines that state for a part of the stream what the whole stream has.
func (c *Checker[S]) headerLines() [][]byte {
	h := &c.holds
	if h.stated {
		return h.headers
	}
	var names []string
	for x, heard := range h.heard {
		if heard {
			names = append(names, fmt.Sprintf("%q", c.nets[x].Variable))
		}
	}
	for _, name := range h.others {
		names = append(names, fmt.Sprintf("%q", name))
	}
	line := fmt.Appendf(nil, `{"event":"header","networks":[%s]}`, strings.Join(names, ","))
	return append(slices.Clone(h.headers), line)
}
