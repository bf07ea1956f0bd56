package program

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/exchange"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/preserve"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// seed of what is sampled before an exploration: the same run samples the same nodes.
const seed = 1

// symmetry makes the nodes of each role alike, and tests whether they are: before an exploration,
// and in nodes that it expands, where it calls found with a failure. The function that it returns
// is called when the exploration has ended.
func symmetry[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], ids modules.Identities, sliced []string, found func(error)) (func() *wire.Symmetric, error) {
	y, err := reduce.BySymmetry(spec, ids, sliced)
	if err != nil {
		return nil, err
	}
	pairs, err := y.Equivariant(spec, reduce.Samples, seed)
	if err != nil {
		return nil, err
	}
	out := &wire.Symmetric{Pairs: pairs}
	for _, g := range ids.Moving() {
		out.Servers += g.Count
		out.Roles = append(out.Roles, wire.SymmetricRole{Role: g.Name, Nodes: g.Count})
	}
	watched := y.Watch(spec, found)
	return func() *wire.Symmetric {
		out.Pairs += watched()
		return out
	}, nil
}

// por makes spec leave out orders of steps that make no difference, and tries whether they do.
func por[S any, U checker.Counters](spec *modules.Spec[S], bound *checker.Spec[checker.Node[S, U]], f *wire.Footprints, sliced bool) (func() *wire.Reduced, error) {
	d, err := reduce.NewIndependence(spec, reduce.Footprints{Actions: f.Actions, Seen: f.Seen})
	if err != nil {
		return nil, err
	}
	r, err := reduce.ByStubbornSets(bound, d, sliced)
	if err != nil {
		return nil, err
	}
	pairs, err := reduce.Validate(bound, d, tried, seed)
	if err != nil {
		return nil, err
	}
	return func() *wire.Reduced {
		expanded, reduced := r.Counts()
		return &wire.Reduced{Pairs: pairs, Expanded: expanded, Reduced: reduced, Independent: d.Share()}
	}, nil
}

// tried is the least number of pairs of instances that are tested in sampled states, if there are
// so many.
const tried = 100_000

// reductionError is one that refuses the reduction, or says that the analysis is wrong.
func reductionError(err error) *wire.Error {
	var refused *reduce.ReductionError
	if errors.As(err, &refused) {
		return &wire.Error{Kind: wire.ErrorReduction, Message: err.Error()}
	}
	return &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}
}

// weakest returns what a comparison in the weakest environment needs.
func (x *comparer[S, U]) weakest(specs [2]*modules.Spec[S]) (*preserve.Weakest, error) {
	w := &preserve.Weakest{Lacks: x.request.Lacks, Rest: x.spans(x.request.Rest), Looks: x.spans(x.request.Looked)}
	number := map[string]int{}
	for side, spec := range specs {
		for _, a := range spec.Actions {
			reads, rest := x.request.Reads[a.Name]
			for k, param := range a.Params {
				if !rest {
					w.Step[side] = append(w.Step[side], -1)
					continue
				}
				key := fmt.Sprint(a.Name, " ", k)
				step, ok := number[key]
				if !ok {
					cells, err := layout.CellsOf(x.state, reads, param, x.enum)
					if err != nil {
						return nil, fmt.Errorf("view of %s: %w", a.Name, err)
					}
					step = len(w.Whole)
					number[key] = step
					w.Whole, w.Reads = append(w.Whole, cells), append(w.Reads, x.restOf(reads))
				}
				w.Step[side] = append(w.Step[side], step)
			}
		}
		w.Lacks = cmp.Or(w.Lacks, x.sharedBudget(spec))
	}
	return w, nil
}

// sharedBudget says which action of the compared modules spends a budget that others spend, too; ""
// if none does.
func (x *comparer[S, U]) sharedBudget(spec *modules.Spec[S]) string {
	rest := map[int]bool{} // by budget
	for _, a := range spec.Actions {
		if _, ok := x.request.Reads[a.Name]; ok {
			for _, b := range a.Budgets {
				rest[b] = true
			}
		}
	}
	for _, a := range spec.Actions {
		if _, ok := x.request.Reads[a.Name]; !ok && slices.ContainsFunc(a.Budgets, func(b int) bool { return rest[b] }) {
			return "action " + a.Name + " spends a budget that other modules spend"
		}
	}
	return ""
}

// restOf returns the parts of the State among accesses that the compared modules do not use.
func (x *comparer[S, U]) restOf(accesses []modules.Access) []preserve.Span {
	var fields []string
	for _, a := range accesses {
		name := a.Variable
		if k := strings.IndexAny(name, ".#"); k >= 0 {
			name = name[:k]
		}
		if slices.Contains(x.request.Rest, name) && !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	return x.spans(fields)
}

// spans returns the places of fields of the State.
func (x *comparer[S, U]) spans(fields []string) (out []preserve.Span) {
	for _, name := range fields {
		if f, ok := x.state.FieldByName(name); ok {
			out = append(out, preserve.Span{Offset: f.Offset, Size: f.Type.Size()})
		}
	}
	return out
}

// partOf returns the part of a search that a request asks for; nil for a whole search.
func partOf[S any, U checker.Counters](p *Program[S, U], asked *wire.Share) (*explore.Part, error) {
	if asked == nil {
		return nil, nil
	}
	if p.side.Sent == nil {
		return nil, errors.New("a part of a search needs a command that carries its frames")
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(800) // what lives on the heap is small, and each frame leaves garbage
	}
	out := &explore.Part{Index: asked.Index, Count: asked.Count, Link: pipes{p.side.Sent, bufio.NewReaderSize(p.side.Received, 256<<10)}}
	if p.Branches != nil {
		out.Taken = p.Branches.Taken
	}
	return out, nil
}

// pipes is a link by the command.
type pipes struct {
	sent     io.Writer
	received *bufio.Reader
}

func (l pipes) Send(frame []byte) error { return exchange.Write(l.sent, frame) }

func (l pipes) Receive() ([]byte, error) { return exchange.Read(l.received, nil) }

// isLost reports whether an error says that the parts of a search lost each other.
func isLost(err error) bool {
	_, ok := errors.AsType[*exchange.Error](err)
	return ok
}
