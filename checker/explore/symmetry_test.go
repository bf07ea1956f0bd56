package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// herd is the state of random models over three hosts, with one variable of each kind.
type herd struct {
	Level  [3]uint8
	Boss   [3]host
	Seen   [3]modules.Set[host]
	Pair   [3][3]uint8
	Chief  host
	Up     modules.Set[host]
	Line   modules.Seq[host, [2]host]
	Claims modules.Records[claim, [2]claim]
	Of     modules.Map[host, claim, [3]claim]
	Net    modules.Net[host, noteKind, note, [2]note, [3]noteLine, [3][3]noteLine]
	Bag    modules.Bag[host, noteKind, note, [2]note, [3]noteLine, [3][3]noteLine]
}

type (
	host     int8
	noteKind uint8
	claim    struct {
		Who  host
		Rank uint8
	}
	note struct {
		Kind  noteKind
		About host
	}
	noteLine = modules.Channel[note, [2]note]
	herdNode = checker.Node[herd, [8]uint8]
	pair     = modules.Pair[host]
)

const nobody host = -1

var hosts = modules.Identities{Type: "host", Count: 3, Arrays: []string{"herd.Level/0", "herd.Boss/0", "herd.Seen/0", "herd.Pair/0", "herd.Pair/1"}}

// relabelled returns the herd in which host k has become to[k], built through the operations of the
// containers: the oracle of Permute.
func relabelled(s *herd, to [modules.MaxSet]uint8) (n herd) {
	at := func(h host) host {
		if h < 0 {
			return h
		}
		return host(to[h])
	}
	n.Chief = at(s.Chief)
	for k := 1; k <= s.Line.Len(); k++ {
		n.Line.Append(at(s.Line.At(k)))
	}
	for k := 1; k <= s.Claims.Len(); k++ {
		c := s.Claims.At(k)
		n.Claims.Add(claim{at(c.Who), c.Rank})
	}
	for i := range host(3) {
		n.Level[at(i)], n.Boss[at(i)] = s.Level[i], at(s.Boss[i])
		if s.Up.Has(i) {
			n.Up.Add(at(i))
		}
		if s.Of.Has(i) {
			c := s.Of.At(i)
			n.Of.Put(at(i), claim{at(c.Who), c.Rank})
		}
		for j := range host(3) {
			if s.Seen[i].Has(j) {
				n.Seen[at(i)].Add(at(j))
			}
			n.Pair[at(i)][at(j)] = s.Pair[i][j]
			for k := 1; k <= s.Net.Len(i, j); k++ {
				m := s.Net.At(i, j, k)
				n.Net.Send(at(i), at(j), note{m.Kind, at(m.About)})
			}
			bag := s.Bag
			for bag.Len(i, j) > 0 {
				m := bag.Recv(i, j, 1, 1, 2)
				n.Bag.Send(at(i), at(j), note{m.Kind, at(m.About)})
			}
		}
	}
	return n
}

var herdGuards = []func(s *herd, i, j host) bool{
	func(s *herd, i, j host) bool { return s.Level[i] < 2 },
	func(s *herd, i, j host) bool { return s.Level[i] > s.Level[j] },
	func(s *herd, i, j host) bool { return s.Boss[i] == j },
	func(s *herd, i, j host) bool { return s.Boss[i] == nobody },
	func(s *herd, i, j host) bool { return s.Seen[i].Has(j) },
	func(s *herd, i, j host) bool { return s.Chief == i || s.Chief == nobody },
	func(s *herd, i, j host) bool { return s.Up.Has(i) },
	func(s *herd, i, j host) bool { return s.Net.Empty(i, j) },
	func(s *herd, i, j host) bool { return s.Pair[i][j] == s.Pair[j][i] },
	func(s *herd, i, j host) bool { return true },
}

var herdEffects = []func(s, n *herd, i, j host){
	func(s, n *herd, i, j host) { n.Level[i] = (s.Level[i] + 1) % 3 },
	func(s, n *herd, i, j host) { n.Boss[i] = j },
	func(s, n *herd, i, j host) { n.Boss[i] = nobody },
	func(s, n *herd, i, j host) { n.Seen[i].Add(j) },
	func(s, n *herd, i, j host) { n.Pair[i][j] = 1 - s.Pair[i][j] },
	func(s, n *herd, i, j host) { n.Chief = i },
	func(s, n *herd, i, j host) { n.Up ^= modules.SetOf(i) },
	func(s, n *herd, i, j host) {
		if s.Line.Len() == 2 {
			n.Line.PopFront()
		} else {
			n.Line.Append(j)
		}
	},
	func(s, n *herd, i, j host) {
		if s.Claims.Len() == 2 {
			n.Claims.Clear()
		} else {
			n.Claims.Add(claim{j, s.Level[i]})
		}
	},
	func(s, n *herd, i, j host) {
		if s.Of.Has(i) {
			n.Of.Delete(i)
		} else {
			n.Of.Put(i, claim{j, s.Level[j]})
		}
	},
	func(s, n *herd, i, j host) {
		if s.Net.Len(i, j) == 2 {
			n.Boss[j] = n.Net.Pop(i, j).About
		} else {
			n.Net.Send(i, j, note{1, i})
		}
	},
	func(s, n *herd, i, j host) {
		if s.Bag.Len(i, j) == 2 {
			n.Bag.Lose(i, j, 1)
			n.Bag.Lose(i, j, 1)
		} else {
			n.Bag.Send(i, j, note{1 + noteKind(s.Level[j]%2), s.Chief})
		}
	},
}

var herdProperties = []func(s *herd) bool{
	func(s *herd) bool { return s.Up.Len() < 3 },
	func(s *herd) bool { return s.Chief == nobody || s.Level[s.Chief] < 2 || s.Up.Empty() },
	func(s *herd) bool { return s.Line.Len() < 2 || s.Line.At(1) != s.Line.At(2) || s.Of.Len() < 2 },
	func(s *herd) bool {
		for i := range host(3) {
			if s.Boss[i] != nobody && s.Boss[s.Boss[i]] == i && s.Boss[i] != i {
				return false
			}
		}
		return true
	},
}

// herdModel returns a random specification that treats hosts alike, except for the actions in more.
func herdModel(t *testing.T, seed uint64, more ...modules.AnyAction[herd]) *checker.Spec[herdNode] {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 17))
	spec := &modules.Spec[herd]{System: "herd"}
	spec.Init = func(yield func(herd) bool) {
		s := herd{Boss: [3]host{nobody, nobody, nobody}, Chief: nobody}
		yield(s)
	}
	actions := more
	for k := range r.IntN(2) + 3 {
		g, h, e, f := herdGuards[r.IntN(len(herdGuards))], herdGuards[r.IntN(len(herdGuards))], herdEffects[r.IntN(len(herdEffects))], herdEffects[r.IntN(len(herdEffects))]
		both := r.IntN(3) == 0
		actions = append(actions, &modules.Action[herd, pair]{
			Name: fmt.Sprint("A", k), Params: modules.EachPair[host](3),
			Guard: func(s *herd, p pair) bool { return g(s, p.I, p.J) && h(s, p.J, p.I) },
			Effect: func(s, n *herd, p pair) {
				e(s, n, p.I, p.J)
				if m := *n; both {
					f(&m, n, p.J, p.I)
				}
			},
		})
	}
	for k := range 2 {
		spec.Invariants = append(spec.Invariants, &modules.Invariant[herd]{ID: fmt.Sprint("I", k), State: herdProperties[r.IntN(len(herdProperties))]})
	}
	for k, b := range modules.Bind(actions, nil, spec.Invariants) {
		a := modules.SpecAction[herd]{Bound: b}
		if k < 2 {
			a.Budgets = []int{0}
		}
		spec.Actions = append(spec.Actions, a)
	}
	spec.Budgets = []modules.Limit{{Bound: "b", Max: 1 + r.IntN(4)}}
	out, err := checker.Of[herd, [8]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSymmetricModels: with symmetry, the search visits one state for each orbit that exploring
// everything and relabelling each state in all six ways finds, and comes to the same verdict.
func TestSymmetricModels(t *testing.T) {
	t.Parallel()
	symmetricModels(t, 80, hosts, func() []modules.AnyAction[herd] { return nil })
}

// TestSymmetryOfOneRole: two hosts are servers, and the third is a client with an action of its
// own. Only the servers are permuted. So a state has two orders, and the client stays the client.
func TestSymmetryOfOneRole(t *testing.T) {
	t.Parallel()
	const client host = 2
	servers := hosts
	servers.Count = 2
	symmetricModels(t, 60, servers, func() []modules.AnyAction[herd] {
		return []modules.AnyAction[herd]{&modules.Action[herd, modules.One[host]]{
			Name: "Ask", Params: modules.Each[host](2),
			Guard: func(s *herd, p modules.One[host]) bool {
				return s.Boss[client] == nobody || s.Level[p.I] < s.Level[client]
			},
			Effect: func(s, n *herd, p modules.One[host]) {
				n.Boss[client], n.Chief = p.I, client
				n.Pair[client][p.I] = 1
				n.Of.Put(client, claim{Who: p.I})
			},
		}}
	})
	spec := herdModel(t, 3, &modules.Action[herd, modules.One[host]]{
		Name: "AskFirst", Params: modules.Each[host](1), Guard: func(s *herd, p modules.One[host]) bool { return true },
		Effect: func(s, n *herd, p modules.One[host]) { n.Boss[client] = 0 },
	})
	y, err := reduce.BySymmetry(spec, servers, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := y.Equivariant(spec, reduce.Samples, 1); err == nil {
		t.Error("a client that asks server 0 alone tells servers apart")
	}
}

// TestSymmetryOfSeveralRoles: of three hosts the first is a server that stays, and the other two
// are clients that change places. Then the first two and the third are two roles.
func TestSymmetryOfSeveralRoles(t *testing.T) {
	t.Parallel()
	const server host = 0
	later := hosts
	later.Groups = []modules.Group{{Name: "client", First: 1, Count: 2}}
	ask := func() []modules.AnyAction[herd] {
		return []modules.AnyAction[herd]{&modules.Action[herd, modules.One[host]]{
			Name: "Ask", Params: func(yield func(modules.One[host]) bool) {
				_ = yield(modules.One[host]{I: 1}) && yield(modules.One[host]{I: 2})
			},
			Guard: func(s *herd, p modules.One[host]) bool {
				return s.Boss[server] == nobody || s.Level[p.I] < s.Level[server]
			},
			Effect: func(s, n *herd, p modules.One[host]) {
				n.Boss[server], n.Chief = p.I, server
				n.Pair[server][p.I] = 1
				n.Of.Put(server, claim{Who: p.I})
			},
		}}
	}
	symmetricModels(t, 60, later, ask)
	for _, wrong := range [][]modules.Group{{{First: 1, Count: 3}}, {{First: 0, Count: 2}, {First: 1, Count: 2}}, {{First: 1, Count: 0}}} {
		bad := hosts
		bad.Groups = wrong
		if _, err := reduce.BySymmetry(herdModel(t, 1), bad, nil); err == nil {
			t.Errorf("%v are no groups of three hosts", wrong)
		}
	}
	short := later
	short.Count, short.Groups = 4, []modules.Group{{First: 1, Count: 3}}
	if _, err := reduce.BySymmetry(herdModel(t, 1), short, nil); err == nil {
		t.Error("arrays of three have elements for two of the three nodes of a group")
	}
}

// post is a node of the matrix model: four rows, then four columns.
type post int8

const rows = 4

// matrix is a bipartite relation: which columns each row is linked with.
type matrix struct {
	Linked [2 * rows]modules.Set[post]
}

// TestMatricesUpToPermutations counts the binary matrices of m rows and n columns, up to the order
// of the rows and of the columns. The On-Line Encyclopedia of Integer Sequences has these counts as
// A028657. With the columns alone, a matrix is a multiset of n columns out of 2^m.
func TestMatricesUpToPermutations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		m, n          int
		both, columns int64
	}{
		{1, 3, 4, 4}, {2, 2, 7, 10}, {2, 3, 13, 20}, {3, 2, 13, 36}, {3, 3, 36, 120}, {2, 4, 22, 35}, {4, 3, 87, 816}, {4, 4, 317, 3876},
	} {
		rowGroup, columnGroup := modules.Group{Name: "row", Count: c.m}, modules.Group{Name: "column", First: rows, Count: c.n}
		for _, x := range []struct {
			groups []modules.Group
			want   int64
		}{
			{[]modules.Group{rowGroup, columnGroup}, c.both},
			{[]modules.Group{columnGroup}, c.columns},
		} {
			toggle := &modules.Action[matrix, pairOf]{
				Name: "Toggle",
				Params: func(yield func(pairOf) bool) {
					for i := range post(c.m) {
						for j := range post(c.n) {
							if !yield(pairOf{I: i, J: rows + j}) {
								return
							}
						}
					}
				},
				Guard:  func(s *matrix, p pairOf) bool { return true },
				Effect: func(s, n *matrix, p pairOf) { n.Linked[p.I] ^= modules.SetOf(p.J) },
			}
			spec := &modules.Spec[matrix]{System: "matrix", Init: func(yield func(matrix) bool) { yield(matrix{}) }}
			for _, b := range modules.Bind([]modules.AnyAction[matrix]{toggle}, nil, nil) {
				spec.Actions = append(spec.Actions, modules.SpecAction[matrix]{Bound: b})
			}
			bound, err := checker.Of[matrix, [0]uint8](spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			ids := modules.Identities{Type: "post", Count: 2 * rows, Groups: x.groups, Arrays: []string{"matrix.Linked/0"}}
			if _, err := reduce.BySymmetry(bound, ids, nil); err != nil {
				t.Fatal(err)
			}
			res, err := explore.Run(bound, explore.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if res.Distinct != x.want {
				t.Errorf("%d x %d, %v: %d matrices, published %d", c.m, c.n, x.groups, res.Distinct, x.want)
			}
		}
	}
}

type pairOf = modules.Pair[post]

// symmetricModels compares searches of random models with the naive oracle.
func symmetricModels(t *testing.T, seeds uint64, ids modules.Identities, more func() []modules.AnyAction[herd]) {
	t.Helper()
	total, orbits, verdicts := 0, int64(0), map[checker.Verdict]int{}
	for seed := range seeds {
		whole := herdModel(t, seed, more()...)
		var nodes []herdNode
		full := spectest.Naive(whole, spectest.NaiveOptions[herdNode]{MaxStates: 6000, Each: func(n *herdNode, _ int) { nodes = append(nodes, *n) }})
		if full.Reason != "" {
			continue
		}
		spec := herdModel(t, seed, more()...)
		y, err := reduce.BySymmetry(spec, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := y.Equivariant(spec, 200, seed); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		seen, want := map[herdNode]bool{}, int64(0)
		for _, n := range nodes {
			if !seen[n] {
				want++
			}
			var rep, other herdNode
			spec.Represent(&n, &rep)
			for _, to := range y.Orders() {
				moved := herdNode{Spent: n.Spent, State: relabelled(&n.State, to)}
				seen[moved] = true
				var permuted herdNode
				if y.Permute(&to, &n, &permuted); permuted != moved {
					t.Fatalf("seed %d: order %v: permuted %+v, relabelled %+v", seed, to, permuted, moved)
				}
				if spec.Represent(&moved, &other); other != rep {
					t.Fatalf("seed %d: an orbit with two representatives", seed)
				}
			}
		}
		slow := spectest.Naive(spec, spectest.NaiveOptions[herdNode]{})
		fast, err := explore.Run(spec, explore.Options{Workers: 2, Stop: 0})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*checker.Result[herdNode]{&slow, &fast} {
			if r.Distinct != want || r.Verdict != full.Verdict || r.Depth != full.Depth || len(r.Violations) > 0 && r.Violations[0].Depth != full.Violations[0].Depth {
				t.Errorf("seed %d: %s, %d states, depth %d; %s, %d orbits, depth %d", seed, r.Verdict, r.Distinct, r.Depth, full.Verdict, want, full.Depth)
			}
		}
		if slow.Generated != fast.Generated || slow.Digest != fast.Digest {
			t.Errorf("seed %d: the two searches differ", seed)
		}
		total, orbits = total+len(nodes), orbits+want
		verdicts[full.Verdict]++
	}
	t.Logf("%d states in %d orbits, verdicts %v", total, orbits, verdicts)
	if total < 100*int(seeds) || len(verdicts) < 2 {
		t.Error("the models are too small, or all alike")
	}
}

// TestAsymmetricModels: a model that tells hosts apart is refused, with what does.
func TestAsymmetricModels(t *testing.T) {
	t.Parallel()
	act := func(name string, guard func(s *herd, p pair) bool, effect func(s, n *herd, p pair)) *modules.Action[herd, pair] {
		return &modules.Action[herd, pair]{Name: name, Params: modules.EachPair[host](3), Guard: guard, Effect: effect}
	}
	raise := func(s, n *herd, p pair) { n.Level[p.I] = min(s.Level[p.I]+1, 2) }
	always := func(s *herd, p pair) bool { return true }
	for _, c := range []struct {
		action *modules.Action[herd, pair]
		want   string
	}{
		{act("Larger", func(s *herd, p pair) bool { return p.I > p.J }, func(s, n *herd, p pair) { n.Chief = p.I }), "Larger"},
		{act("First", always, func(s, n *herd, p pair) {
			for j := range host(3) {
				if s.Level[j] == 0 {
					n.Chief = j
					break
				}
			}
		}), "First"},
		{act("Zero", always, func(s, n *herd, p pair) { n.Claims.Add(claim{Rank: 1}) }), "Zero"},
		{act("Alike", always, raise), ""},
	} {
		spec := herdModel(t, 3, c.action)
		y, err := reduce.BySymmetry(spec, hosts, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = y.Equivariant(spec, reduce.Samples, 1)
		var wrong *reduce.AsymmetryError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.action.Name, err)
		case c.want != "" && (!errors.As(err, &wrong) || !strings.Contains(wrong.What, c.want)):
			t.Errorf("%s: %v", c.want, err)
		}
	}
	bad := hosts
	bad.Count = 4
	if _, err := reduce.BySymmetry(herdModel(t, 1), bad, nil); err == nil {
		t.Error("arrays of three for four hosts")
	}
}

// TestRareAsymmetry: hosts differ only where nine turns of one action follow each other, and any
// other action starts them anew. Random walks come there rarely. A search does, and says so.
func TestRareAsymmetry(t *testing.T) {
	t.Parallel()
	const last = 9
	type ring struct {
		Turns uint8
		Level [3]uint8
	}
	type ringNode = checker.Node[ring, [8]uint8]
	of := modules.Identities{Type: "host", Count: 3, Arrays: []string{"ring.Level/0"}}
	of.Groups = hosts.Groups
	model := func(asymmetric bool) *checker.Spec[ringNode] {
		actions := []modules.AnyAction[ring]{&modules.Action[ring, modules.One[host]]{
			Name: "Turn", Params: modules.Each[host](3), Guard: func(s *ring, p modules.One[host]) bool { return s.Turns < last },
			Effect: func(s, n *ring, p modules.One[host]) {
				if n.Turns++; n.Turns == last && asymmetric {
					n.Level[0] = 1
				}
			},
		}}
		for k := range 5 {
			actions = append(actions, &modules.Action[ring, modules.One[host]]{
				Name: fmt.Sprint("Reset", k), Params: modules.Each[host](3), Guard: func(s *ring, p modules.One[host]) bool { return s.Turns < last },
				Effect: func(s, n *ring, p modules.One[host]) { n.Turns = 0 },
			})
		}
		m := &modules.Spec[ring]{System: "ring", Init: func(yield func(ring) bool) { yield(ring{}) }}
		for _, b := range modules.Bind(actions, nil, nil) {
			m.Actions = append(m.Actions, modules.SpecAction[ring]{Bound: b})
		}
		spec, err := checker.Of[ring, [8]uint8](m, nil)
		if err != nil {
			t.Fatal(err)
		}
		return spec
	}
	for _, asymmetric := range []bool{true, false} {
		spec := model(asymmetric)
		y, err := reduce.BySymmetry(spec, of, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := y.Equivariant(spec, 100, 1); err != nil {
			t.Fatalf("the walks found it: %v", err)
		}
		var mu sync.Mutex
		var wrong error
		pairs := y.Watch(spec, func(err error) {
			mu.Lock()
			defer mu.Unlock()
			wrong = err
		})
		res, err := explore.Run(spec, explore.Options{Workers: 2, Stop: 1})
		if err != nil || pairs() < int(res.Distinct) {
			t.Errorf("%v, %d pairs of nodes of %d states", err, pairs(), res.Distinct)
		}
		if asymmetric != (wrong != nil) {
			t.Errorf("asymmetric %t: %v", asymmetric, wrong)
		}
	}
}
