// Package mutants writes docs/results/level-l3.md: how many mistakes of the modules under test
// the shipped mixed compositions keep. It runs multigrain interaction -level L3 for each
// manifest of a list, as jobs of multigrain run (see package jobs). In the folder of the
// checkout:
//
//	go run ./.ci/pages mutants -keep DIR
//
// Results are kept in the folder DIR, with the command that is measured and its cache. A command
// that was ended continues there with the manifests and the mutants that are missing. A manifest
// without a result there keeps its row of the document, which lists those without a row. Flag
// -open measures only these, and -manifest chooses by a part of the path.
package mutants

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/multigrain/multigrain/.ci/pages/jobs"
	"github.com/multigrain/multigrain/.ci/pages/kept"
)

// subject is a manifest that is measured. Bounds replace those of its comparison, and vars are
// values of its variables, if there are any.
type subject struct {
	manifest, bounds string
	vars             []jobs.Var
}

// repaired selects a version of etcd's library without the mistakes of raft/versions.
var repaired = []jobs.Var{{Name: "version", Value: "v3.7.0"}}

// subjects are in the order in which they are measured.
var subjects = []subject{
	{manifest: "configs/examples/chain-coarse-client.hcl"},
	{manifest: "configs/examples/chain-coarse-master.hcl"},
	{manifest: "configs/examples/chain-coarse-replication.hcl"},
	{manifest: "configs/zab/mspec-1.hcl", bounds: twoServers + "1, requests = 1, crashes = 1, partitions = 1, epochs = 3"},
	{manifest: "configs/zab/mspec-2.hcl", bounds: twoServers + "1, requests = 1, crashes = 1, partitions = 1, epochs = 3"},
	{manifest: "configs/zab/mspec-3.hcl", bounds: twoServers + "1, requests = 1, crashes = 1, partitions = 1, epochs = 3"},
	{manifest: "configs/zab/mspec-1.hcl", bounds: twoServers + "2, requests = 2, crashes = 2, partitions = 1, epochs = 6"},
	{manifest: "configs/zab/mspec-2.hcl", bounds: twoServers + "2, requests = 2, crashes = 2, partitions = 1, epochs = 6"},
	{manifest: "configs/zab/mspec-3.hcl", bounds: twoServers + "1, requests = 1, crashes = 2, partitions = 1, epochs = 4"},
	{manifest: "configs/zab/phases/synchronization.hcl"},
	{manifest: "configs/zab/phases/broadcast.hcl"},
	{manifest: "configs/zab/phases/discovery.hcl"},
	{manifest: "configs/raft/election.hcl"},
	{manifest: "configs/raft/replication.hcl"},
	{manifest: "configs/raft/apply.hcl"},
	{manifest: "configs/raft/membership.hcl"},
	{manifest: "configs/raft/snapshot.hcl"},
	{manifest: "configs/raft/reads.hcl"},
	{manifest: "configs/raft/coarse-beats.hcl"},
	{manifest: "configs/raft/reads-at-once.hcl"},
	{manifest: "configs/zab/phases/synchronization-discovery.hcl"},
	{manifest: "configs/zab/phases/joins-late.hcl"},
	{manifest: "configs/zab/phases/joins-together.hcl"},
	{manifest: "configs/examples/paxos-coarse.hcl"},
	{manifest: "configs/examples/twophase-coarse.hcl"},
	{manifest: "configs/examples/vr-coarse.hcl"},
	{manifest: "configs/raft/additions.hcl"},
	{manifest: "configs/raft/client.hcl"},
	{manifest: "configs/raft/coarse.hcl"},
	{manifest: "configs/raft/election-fine.hcl"},
	{manifest: "configs/raft/membership-at-once.hcl"},
	{manifest: "configs/raft/membership-joint.hcl"},
	{manifest: "configs/raft/ccf-elected.hcl"},
	{manifest: "configs/zab/phases/discovery-three-servers.hcl"},
	{manifest: "configs/zab/phases/election.hcl"},
	{manifest: "configs/zab/fixes/acks-taken-back.hcl"},
	{manifest: "configs/zab/fixes/final.hcl"},
	{manifest: "configs/zab/fixes/forces-names.hcl"},
	{manifest: "configs/zab/fixes/forces-old-file.hcl"},
	{manifest: "configs/zab/fixes/forces-snapshots.hcl"},
	{manifest: "configs/zab/fixes/forces-start.hcl"},
	{manifest: "configs/zab/fixes/pr-1109.hcl"},
	{manifest: "configs/zab/fixes/pr-2172.hcl"},
	{manifest: "configs/zab/fixes/pr-2459.hcl"},
	{manifest: "configs/zab/fixes/reads-log.hcl"},
	{manifest: "configs/zab/fixes/rejoin.hcl"},
	{manifest: "configs/zab/fixes/repairs.hcl"},
	{manifest: "configs/zab/fixes/repairs-power.hcl"},
	{manifest: "configs/zab/fixes/snap-for-trunc.hcl"},
	{manifest: "configs/zab/fixes/truncate-log.hcl"},
	{manifest: "configs/zab/fixes/truncate-snapshots.hcl"},
	{manifest: "configs/zab/fixes/zk-2846.hcl"},
	{manifest: "configs/zab/fixes/zk-4712.hcl"},
	{manifest: "configs/zab/mspec-1.hcl"},
	{manifest: "configs/zab/mspec-2.hcl"},
	{manifest: "configs/zab/liveness.hcl"},
	{manifest: "configs/zab/fixes/final-disk.hcl"},
	{manifest: "configs/zab/fixes/final-mspec-1.hcl"},
	{manifest: "configs/zab/fixes/final-mspec-2.hcl"},
	{manifest: "configs/raft/versions/etcd-11417.hcl", vars: repaired},
	{manifest: "configs/raft/versions/etcd-12133.hcl", vars: repaired},
	{manifest: "configs/raft/versions/etcd-12359.hcl", vars: repaired},
	{manifest: "configs/raft/versions/etcd-12680.hcl", vars: repaired},
	{manifest: "configs/raft/versions/etcd-14538.hcl", vars: repaired},
	{manifest: "configs/raft/versions/etcd-14633.hcl", vars: repaired},
	{manifest: "configs/raft/versions/etcd-20418.hcl", vars: append(slices.Clone(repaired), jobs.Var{Name: "terms", Value: "1"}, jobs.Var{Name: "timeouts", Value: "1"})},
	{manifest: "configs/raft/versions/leave-twice.hcl", vars: repaired},
	{manifest: "configs/raft/versions/raft-149.hcl", vars: repaired},
	{manifest: "configs/zab/mspec-1-join.hcl", bounds: twoServers + "1, requests = 1, crashes = 1, partitions = 1, epochs = 3"},
	{manifest: "configs/zab/parity-mspec2.hcl", bounds: twoServers + "1, crashes = 1, partitions = 1, epochs = 3"},
	{manifest: "configs/zab/hunt/discovery.hcl", bounds: twoServers + "1, requests = 1, crashes = 1, partitions = 1, epochs = 3"},
	{manifest: "configs/zab/hunt/five.hcl", bounds: twoServers + "1, requests = 1, crashes = 1, partitions = 1, epochs = 3"},
	{manifest: "configs/zab/hunt/timeouts.hcl", bounds: twoServers + "1, requests = 1, crashes = 1, partitions = 1, epochs = 3"},
	{manifest: "configs/zab/bugs/zk-1621.hcl", bounds: twoServers + "1, requests = 1, crashes = 1, partitions = 1, epochs = 3", vars: []jobs.Var{{Name: "version", Value: "master"}}},
}

// twoServers begins bounds of the mixed specifications of the paper with faults.
const twoServers = "servers = 2, fle_timeouts = 0, notifications = 12, transactions = "

// searched is the part of the exploration of a composition that the table shows.
type searched struct {
	Verdict string
	States  int64
}

// measured is the result of a subject.
type measured struct {
	Bounds    string
	Drawn     int
	Sites     int
	Found     int
	Kept      int
	Lost      int
	False     int
	Equal     int
	Undecided int
	Reason    string
	Fine      searched
	Mixed     searched
	Seconds   [2]float64
	Mutants   []mutant
	On        string // the day
}

type mutant struct {
	Name, Outcome, Note string
	Blame               *blamed
}

type blamed struct{ Action string }

// asked are the flags.
type asked struct {
	keep, out string
	only      bool
	open      bool
	part      string
	timeout   time.Duration
	engine    jobs.Engine
	states    int
}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	var a asked
	flag.StringVar(&a.keep, "keep", "", "the folder that keeps results")
	flag.StringVar(&a.out, "out", "docs/results/level-l3.md", "the file that is written")
	flag.BoolVar(&a.only, "only-kept", false, "write the table from what the folder has, and run nothing")
	flag.BoolVar(&a.open, "open", false, "measure only manifests that the document has no row for")
	flag.StringVar(&a.part, "manifest", "", "measure only manifests whose paths have this part")
	flag.DurationVar(&a.timeout, "timeout", 2*time.Minute, "limit of each exploration")
	a.engine.Flags(flag.CommandLine)
	flag.IntVar(&a.states, "max-states", 10_000_000, "limit of distinct states of each exploration")
	flag.Parse()
	return a.run()
}

func (a *asked) run() error {
	if a.keep == "" {
		return errors.New("name a folder for results with -keep")
	}
	keep, err := filepath.Abs(a.keep)
	if err != nil {
		return err
	}
	if a.keep = keep; !a.only {
		if err := a.prepare(); err != nil {
			return err
		}
	}
	old, _ := os.ReadFile(a.out)
	stay := readPage(string(old))
	var ended error
	if !a.only {
		ended = a.measure(stay)
	}
	rows := make([]*measured, len(subjects))
	for k, s := range subjects {
		rows[k] = stay[nameOf(s)]
		got, err := a.kept(s)
		if err != nil {
			return err
		}
		if got != nil {
			rows[k] = got
		}
	}
	return errors.Join(ended, os.WriteFile(a.out, a.page(rows), 0o644))
}

// prepare builds the command that is measured.
func (a *asked) prepare() error {
	if err := os.MkdirAll(a.keep, 0o755); err != nil {
		return err
	}
	return kept.Command(filepath.Join(a.keep, "multigrain"))
}

// file is where the result of a subject is kept.
func (a *asked) file(s subject) string {
	return filepath.Join(a.keep, strings.NewReplacer("/", "-", ".hcl", "").Replace(s.manifest)+short(s.bounds)+short(strings.TrimPrefix(s.values(), ", "))+".json")
}

// kept returns the result of a subject that the folder has; nil if it has none.
func (a *asked) kept(s subject) (*measured, error) {
	text, err := os.ReadFile(a.file(s))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, err := read(text)
	if at, statErr := os.Stat(a.file(s)); m != nil && statErr == nil {
		m.On = at.ModTime().Format(time.DateOnly)
	}
	return m, err
}

// lacked returns the subjects that the flags ask for and the folder lacks. Has are the rows that
// the document has.
func (a *asked) lacked(has map[string]*measured) (out []subject) {
	for _, s := range subjects {
		if _, err := os.Stat(a.file(s)); err == nil || a.open && has[nameOf(s)] != nil || !strings.Contains(s.manifest, a.part) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// measure measures the subjects that the folder lacks. Mutants that were explored are in the
// cache of the folder, too: a subject that was ended continues with the others.
func (a *asked) measure(has map[string]*measured) error {
	lacked := a.lacked(has)
	var list []jobs.Job
	for _, s := range lacked {
		manifest, err := s.written()
		if err != nil {
			return err
		}
		list = append(list, jobs.Job{Verb: "interaction", Manifest: manifest, Vars: s.vars,
			Flags: []string{"-level=L3", "-timeout=" + a.timeout.String(), fmt.Sprintf("-max-states=%d", a.states)}})
	}
	environ := []string{"MULTIGRAIN_CACHE=" + filepath.Join(a.keep, "cache")}
	return a.engine.Run(filepath.Join(a.keep, "multigrain"), a.keep, environ, list, func(k int, text []byte, folder string) error {
		if m, err := read(text); m == nil {
			fmt.Fprintf(os.Stderr, "%s has no result: %v\n%s\n", lacked[k].manifest, err, text)
			return nil
		}
		return os.WriteFile(a.file(lacked[k]), text, 0o644)
	})
}

func short(bounds string) string {
	if bounds == "" {
		return ""
	}
	return "-" + strings.NewReplacer(" ", "", ",", "-", "=", "").Replace(bounds)
}

// boundsFolder has manifests with other bounds of the comparison. They are in the checkout, so
// that all workers have them.
const boundsFolder = ".ci/pages/mutants/bounds"

// written returns the path of the manifest that is measured. One with other bounds of the
// comparison extends the shipped one, and is written into the checkout.
func (s subject) written() (string, error) {
	if s.bounds == "" {
		return s.manifest, nil
	}
	path, text, err := s.extended()
	if have, readErr := os.ReadFile(path); err != nil || readErr == nil && string(have) == text {
		return path, err // workers notice a file that was written again
	}
	return path, os.WriteFile(path, []byte(text), 0o644)
}

// extended returns the path and the text of a manifest with other bounds.
func (s subject) extended() (path, text string, err error) {
	name := strings.NewReplacer("zab/", "", "/", "-", ", ", "-", " ", "-").Replace(nameOf(s)) + ".hcl"
	rel, err := filepath.Rel(boundsFolder, s.manifest)
	if err != nil {
		return "", "", err
	}
	text = fmt.Sprintf("extends = %q\n\ninteraction {\n  accept = []\n  bounds {\n    %s\n  }\n}\n", filepath.ToSlash(rel), strings.ReplaceAll(s.bounds, ", ", "\n    "))
	return filepath.Join(boundsFolder, name), string(hclwrite.Format([]byte(text))), nil
}

// values returns the values of the variables, as ", version=v3.7.0".
func (s subject) values() (out string) {
	for _, v := range s.vars {
		out += ", " + v.Name + "=" + v.Value
	}
	return out
}

// read returns the result in a document; nil if it has none, as after an error.
func read(text []byte) (*measured, error) {
	var d struct {
		Interaction *struct{ Mutants *measured }
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	if d.Interaction == nil || d.Interaction.Mutants == nil {
		return nil, nil
	}
	return d.Interaction.Mutants, nil
}

// page returns the document.
func (a *asked) page(rows []*measured) []byte {
	var b strings.Builder
	b.WriteString(head)
	var sum measured
	missing := []string{}
	for k, m := range rows {
		name := nameOf(subjects[k])
		if m == nil {
			missing = append(missing, name)
			continue
		}
		fmt.Fprintf(&b, "| %s | %d of %d | %d | %d | %d | %d | %d | %d | %s | %s | %.0f, %.0f |\n", name, m.Drawn, m.Sites, m.Found, m.Kept, m.Lost, m.False,
			m.Equal, m.Undecided, states(m.Fine), states(m.Mixed), m.Seconds[0], m.Seconds[1])
		sum.Drawn, sum.Found, sum.Kept, sum.Lost, sum.False = sum.Drawn+m.Drawn, sum.Found+m.Found, sum.Kept+m.Kept, sum.Lost+m.Lost, sum.False+m.False
		sum.Equal, sum.Undecided = sum.Equal+m.Equal, sum.Undecided+m.Undecided
		sum.Seconds[0], sum.Seconds[1] = sum.Seconds[0]+m.Seconds[0], sum.Seconds[1]+m.Seconds[1]
	}
	fmt.Fprintf(&b, "| sum | %d | %d | %d | %d | %d | %d | %d | | | %.0f, %.0f |\n", sum.Drawn, sum.Found, sum.Kept, sum.Lost, sum.False, sum.Equal, sum.Undecided,
		sum.Seconds[0], sum.Seconds[1])
	b.WriteString("\n## Bounds\n\n| manifest | day | bounds |\n|---|---|---|\n")
	for k, m := range rows {
		if m != nil {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", nameOf(subjects[k]), m.On, m.Bounds)
		}
	}
	b.WriteString(details(rows))
	if len(missing) > 0 {
		b.WriteString("\n## Not run\n\n")
		for _, name := range missing {
			fmt.Fprintf(&b, "- %s\n", name)
		}
	}
	return []byte(b.String())
}

// details lists the mutants that are lost, false or undecided.
func details(rows []*measured) string {
	var b strings.Builder
	for k, m := range rows {
		if m == nil || m.Lost+m.False+m.Undecided == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| outcome | mutant | to blame | note |\n|---|---|---|---|\n", nameOf(subjects[k]))
		for _, x := range m.Mutants {
			if !slices.Contains([]string{"lost", "false", "undecided"}, x.Outcome) {
				continue
			}
			blame := ""
			if x.Blame != nil {
				blame = x.Blame.Action
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", x.Outcome, strings.ReplaceAll(x.Name, "|", "\\|"), blame, x.Note)
		}
	}
	return b.String()
}

// nameOf names a subject in the document.
func nameOf(s subject) string {
	name := strings.TrimSuffix(strings.TrimPrefix(s.manifest, "configs/"), ".hcl")
	switch {
	case strings.Contains(s.bounds, "crashes = 2"):
		name += ", two servers, two crashes"
	case s.bounds != "":
		name += ", two servers, one crash"
	}
	return name + s.values()
}

// states shows the number of states, as at least that many if they are not all.
func states(s searched) string {
	switch {
	case s.Verdict == "":
		return ""
	case s.Verdict != "holds":
		return fmt.Sprintf("more than %d", s.States)
	}
	return fmt.Sprint(s.States)
}

const head = `# Level L3: which mistakes of the modules under test are kept

Written by ` + "`go run ./.ci/pages mutants -keep DIR`" + `; do not edit. A machine with 2 cores
that other work kept busy. Each exploration had a limit of at most five minutes. Mutants are those
of [level L3](../explanation/interaction.md#level-l3-are-mistakes-found), drawn by seed 1. With more
transactions mspec-3 violates a property itself (ZOOKEEPER-4712).

Not here are

- manifests with a mistake as they are shipped, as those of zab/bugs, raft/mistakes and raft/seen:
  one more on purpose would show nothing,
- zab/mspec-3 at the bounds of its own comparison: its fine composition, 22,100,908 states, takes
  more than three processor minutes,
- raft/seen/ccf, whose fine composition has more than 20,000,000 states; raft/ccf-elected has the
  same grains,
- zab/endpoints and zab/hunt/endpoints: their fine composition needs more room in a channel than the
  specification has (MG531),
- zab/node and those that begin so, and raft/monitor-coarse-election: they are for a live server.
  Grains node stand for all that others could do, and the monitor of Raft has no bounds.

"Found" are mutants that the fine composition finds. Of these the mixed one keeps some and loses the
others. "False" are those that it alone finds. "Equal" violate nothing in either. States are those
of the specification itself. Seconds are those of all explorations of mutants, in the fine and in
the mixed composition.

| manifest | drawn | found | kept | lost | false | equal | undecided | states, fine | states, mixed | seconds, fine and mixed |
|---|---|---|---|---|---|---|---|---|---|---|
`
