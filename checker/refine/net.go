package refine

import (
	"fmt"
	"reflect"

	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/modules/layout"
)

// net is one of the networks of a State. Messages of all of them have the same room in lanes; a
// message's kind says which network it is of, so kinds of different networks have different
// numbers.
type net struct {
	*layout.Wires
	spans  []modules.Span // of a message
	chains []int          // the nodes of the Chains in it
	size   int
}

// connect finds the networks.
func (n *node[S]) connect(t reflect.Type, enum modules.Enum) error {
	wires, unused, err := layout.WiresOf(t)
	if err != nil {
		return err
	}
	n.unmodelled = unused
	names := map[int64]string{}
	for x, w := range wires {
		var chains []int
		for _, c := range layout.ChainsIn(w.Message) {
			if c.Deque {
				return fmt.Errorf("message type %s holds a Deque", w.Message)
			}
			chains = append(chains, int(c.Node))
			n.msgChains = true
		}
		n.plan.Networks = append(n.plan.Networks, w.Variable)
		n.nets = append(n.nets, net{Wires: w, spans: modules.Spans(w.Message), chains: chains, size: int(w.Message.Size())})
		n.servers, n.msgSize = len(w.Of), max(n.msgSize, int(w.Message.Size()))
		for name, kind := range enum(w.Message.Field(0).Type) {
			if other, taken := names[kind]; taken && n.netAt[uint8(kind)] != uint8(x) {
				return fmt.Errorf("kinds %s and %s of two networks have the same number, which says to which network a message belongs", other, name)
			}
			names[kind], n.netAt[uint8(kind)] = name, uint8(x)
		}
	}
	return nil
}

// netOf returns the network of a message.
func (n *node[S]) netOf(msg []byte) *net { return &n.nets[n.netAt[kind(msg)]] }
