// Package shown says what a stream shows of a node, and what depends on the rest.
package shown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// What it computes. Whether the lack of a schedule for a message is evidence against a node. It is
// none if the message may depend on kinds of messages or inputs that the stream does not show: a
// tap was not asked for them, or does not see their port.
//
// Why it is right. A header states what a stream shows: docs/reference/stream.md. Without one there
// is only evidence of whole networks: one without an event so far counts as not shown. If what the
// node has sent so far depends on absent events (depends.go), a missing schedule is no evidence. A
// schedule that explains a message needs none of them, so what is explained stays decided.
//
// What it costs. A flag for each event that is read, and dependent where no schedule is found.
//
// Example. A composition with Election at its baseline, next to a tap of the quorum port:
//
//	header    networks [Msgs]     the stream does not show NOTIFICATION
//	out       FOLLOWERINFO        no schedule without an election: undecided, no alarm

// Composition lists the parts of a composition that are compared with a stream.
type Composition struct {
	Networks   []string             // variables of the state
	Kinds      []Kind               // that steps of the node take or send
	Inputs     []string             // actions whose events it takes from the stream
	Kept       []string             // variables that a restart keeps
	Footprints []*modules.Footprint // of the actions that the node can take
	Lane       func(kind uint8) int // of a message that the node sends
}

// Kind is a kind of messages.
type Kind struct {
	Name   string
	Number uint8
	Net    int // its network, a number of Composition.Networks
}

// Header lists what a stream shows. A nil list states nothing.
type Header struct{ Networks, Kinds, Inputs []string }

// Stream holds the known facts of a stream. Fields are exported for snapshots of a monitor alone.
type Stream struct {
	Headers [][]byte // lines, each once, up to maxHeaders
	Stated  bool     // a header states networks or kinds
	// Lacks has what the composition compares and a header leaves out: kinds, as dependent takes
	// them, and inputs.
	Lacks  []string
	Heard  []bool    // by number of the network: an event of it was read
	Others []string  // networks with events that the composition does not model
	Sent   [256]bool // kinds of outgoing messages that were read
}

// maxHeaders is how many different headers are kept for Lines.
const maxHeaders = 16

// Message notes a message of a network.
func (s *Stream) Message(net int, kind uint8, out bool) {
	s.Heard[net] = true
	if out {
		s.Sent[kind] = true
	}
}

// Other notes an event of a network that the composition does not model.
func (s *Stream) Other(network string) {
	if !slices.Contains(s.Others, network) {
		s.Others = append(s.Others, network)
	}
}

// State notes what a header leaves out. What an earlier one left out stays unknown.
func (s *Stream) State(c *Composition, h *Header, line []byte) {
	if len(s.Headers) < maxHeaders && !slices.ContainsFunc(s.Headers, func(l []byte) bool { return bytes.Equal(l, line) }) {
		s.Headers = append(s.Headers, line)
	}
	s.Stated = s.Stated || h.Networks != nil || h.Kinds != nil
	lack := func(name string) {
		if !slices.Contains(s.Lacks, name) {
			s.Lacks = append(s.Lacks, name)
		}
	}
	for _, k := range c.Kinds {
		unseen := h.Networks != nil && !slices.Contains(h.Networks, c.Networks[k.Net])
		if unseen || h.Kinds != nil && !slices.Contains(h.Kinds, k.Name) {
			lack(c.variable(k))
		}
	}
	for _, name := range c.Inputs {
		if h.Inputs != nil && !slices.Contains(h.Inputs, name) {
			lack(name)
		}
	}
}

// absent returns the kinds and inputs that the composition compares and the stream does not show,
// and how that is known.
func (s *Stream) absent(c *Composition, complete bool) (names []string, how string) {
	names, how = slices.Clone(s.Lacks), "a header leaves it out"
	if s.Stated || complete {
		return names, how
	}
	for _, k := range c.Kinds {
		if !s.Heard[k.Net] {
			names, how = append(names, c.variable(k)), "no header states it, and no event of that network was read so far"
		}
	}
	return names, how
}

// Missing returns why the lack of a schedule is no evidence: what the node has sent depends on what
// the stream does not show. With kept it also asks for the variables that a restart keeps. It
// returns "" if there is no such reason. A complete stream shows all networks without a header.
func (s *Stream) Missing(c *Composition, complete, kept bool) string {
	const most = 5
	names, how := s.absent(c, complete)
	if len(names) == 0 {
		return ""
	}
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	depend := c.dependent(set)
	sent := func(k Kind) bool { return s.Sent[k.Number] && depend[c.variable(k)] }
	if !slices.ContainsFunc(c.Kinds, sent) && !(kept && slices.ContainsFunc(c.Kept, func(v string) bool { return depend[v] })) {
		return ""
	}
	shown := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		if network, kind, ok := strings.Cut(name, "#"); ok {
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

// Lines returns the lines that state for a part of the stream what the whole stream shows.
func (s *Stream) Lines(c *Composition) [][]byte {
	if s.Stated {
		return s.Headers
	}
	var names []string
	for x, heard := range s.Heard {
		if heard {
			names = append(names, fmt.Sprintf("%q", c.Networks[x]))
		}
	}
	for _, name := range s.Others {
		names = append(names, fmt.Sprintf("%q", name))
	}
	line := fmt.Appendf(nil, `{"event":"header","networks":[%s]}`, strings.Join(names, ","))
	return append(slices.Clone(s.Headers), line)
}
