package starts

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

var update = flag.Bool("starts", false, "write "+file+" from the starts of all releases that are on this machine")

var missing = flag.Bool("missing", false, "start servers only for cells that "+file+" lacks")

const file = "../../../../docs/results/starts.md"

// notRun is the cell of a state that was not run.
const notRun = "not run"

// releases are the columns of the table.
var releases = []string{"3.4.14", "3.5.10", "3.6.4", "3.7.2", "3.8.0", "3.8.6", "3.9.1", "3.9.2", "3.9.3", "3.9.5"}

const introduction = `# What a start does with the files that it finds

Written by ` + "`MULTIGRAIN_SLOW=1 go test ./zab/zookeeper/internal/starts -run TestStarts -starts`" + `; do
not edit. Each cell is one start of one server of the release, on files that were written for it. A
server that looks for a leader has loaded its files. The cell has the zxid with which it votes. It
also has the number of transactions from the log, where the release logs that. *Refuses* is the
exception with which the process ends. What a start does does not depend on the role that follows.

Where nothing else is stated, the files are a snapshot of zxid 0, a log with 1:1, 1:2 and 1:3, and
both epochs are 1. *Decided in* has the lines of 3.9.5. *Not run* says nothing: 3.4.14 writes no
snapshot at its first start, so states with a snapshot have none to take.

`

const notes = `
## What follows

- **A hole within a log is not noticed before 3.9.4.** A missing file, and a record that is half
  written before another file, load. The server votes with the last zxid, and nothing in its log
  says that transactions are missing. [zk-2846](findings/zk-2846.md) and
  [rolled-log](findings/rolled-log.md) have what follows. 3.9.5 ends, since committedLog takes no
  transaction that is not the next one of its epoch (ZKDatabase.addCommittedProposal, line 341). The
  files stay, so each later start ends, too.
- **A hole between snapshot and log is not noticed**, in 3.9.5 either: committedLog is empty when
  the first record comes.
- **The newest snapshot wins, whatever the log has.** One that is half written, empty or corrupt is
  passed over, if an older one is whole.
- **A wrong checksum ends the process**, wherever the record is: later records do not count.
- **A log that is half written at its end loads without its last record.** The next transaction
  begins a new file, so the half record stays.
- **Refusals by epochs** are I-11.epoch of the specification, which masks it in most manifests:
  [zk-2354](findings/zk-2354.md). NodeStart takes currentEpoch.tmp where the release does.
- **A refusal of a hole** is I-11.gap of the specification, with the line that 3.9.5 logs as its
  symptom. A process that meets it stays down.

Of these refusals the specification has some as steps. NodeStart and, in the grains that run next
to a server, NodeRestarts raise I-11.epoch: current-epoch-older and accepted-epoch-older. NodeStart
raises I-11.gap: log-file-missing, and log-half-within, where the log is the same. With disk_faults
= "files" NodeStartReadsFiles raises I-11.files: log-without-snapshot, log-file-empty,
log-header-half, and log-corrupt, where the record is the last one. A write that a kill or a loss of
power interrupts leaves these files. The others come from files that no step of a server leaves so:
they are missing or damaged. The comment of package zab names them.

From 3.9.4 on a server that runs meets the same exception where committedLog would get a gap
(ZooKeeperServer.processTxn, line 1888). That is no step of the specification either: it has I-16
before, and [zk-2846](findings/zk-2846.md) saw the exception on servers.

Leaders with a hole in the log were run. [rolled-log](findings/rolled-log.md) has one that a loss of
power leaves, and [zk-2846](findings/zk-2846.md) one that SNAP leaves: the leader sends TRUNC or DIFF
over it. Neither was run on files that were written for it. The rest of what follows a start was
read in 3.9.5 and not run. A follower without a file of the log exits at
TRUNC (Learner.syncWithLeader, where truncateLog fails; FileTxnLog.truncate, line 485). A leader
closes the connection of a follower that is ahead of it (Leader.waitForEpochAck).
`

// needServers skips a test that starts servers unless the variable MULTIGRAIN_SLOW is set.
func needServers(t *testing.T) {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("starts real servers: set MULTIGRAIN_SLOW=1")
	}
}

// TestStarts starts servers of all releases that are on this machine on all states. It compares the
// outcomes with the document, or writes it.
func TestStarts(t *testing.T) {
	needServers(t)
	text, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	cells := cellsOf(string(text))
	have := map[string]map[string]string{}
	for _, version := range slices.Backward(releases) {
		if _, err := control.Find(control.Places{}, version); err != nil {
			t.Logf("%s: %v", version, err)
			continue
		}
		s, err := newServer(t.Context(), version, t.TempDir())
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		have[version] = map[string]string{}
		for _, state := range States() {
			if cell := cells[state.Name][version]; *missing && cell != "" && cell != notRun {
				continue
			}
			got, err := s.outcome(t.Context(), state)
			if err != nil {
				t.Errorf("%s, %s: %v", version, state.Name, err)
				continue
			}
			have[version][state.Name] = got
			if want := cells[state.Name][version]; !*update && got != want {
				t.Errorf("%s, %s: %s, and %s has %q", version, state.Name, got, file, want)
			}
		}
		if *update { // after each release, so that an end of the test loses one at most
			if err := os.WriteFile(file, []byte(table(have, cells)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(have) == 0 {
		t.Skip("no release is on this machine: run `make zookeeper-jars`")
	}
}

// outcome returns the cell of a state.
func (s *server) outcome(ctx context.Context, state State) (string, error) {
	probe := &files{dir: filepath.Join(s.dir, "first"), snapshot: make([]byte, 100)}
	if state.make(probe); s.snapshot == nil && snapped(probe.dir) {
		return notRun, nil
	}
	o, err := s.start(ctx, state.Name, state.make)
	return strings.ReplaceAll(o.String(), s.dir, "DIR"), err
}

// snapped reports whether a state has written a snapshot, and removes what it has written.
func snapped(dir string) bool {
	found := false
	for _, pattern := range []string{"snapshot.*", "log.*", "*Epoch*"} {
		names, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range names {
			found = found || pattern == "snapshot.*"
			os.Remove(name)
		}
	}
	return found
}

// table returns the document. A release that was not started keeps its cells.
func table(have map[string]map[string]string, before map[string]map[string]string) string {
	var b strings.Builder
	b.WriteString(introduction)
	fmt.Fprintf(&b, "| state | files | %s | decided in |\n|---|---%s|---|\n", strings.Join(releases, " | "), strings.Repeat("|---", len(releases)))
	for _, state := range States() {
		fmt.Fprintf(&b, "| %s | %s", state.Name, state.What)
		for _, version := range releases {
			cell := have[version][state.Name]
			if cell == "" {
				cell = before[state.Name][version]
			}
			if cell == "" {
				cell = notRun
			}
			b.WriteString(" | " + cell)
		}
		fmt.Fprintf(&b, " | %s |\n", state.Where)
	}
	b.WriteString(notes)
	return b.String()
}

// cellsOf reads the cells of a document, by state and release.
func cellsOf(text string) map[string]map[string]string {
	out := map[string]map[string]string{}
	var head []string
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for k := range parts {
			parts[k] = strings.TrimSpace(parts[k])
		}
		switch {
		case parts[0] == "state":
			head = parts
		case head != nil && len(parts) == len(head):
			out[parts[0]] = map[string]string{}
			for k := 2; k < len(head)-1; k++ {
				out[parts[0]][head[k]] = parts[k]
			}
		}
	}
	return out
}

// TestRead: a log has no outcome before its lines are whole, and a refusal is not an election.
func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Reading snapshot\n": "",
		"Unable to load database on disk\njava.io.IOException: The acc":                            "",
		"Unable to load database on disk\njava.io.IOException: broken\n":                           "refuses: IOException: broken",
		"ERROR Unexpected exception, exiting abnormally\njava.lang.IllegalStateException: order\n": "refuses: IllegalStateException: order",
		"3 txns loaded in 4 ms\nNew election. My id = 1, proposed zxid=0x100000003\n":              "starts with 1:3, 3 from the log",
		"New election. My id =  1, proposed zxid=0x200000001\n":                                    "starts with 2:1",
		"New election. My id = 1, Proposed zxid=0xffffffffffffffff\n3 txns loaded in 1":            "starts with 4294967295:4294967295, 3 from the log",
	} {
		o, ok := read(text)
		if got := o.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %t; want %q", text, got, ok, want)
		}
	}
}

// TestTable: each state is a row, in the document, too, and a cell stays if its release is missing.
func TestTable(t *testing.T) {
	t.Parallel()
	before := cellsOf(table(map[string]map[string]string{"3.8.0": {"whole": "starts with 1:3"}}, nil))
	after := cellsOf(table(map[string]map[string]string{"3.9.5": {"whole": "starts with 1:3, 3 from the log"}}, before))
	if got := after["whole"]; got["3.8.0"] != "starts with 1:3" || got["3.9.5"] != "starts with 1:3, 3 from the log" || got["3.9.1"] != "not run" {
		t.Errorf("%v", got)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cells := cellsOf(string(text))
	if *update {
		text = []byte(table(nil, cells)) // the texts around the cells need no server
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range States() {
		if cells[s.Name] == nil {
			t.Errorf("%s has no row %s", file, s.Name)
		}
	}
	if string(text) != table(nil, cells) {
		t.Errorf("%s is not what the test writes from its cells: run it with -starts", file)
	}
}
