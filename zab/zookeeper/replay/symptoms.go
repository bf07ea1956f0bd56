//go:build !multigrain_runtime

package replay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// Symptoms is the vocabulary of symptom blocks: a word, its settings in brackets, and what is seen.
// The command reads it from this file.
const Symptoms = `
lost-write: a client got the answer that a write is done, or has read it, and after the schedule no server that runs has it
log-line(text): since the schedule began a server has logged successive lines that contain the lines of the text
diverged-logs: after the schedule the logs of two servers that run differ below their last common transaction, or have two writes with one zxid
serves-unapplied: at the end of the schedule a follower serves clients, and its memory lacks a transaction of an epoch before its leader's
memory-only: at the end of the schedule a follower that has accepted its leader's epoch has a transaction in memory that neither its log nor its snapshot has
missing-write: after the schedule a server that runs and has caught up with its leader lacks a write that a client knows to be done, and another has it
lost-with-power: at the end of the schedule a follower that has acknowledged NEWLEADER has a transaction in memory, loses power, and starts without it
`

// symptom looks for one symptom. The servers stand where the schedule ended, or run freely.
type symptom struct {
	settings []string
	// With standing it is looked for where the threads stand at the end of the schedule. With
	// running it is looked for when the servers have run freely and agreed on one more write.
	standing, running bool
	look              func(*adapter, conform.Symptom) (text string, seen bool, err error)
}

// symptoms has the words of Symptoms.
var symptoms = map[string]symptom{
	"lost-write":       {running: true, look: (*adapter).lostWrite},
	"missing-write":    {running: true, look: (*adapter).missingWrite},
	"log-line":         {settings: []string{"text"}, standing: true, running: true, look: (*adapter).logLine},
	"diverged-logs":    {running: true, look: (*adapter).divergedLogs},
	"memory-only":      {standing: true, look: (*adapter).memoryOnly},
	"lost-with-power":  {standing: true, look: (*adapter).lostWithPower},
	"serves-unapplied": {standing: true, look: (*adapter).servesUnapplied},
}

// witness holds what the clients of a behaviour know.
type witness struct {
	watched []conform.Symptom
	reads   bool              // clients read what servers have applied
	applied [zab.Servers]int  // how many transactions of each server they have read
	read    map[string]string // by path, where and when a client has read it
	steps   int
}

// Watch says which symptoms Look will look for.
func (a *adapter) Watch(all []conform.Symptom) error {
	for _, s := range all {
		word, known := symptoms[s.Word]
		if !known {
			return fmt.Errorf("the adapter has no symptom %q: it has %s", s.Word, strings.Join(slices.Sorted(maps.Keys(symptoms)), ", "))
		}
		for _, name := range word.settings {
			if s.Settings[name] == "" {
				return fmt.Errorf("the symptom %s needs the setting %s", s.Word, name)
			}
		}
	}
	a.witness = witness{watched: all, reads: slices.ContainsFunc(all, func(s conform.Symptom) bool {
		return s.Word == "lost-write" || s.Word == "missing-write"
	})}
	return nil
}

// Look looks for the symptoms: first where the threads stand, then, if one of them needs that, when
// the servers have run freely.
func (a *adapter) Look() []conform.Sighting {
	out := make([]conform.Sighting, len(a.witness.watched))
	look := func(k int) {
		s := a.witness.watched[k]
		text, seen, err := symptoms[s.Word].look(a, s)
		out[k] = conform.Sighting{Word: s.Word, Seen: seen, Judged: err == nil, Text: text}
		if err != nil {
			out[k].Text = err.Error()
		}
	}
	open := false
	for k, s := range a.witness.watched {
		if symptoms[s.Word].standing {
			look(k)
		}
		open = open || symptoms[s.Word].running && !out[k].Seen
	}
	if !open {
		return out
	}
	err := a.settle()
	for k, s := range a.witness.watched {
		switch {
		case !symptoms[s.Word].running || out[k].Seen:
		case err != nil:
			if symptoms[s.Word].standing { // what a log has does not depend on an agreement
				look(k)
			}
			if !out[k].Seen {
				out[k] = conform.Sighting{Word: s.Word, Text: err.Error()}
			}
		default:
			look(k)
		}
	}
	return out
}

// readApplied lets a client read what a server that serves has applied. A server whose
// CommitProcessor stands answers nobody. The expected state says only where reading is worthwhile.
func (a *adapter) readApplied() {
	w := &a.witness
	w.steps++
	if !w.reads {
		return
	}
	for i := range zab.Server(zab.Servers) {
		applied := int(a.expected.LastProcessed[i])
		if a.node(i).Gates == nil || a.expected.ServingState[i] != zab.RUNNING {
			w.applied[i] = 0
			continue
		}
		if applied == w.applied[i] || len(a.node(i).Standing(control.Commit)) > 0 {
			continue
		}
		reader, err := ensemble.Dial(a.node(i).ClientAddress(), time.Second)
		if err != nil {
			continue
		}
		for k := w.applied[i] + 1; k <= applied; k++ {
			p := path(int(a.expected.History[i].At(k).Value))
			if _, err := reader.Get(p, time.Second); err == nil && w.read[p] == "" {
				w.read[p] = fmt.Sprintf("which a client has read at server %d after step %d", i, w.steps-1)
			}
		}
		reader.Close()
		w.applied[i] = applied
	}
}

// known returns the writes that clients know to be done, and how they know it.
func (a *adapter) known() map[string]string {
	out := maps.Clone(a.witness.read)
	for k := range a.requests {
		if err, answered := a.clients.answer(path(k)); answered && err == nil {
			out[path(k)] = "which a server has answered as done"
		}
	}
	return out
}

// lostWrite compares what clients know with what the servers that run answer.
func (a *adapter) lostWrite(conform.Symptom) (string, bool, error) {
	return a.written(func(have, lack []string) bool { return len(have) == 0 })
}

// missingWrite reads the writes that clients know to be done, at all servers that run.
func (a *adapter) missingWrite(conform.Symptom) (string, bool, error) {
	return a.written(func(have, lack []string) bool { return len(lack) > 0 })
}

// written reads the writes that clients know to be done, at all servers that run, and looks for one
// that is wrong at those that have and lack it.
func (a *adapter) written(wrong func(have, lack []string) bool) (string, bool, error) {
	known := a.known()
	if len(known) == 0 {
		return "no client knows of a write that is done", false, nil
	}
	var all []string
	for _, p := range slices.Sorted(maps.Keys(known)) {
		var have, lack []string
		for i := range zab.Server(zab.Servers) {
			if a.node(i).Gates == nil {
				continue
			}
			switch err := a.reads(i, p); {
			case err == nil:
				have = append(have, fmt.Sprint(i))
			case errors.Is(err, ensemble.NoNode):
				lack = append(lack, fmt.Sprint(i))
			default:
				return "", false, fmt.Errorf("reading %s at server %d: %w", p, i, err)
			}
		}
		switch {
		case !wrong(have, lack):
		case len(have) == 0:
			return fmt.Sprintf("%s, %s, is at none of the servers that run: %s", p, known[p], strings.Join(lack, ", ")), true, nil
		default:
			return fmt.Sprintf("%s, %s, is at %s and not at %s", p, known[p], strings.Join(have, ", "), strings.Join(lack, ", ")), true, nil
		}
		all = append(all, fmt.Sprintf("%s at %s", p, strings.Join(have, ", ")))
	}
	return "clients read " + strings.Join(all, ", and "), false, nil
}

// reads reads a node at a server that first catches up with its leader.
func (a *adapter) reads(i zab.Server, path string) error {
	c, err := ensemble.Dial(a.node(i).ClientAddress(), settling)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Sync(path, settling); err != nil {
		return err
	}
	_, err = c.Get(path, settling)
	return err
}

// logLine looks for a text in the servers' logs. Start has begun new ones.
func (a *adapter) logLine(s conform.Symptom) (string, bool, error) {
	text := strings.Split(strings.TrimSuffix(s.Settings["text"], "\n"), "\n")
	for i := range zab.Server(zab.Servers) {
		log := strings.Split(a.node(i).LastLines(math.MaxInt), "\n")
		for at := range log {
			if follow(log[at:], text) {
				return fmt.Sprintf("server %d has logged %q", i, text), true, nil
			}
		}
	}
	return fmt.Sprintf("no server has logged %q", text), false, nil
}

// follow reports whether the first lines of a log contain the texts, in their order.
func follow(log, texts []string) bool {
	if len(log) < len(texts) {
		return false
	}
	for k, text := range texts {
		if !strings.Contains(log[k], text) {
			return false
		}
	}
	return true
}

// divergedLogs compares the logs of the servers that run.
func (a *adapter) divergedLogs(conform.Symptom) (string, bool, error) {
	type log struct {
		server zab.Server
		zxids  []zookeeper.Zxid
		paths  map[zookeeper.Zxid]string // of the nodes that they create
	}
	var all []log
	for i := range zab.Server(zab.Servers) {
		if a.node(i).Gates == nil {
			continue
		}
		d, err := a.settledDisk(i)
		if err != nil {
			return "", false, err
		}
		one := log{server: i, paths: map[zookeeper.Zxid]string{}}
		for _, t := range d.History {
			one.zxids = append(one.zxids, t.Zxid)
			one.paths[t.Zxid] = t.Path
		}
		all = append(all, one)
	}
	for _, x := range all {
		for _, y := range all {
			for _, z := range x.zxids {
				if z < y.zxids[len(y.zxids)-1] && !slices.Contains(y.zxids, z) {
					return fmt.Sprintf("server %d has %v in its log or snapshot and server %d has not, while both have %v",
						x.server, z, y.server, min(x.zxids[len(x.zxids)-1], y.zxids[len(y.zxids)-1])), true, nil
				}
				if p, q := x.paths[z], y.paths[z]; p != "" && q != "" && p != q {
					return fmt.Sprintf("server %d has %s as %v in its log or snapshot, and server %d has %s", x.server, p, z, y.server, q), true, nil
				}
			}
		}
	}
	return fmt.Sprintf("the logs of %d servers agree", len(all)), false, nil
}

// servesUnapplied compares what a follower that serves has in memory with what its leader has.
func (a *adapter) servesUnapplied(conform.Symptom) (string, bool, error) {
	for i := range zab.Server(zab.Servers) {
		m, err := a.memory(i)
		if err != nil {
			return "", false, err
		}
		l := a.ensemble.Network.LeaderOf(int(i) + 1)
		if m == nil || m.Follower == nil || m.Serving != "RUNNING" || l == 0 {
			continue
		}
		leader, err := a.memory(zab.Server(l - 1))
		if err != nil {
			return "", false, err
		}
		d, err := a.node(zab.Server(l - 1)).Disk()
		if err != nil {
			return "", false, err
		}
		if leader == nil || leader.Leader == nil {
			continue
		}
		for _, t := range slices.Backward(d.History) {
			if t.Zxid.Epoch() < d.CurrentEpoch && t.Zxid <= leader.Applied {
				if m.Applied < t.Zxid {
					return fmt.Sprintf("server %d serves with %v applied; its leader %d has applied %v of an epoch before its own",
						i, m.Applied, l-1, t.Zxid), true, nil
				}
				break
			}
		}
	}
	return "each follower that serves has applied all transactions of epochs before its leader's", false, nil
}

// memoryOnly compares what a follower has in memory with what it would load after a crash. One that
// has accepted its leader's epoch has acknowledged that it has all that its leader has sent.
func (a *adapter) memoryOnly(conform.Symptom) (string, bool, error) {
	if !disksApart {
		return "", false, errors.New("the data trees of the servers are read only with the option disk = \"apart\"")
	}
	for i := range zab.Server(zab.Servers) {
		m, err := a.memory(i)
		if err != nil {
			return "", false, err
		}
		if m == nil || m.Follower == nil || !m.Loaded {
			continue
		}
		d, err := a.node(i).Disk()
		if err != nil {
			return "", false, err
		}
		if d.CurrentEpoch != d.AcceptedEpoch {
			continue
		}
		kept := restored(&d).txns
		for _, t := range m.Tree {
			if !slices.Contains(kept, t) {
				return fmt.Sprintf("server %d has %v, %s, in memory, and neither its log nor its snapshot has it", i, t.Zxid, t.Path), true, nil
			}
		}
	}
	return "each follower that has accepted its leader's epoch has on disk what it has in memory", false, nil
}

// lostWithPower takes the power from each follower that has acknowledged NEWLEADER, starts it, and
// compares what it has in memory with what it had.
func (a *adapter) lostWithPower(conform.Symptom) (string, bool, error) {
	if !disksApart || !a.power {
		return "", false, errors.New("what is forced to disk is noted only with the option disk = \"apart\" and a grain that has NodeLosesPower")
	}
	for i := range zab.Server(zab.Servers) {
		before, err := a.memory(i)
		if err != nil {
			return "", false, err
		}
		if before == nil || before.Follower == nil || !before.Loaded || !a.ensemble.Network.Acknowledged(int(i)+1) {
			continue
		}
		a.node(i).Kill()
		lost, err := a.node(i).LosePower(control.Kept{})
		if err != nil {
			return "", false, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), starting)
		defer cancel()
		if err := a.node(i).Start(ctx); err != nil {
			return "", false, err
		}
		if err := a.rests(ctx, i, control.Election); err != nil {
			return "", false, err
		}
		after, err := a.memory(i)
		if err != nil {
			return "", false, err
		}
		for _, t := range before.Tree {
			if !slices.Contains(after.Tree, t) {
				return fmt.Sprintf("server %d has acknowledged NEWLEADER with %v, %s, in memory; it loses power, and of its files %s, which were not forced to disk; it starts without %s",
					i, t.Zxid, t.Path, strings.Join(lost, ", "), t.Path), true, nil
			}
		}
	}
	return "each follower that has acknowledged NEWLEADER has after a loss of power what it had in memory", false, nil
}
