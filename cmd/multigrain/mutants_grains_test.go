package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mutated is a coarse grain whose statements are changed one by one.
type mutated struct {
	folder  string // of the specification, from the repository's root
	file    string // of the coarse grain
	configs string // folder of shipped manifests that the ones below extend, "" if they extend none
	// manifests have the coarse grain, and are compared in turn until one finds the mutant: the
	// cheap ones first.
	manifests []string
	// larger have about twice the bounds: what they do not find either is equivalent.
	larger []string
	// gaps says why the untouched grain has a gap in one of the manifests; "" if it has none.
	gaps   string
	fields []string
}

// chainManifest returns a manifest for one coarse grain of configs/examples/chain.
func chainManifest(coarse, target string, puts, gets int) string {
	var b strings.Builder
	fmt.Fprint(&b, "system \"chain\" {\n  source = \"./spec\"\n}\n")
	for _, m := range []string{"client", "replication", "master", "faults"} {
		grain := map[bool]string{true: "coarse", false: "baseline"}[m == coarse]
		if m == "faults" {
			grain = "stopping"
		}
		fmt.Fprintf(&b, "module %q {\n  grain = %q\n  target = %t\n}\n", m, grain, m == target)
	}
	bounds := fmt.Sprintf("bounds {\n  servers = 3\n  puts = %d\n  gets = %d\n  crashes = 1\n}\n", puts, gets)
	fmt.Fprintf(&b, "%scheck {\n  invariants = [\"*\"]\n}\n", bounds)
	// A guard that is weakened can make the coarse composition unbounded: then it is
	// undecided. Without bounds in the block the command would find smaller ones.
	fmt.Fprintf(&b, "interaction {\n  max_states = %d\n  %s}\n", 60_000*puts*puts*gets*gets, bounds)
	return b.String()
}

func chainGrain(coarse, target string) mutated {
	return mutated{folder: "configs/examples/chain", file: coarse + "_coarse.go",
		manifests: []string{chainManifest(coarse, target, 1, 1)}, larger: []string{chainManifest(coarse, target, 2, 2)},
		fields: []string{"Puts", "Known", "Floor", "Gets", "Views"}}
}

// composition is a manifest that extends a shipped one, with other grains and other bounds of the
// comparison. Its grains are words module=grain; a word module= is a module that another one
// covers.
type composition struct {
	shipped, grains, targets, unchanged, bounds string
	states                                      int
}

func (c composition) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "extends = \"shipped/%s.hcl\"\n", c.shipped)
	for _, word := range strings.Fields(c.grains) {
		if module, grain, _ := strings.Cut(word, "="); grain == "" {
			fmt.Fprintf(&b, "module %q {\n  grain = null\n}\n", module)
		} else {
			fmt.Fprintf(&b, "module %q {\n  grain = %q\n  target = %t\n}\n", module, grain, slices.Contains(strings.Fields(c.targets), module))
		}
	}
	fmt.Fprint(&b, "interaction {\n  level = \"L2\"\n  unchanged = [")
	for _, m := range strings.Fields(c.unchanged) {
		fmt.Fprintf(&b, "%q, ", m)
	}
	fmt.Fprintf(&b, "]\n  max_states = %d\n", c.states)
	if !strings.HasPrefix(c.bounds, "inherit") {
		fmt.Fprintf(&b, "  bounds {\n    %s\n  }\n", strings.ReplaceAll(c.bounds, ", ", "\n    "))
		fmt.Fprint(&b, "  accept = []\n")
	}
	fmt.Fprint(&b, "}\n")
	return b.String()
}

// zabBounds returns the bounds of a comparison of Zab.
func zabBounds(servers, transactions, crashes, partitions, epochs int) string {
	return fmt.Sprintf("servers = %d, transactions = %d, requests = %[2]d, crashes = %d, partitions = %d, epochs = %d, fle_timeouts = 0, notifications = %d",
		servers, transactions, crashes, partitions, epochs, 4*(1+crashes+partitions))
}

// againstElection adds to a manifest that its coarse grain of Election and Discovery is compared
// with coarse-election and the baseline of Discovery, which end with three servers and a fault.
func againstElection(manifest string) string {
	return strings.Replace(manifest, "  accept = []\n", "  accept = []\n  against {\n    election  = \"coarse-election\"\n    discovery = \"baseline\"\n  }\n", 1)
}

// zab returns a composition of Zab. Grains are those of Election, Discovery, Synchronization and
// Broadcast.
func zab(grains, targets, unchanged, bounds string) string {
	c := composition{shipped: "baseline", targets: targets, unchanged: unchanged, bounds: bounds, states: 3_000_000}
	words := strings.Fields(grains)
	for k, module := range []string{"election", "discovery", "synchronization", "broadcast"} {
		grain := words[k]
		if grain == "-" {
			grain = ""
		}
		c.grains += module + "=" + grain + " "
	}
	return c.String()
}

func zabGrain(file string, manifests, larger []string) mutated {
	return mutated{folder: "zab", file: file, configs: "configs/zab/phases", manifests: manifests, larger: larger,
		fields: []string{"AcceptedEpoch[0]", "CurrentEpoch[1]", "LastCommitted[0]"}}
}

// raft is a composition of Raft that extends a shipped one, with coarse grains that stand on both
// sides, and bounds of the comparison.
func raft(shipped, unchanged, bounds string) string {
	return composition{shipped: shipped, unchanged: unchanged, bounds: bounds, states: 1_000_000}.String()
}

// beatsOfReads is a composition of Raft whose clients read, and whose reads are confirmed by
// heartbeats.
func beatsOfReads(bounds string) string {
	return composition{shipped: "coarse-beats", grains: "client=reads", targets: "client",
		bounds: "terms = 1, timeouts = 1, " + bounds, states: 5_000_000}.String()
}

func raftGrain(file string, manifests, larger []string) mutated {
	return mutated{folder: "raft", file: file, configs: "configs/raft", manifests: manifests, larger: larger,
		fields: []string{"Term[0]", "Commit[1]", "Applied[0]"}}
}

// adoptAgainstItself compares mutants of Raft's coarse replication with that itself.
func adoptAgainstItself(grains, targets, unchanged, bounds string) string {
	return againstItself("replication", "coarse", composition{shipped: "coarse", grains: grains, targets: targets, unchanged: unchanged,
		bounds: bounds + ", queue = 4", states: 3_000_000}.String())
}

// published is the published MSPEC_2 with other bounds.
func published(servers, crashes, partitions int) string {
	return fmt.Sprintf(`extends = "shipped/parity-mspec2.hcl"
interaction {
  level = "L2"
  bounds {
    servers      = %d
    transactions = 3
    crashes      = %d
    partitions   = %d
    timeouts     = 1
    epochs       = %d
  }
}
`, servers, crashes, partitions, 1+crashes+partitions)
}

// nodeGrains is the composition that runs next to a server, with a level and what Election is
// compared with.
func nodeGrains(level, against, bounds string) string {
	return fmt.Sprintf(`extends = "shipped/node.hcl"
interaction {
  level = %q
  against {
    election = %q
  }
  bounds {
    %s
  }
  max_states = 3000000
}
`, level, against, strings.ReplaceAll(bounds, ", ", "\n    "))
}

func (m mutated) withGaps(why string) mutated {
	m.gaps = why
	return m
}

// mutatedGrains are the grains whose mutants TestMutants makes.
//
// Fast Leader Election is by far the costliest module of Zab. So where it can, a composition has
// another coarse election on both sides, and three servers. The coarse elections themselves are
// compared with two servers and with faults, and with three servers and without faults.
var mutatedGrains = map[string]mutated{
	"client":      chainGrain("client", "replication"),
	"replication": chainGrain("replication", "client"),
	"master":      chainGrain("master", "replication"),

	"raft-election": raftGrain("election_coarse.go",
		[]string{raft("coarse", "replication apply", "terms = 2, timeouts = 2, requests = 1, restarts = 0, queue = 4")},
		// The finest election has too many states at larger bounds.
		[]string{againstItself("election", "coarse", raft("coarse", "replication apply", "terms = 4, timeouts = 4, requests = 2, restarts = 1, queue = 4"))}).
		withGaps("candidacies that fail raise terms"),
	"raft-votes": raftGrain("election_coarse_votes.go",
		[]string{
			raft("client", "replication apply", "terms = 1, timeouts = 1, requests = 1"),
			raft("replication", "apply", "terms = 2, timeouts = 2, requests = 0"),
		},
		[]string{raft("client", "replication apply", "terms = 2, timeouts = 2, requests = 2")}).
		withGaps("a candidacy that lasts or fails"),
	"raft-appends": raftGrain("replication_coarse_appends.go",
		[]string{
			raft("apply", "election", "terms = 1, timeouts = 1, requests = 1"),
			raft("election", "apply", "terms = 2, timeouts = 2, requests = 0"),
		},
		[]string{raft("apply", "election", "terms = 2, timeouts = 2, requests = 1")}).
		withGaps("an append whose answer is late"),
	"raft-beats": raftGrain("replication_coarse_beats.go",
		[]string{
			raft("coarse-beats", "", "terms = 1, timeouts = 1, requests = 1, heartbeats = 1, restarts = 0"),
			raft("coarse-beats", "", "terms = 1, timeouts = 1, requests = 1, heartbeats = 1, restarts = 1"),
			beatsOfReads("requests = 0, reads = 1, heartbeats = 1, restarts = 0"),
			beatsOfReads("requests = 1, reads = 1, heartbeats = 0, restarts = 0"),
			beatsOfReads("requests = 0, reads = 1, heartbeats = 1, restarts = 1"),
		},
		[]string{
			beatsOfReads("requests = 0, reads = 1, heartbeats = 2, restarts = 0"),
			beatsOfReads("requests = 0, reads = 2, heartbeats = 1, restarts = 0"),
			composition{shipped: "coarse-beats", bounds: "terms = 1, timeouts = 1, requests = 1, heartbeats = 2, restarts = 1", states: 5_000_000}.String(),
		}).
		withGaps("heartbeats that arrive while other messages are in flight"),
	"raft-apply": raftGrain("apply_coarse.go",
		[]string{
			raft("client", "election replication", "terms = 1, timeouts = 1, requests = 1"),
			raft("client", "election replication", "terms = 1, timeouts = 1, requests = 2"),
		},
		[]string{
			raft("client", "election replication", "terms = 1, timeouts = 1, requests = 4"),
			raft("client", "election replication", "terms = 2, timeouts = 2, requests = 1"),
		}),
	// With two requests the grain is false: a follower takes over two entries at once. Then the
	// other invariants see values, which satisfy them, that the baseline does not have. So at
	// larger bounds a mutant is compared with the grain itself.
	"raft-replication": raftGrain("replication_coarse.go",
		[]string{composition{shipped: "coarse", grains: "apply=baseline client=baseline", targets: "apply", unchanged: "election",
			bounds: "terms = 1, timeouts = 1, requests = 1, restarts = 0, queue = 4", states: 1_000_000}.String() +
			`check {
  invariants = ["ElectionSafety", "LogMatching", "MonotonicTerm", "VoteOnce", "VoteForSelf", "LeaderKnown", "Panic"]
}
`}, []string{
			adoptAgainstItself("apply=baseline client=baseline", "apply", "election", "terms = 2, timeouts = 2, requests = 2, restarts = 1"),
			adoptAgainstItself("apply=baseline client=reads-at-once", "apply client", "election", "terms = 2, timeouts = 2, requests = 1, reads = 1, transfers = 1"),
			// Only the finest election hands over.
			adoptAgainstItself("election=fine apply=baseline client=baseline", "election", "", "terms = 2, timeouts = 1, requests = 1, restarts = 0, transfers = 1"),
		}),
	// At larger bounds the grain is false: the rules of MSPEC_2 bar faults until its coarse step.
	// So there a mutant is compared with the grain itself.
	"zab-published": {folder: "zab/published", file: "election_coarse.go", configs: "configs/zab",
		manifests: []string{published(2, 1, 1)},
		larger: []string{
			againstItself("election", "coarse", published(2, 2, 2)),
			againstItself("election", "coarse", published(3, 1, 1)),
		},
		fields: []string{"AcceptedEpoch[0]", "CurrentEpoch[1]"}},

	// Level L2 finds the grain false against node-votes: a leader that gives up leads again at
	// once. So a mutant is compared with that at L1, and with the grain itself at larger bounds.
	"zab-one-sided": {folder: "zab", file: "election_node.go", configs: "configs/zab",
		manifests: []string{
			nodeGrains("L0", "baseline", "servers = 2"),
			nodeGrains("L1", "node-votes", "servers = 2, transactions = 0, requests = 0, crashes = 0, partitions = 0, timeouts = 0, epochs = 1, notifications = 2, fle_timeouts = 2"),
		},
		larger: []string{
			nodeGrains("L2", "node-untouched", "servers = 2, transactions = 1, requests = 1, crashes = 1, partitions = 1, timeouts = 1, epochs = 3"),
			nodeGrains("L2", "node-untouched", "servers = 3, transactions = 1, requests = 1, crashes = 0, partitions = 0, timeouts = 0, epochs = 2"),
		},
		fields: []string{"AcceptedEpoch[0]", "CurrentEpoch[1]", "LastCommitted[0]"}},
	"zab-discovery": zabGrain("discovery_coarse.go",
		[]string{
			zab("coarse-election coarse baseline coarse", "synchronization", "election broadcast", zabBounds(3, 0, 1, 0, 2)),
			zab("coarse-election coarse baseline coarse", "synchronization", "election broadcast", zabBounds(3, 0, 0, 1, 2)),
			zab("baseline coarse baseline baseline", "synchronization", "", zabBounds(2, 1, 1, 1, 4)),
			zab("coarse-election coarse baseline coarse", "synchronization", "election broadcast", zabBounds(3, 1, 1, 0, 2)),
		},
		[]string{zab("coarse-election coarse baseline coarse", "synchronization", "election broadcast", zabBounds(3, 1, 1, 1, 3))}).
		withGaps("a partition after a leader has accepted an epoch and before its follower does"),
	"zab-election": zabGrain("election_coarse.go",
		[]string{
			zab("coarse-election baseline baseline baseline", "discovery", "", zabBounds(2, 1, 1, 1, 4)),
			zab("coarse-election baseline coarse coarse", "discovery", "synchronization broadcast", zabBounds(3, 0, 0, 0, 2)),
		},
		[]string{zab("coarse-election baseline coarse coarse", "discovery", "synchronization broadcast", zabBounds(2, 2, 2, 1, 6))}).
		withGaps("a server leads with votes that their servers have given to another one since"),
	"zab-election-discovery": zabGrain("election_discovery_coarse.go",
		[]string{
			zab("coarse - baseline baseline", "synchronization broadcast", "", zabBounds(2, 1, 1, 1, 4)),
			zab("coarse - baseline coarse", "synchronization", "broadcast", zabBounds(3, 0, 0, 0, 1)),
			againstElection(zab("coarse - baseline coarse", "synchronization", "broadcast", zabBounds(3, 1, 1, 0, 3))),
		},
		[]string{againstElection(zab("coarse - baseline coarse", "synchronization", "broadcast", zabBounds(3, 1, 1, 1, 3)))}).
		withGaps("a server does not join a leader that has its quorum"),
	"zab-join": zabGrain("election_discovery_coarse_join.go",
		[]string{
			zab("coarse-join - baseline baseline", "synchronization broadcast", "", zabBounds(2, 1, 1, 1, 4)),
			zab("coarse-join - baseline coarse", "synchronization", "broadcast", zabBounds(3, 0, 0, 0, 1)),
			againstElection(zab("coarse-join - baseline coarse", "synchronization", "broadcast", zabBounds(3, 1, 1, 0, 3))),
		},
		[]string{againstElection(zab("coarse-join - baseline coarse", "synchronization", "broadcast", zabBounds(3, 1, 1, 1, 3)))}).
		withGaps("acknowledgements of epochs come in another order"),
	"zab-synchronization": zabGrain("synchronization_coarse.go",
		[]string{
			zab("coarse-join - coarse baseline", "broadcast", "election", zabBounds(3, 1, 1, 1, 3)),
			zab("coarse-join - coarse baseline", "broadcast", "election", zabBounds(3, 2, 1, 0, 2)),
		},
		[]string{zab("coarse-join - coarse baseline", "broadcast", "election", zabBounds(3, 2, 1, 1, 3))}).
		withGaps("a follower has truncated its log, and loses its leader before NEWLEADER"),
	"zab-broadcast": zabGrain("broadcast_coarse.go",
		[]string{
			zab("coarse-join - baseline coarse", "synchronization", "election", zabBounds(3, 1, 1, 1, 3)),
			zab("coarse-join - baseline coarse", "synchronization", "election", zabBounds(3, 2, 1, 0, 2)),
			// The bound of transactions binds where there are more requests than that.
			zab("coarse-join - baseline coarse", "synchronization", "election", strings.Replace(zabBounds(3, 1, 0, 0, 1), "requests = 1", "requests = 2", 1)),
		},
		[]string{zab("coarse-join - baseline coarse", "synchronization", "election", zabBounds(3, 2, 1, 1, 3))}),
}

// compared returns the manifests, those with larger bounds last.
func (w *workshop) compared() []string {
	if *skipLarger {
		return w.manifests
	}
	return slices.Concat(w.manifests, w.larger)
}

// manifest returns the file of a manifest.
func (w *workshop) manifest(k int) string { return fmt.Sprintf("grain-%d.hcl", k) }

// untouched checks that the grain itself gives no finding. A gap that is known it accepts in the
// manifest, so that a mutant is found if the gap grows or moves.
func (w *workshop) untouched(t *testing.T) {
	for k := range w.compared() {
		for tries := 0; ; tries++ {
			o := w.measure(t, mutant{source: w.original}, w.manifest(k))
			if o.Code == 0 {
				break
			}
			block := ""
			if len(o.Errors) == 1 && w.gaps != "" && tries < 10 {
				_, block, _ = strings.Cut(o.Errors[0].Text, "accept the gap in the manifest:")
			}
			if block == "" {
				t.Errorf("%s: exit code %d: %v", w.manifest(k), o.Code, o.Errors)
				break
			}
			w.accept(t, k, strings.Replace(block, `"..."`, fmt.Sprintf("%q", w.gaps), 1))
		}
	}
}

// accept adds an accept block to a manifest.
func (w *workshop) accept(t *testing.T, k int, block string) {
	t.Helper()
	path := filepath.Join(w.dir, w.manifest(k))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _ := strings.CutSuffix(strings.Replace(string(text), "  accept = []\n", "", 1), "}\n")
	end := strings.LastIndex(block, "}")
	if err := os.WriteFile(path, []byte(head+block[:end+1]+"\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
