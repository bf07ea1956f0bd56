package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/counterexample"
	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/host"
)

// carried are chunks of the level that is being found, which a checkpoint held, and the stream of
// the trace log that tells how their nodes were reached.
type carried struct {
	stream int
	chunks []*store.Chunk
}

// identity returns what a run has to share with a checkpoint that it continues from.
func (r *run[T]) identity() []Fact {
	var n T
	return append(slices.Clone(r.opt.Identity),
		Fact{"system", r.spec.System},
		Fact{"state", fmt.Sprintf("%d bytes, %d actions, %d instances, %d invariants, %d goals", unsafe.Sizeof(n), len(r.spec.Actions),
			len(r.spec.Instances), len(r.spec.Invariants), len(r.spec.Goals))},
		Fact{"kind of state", fmt.Sprintf("%016x", kindOf(reflect.TypeFor[T]()))},
		Fact{"number of violations to stop at", strconv.Itoa(r.opt.Stop)},
		Fact{"number of bits of a fingerprint", strconv.Itoa(r.opt.Fingerprint)},
		Fact{"search for deadlocks", strconv.FormatBool(r.opt.Deadlock)},
	)
}

// kindOf returns a hash of a type's description.
func kindOf(t reflect.Type) uint64 {
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range []byte(t.String()) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// save writes a checkpoint of a run whose workers stand between two chunks; rest holds the
// remaining chunks of the level. It reports whether a checkpoint exists now. A failure does not end
// the run: it is reported with the result.
func (r *run[T]) save(rest []*store.Chunk) bool {
	r.due.Store(false)
	if r.kept == nil || r.halted.Load() || r.skipped() {
		return false
	}
	r.saving.Store(true)
	defer r.saving.Store(false)
	start := host.Now()
	defer func() { r.rested.Store(int64(host.Since(r.start) + host.Since(start))) }()
	r.collect()
	k := r.kept
	err := k.write(func(w *store.ImageWriter) error {
		took := max(r.before+host.Since(r.start), 0) // a clock may go back
		if err := r.writeMeta(w, store.FrameHead, rest, took); err != nil {
			return err
		}
		r.table.Write(w)
		if err := r.log.Write(w); err != nil {
			return err
		}
		if err := r.writeChunks(w, rest); err != nil {
			return err
		}
		return r.writeMeta(w, store.FrameTotals, rest, took)
	})
	if err != nil {
		k.status.Failure = memory.Cause(err).Error()
		return false
	}
	k.status.Written++
	k.status.Failure = ""
	k.status.Distinct, k.status.Depth = r.table.Used(), len(r.levels)-1
	k.status.Took = host.Since(start)
	return true
}

// writeMeta writes what the run counted: first as the head, and again as the totals.
func (r *run[T]) writeMeta(w *store.ImageWriter, kind byte, rest []*store.Chunk, took time.Duration) error {
	m := r.meta(rest, took)
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(b) > store.MaxFrame {
		return fmt.Errorf("%d groups of violations are too many", len(m.Groups))
	}
	w.Frame(kind, b)
	return nil
}

func (r *run[T]) meta(rest []*store.Chunk, took time.Duration) *meta {
	res := r.result(false)
	m := &meta{
		Version: imageVersion, Identity: r.kept.identity, Block: r.arena.Size, Streams: len(r.log.Streams),
		Visited: r.table.Used(), Numbered: r.numbered, Levels: r.levels, Closed: r.closed, Elapsed: took,
		Generated: res.Generated, Masked: res.Masked, MaskedBy: res.MaskedBy, Digest: res.Digest, Goals: res.Goals,
		Fired: make([]int64, len(r.spec.Instances)), First: make([]int64, len(r.spec.Instances)),
		Left: make([]int64, len(r.spec.Actions)), Order: r.ordered,
	}
	m.Rest = sumOf(rest)
	for _, x := range r.found() {
		m.Found += sumOf(x.chunks)
	}
	for _, w := range r.workers {
		for k := range m.Fired {
			m.Fired[k] += w.fired[k]
			m.First[k] += w.first[k]
		}
		for k, n := range w.out.Skipped {
			m.Left[k] += n
		}
	}
	for _, k := range r.broken.Sorted() {
		g := r.broken[k]
		s := savedGroup{
			Invariant: k.Invariant, Action: k.Action, Level: g.Level, Count: g.Count, Instance: g.Instance, Parent: g.Parent,
			Node: checker.Bytes(&g.Node),
		}
		if g.Known {
			s.Before = checker.Bytes(&g.Before)
		}
		m.Groups = append(m.Groups, s)
	}
	return m
}

// writeChunks writes the frontier.
func (r *run[T]) writeChunks(w *store.ImageWriter, rest []*store.Chunk) error {
	buf := make([]byte, r.arena.Size)
	for _, c := range rest {
		if err := c.Write(w, buf, store.Place{}); err != nil {
			return err
		}
	}
	for _, x := range r.found() {
		for k, c := range x.chunks {
			if err := c.Write(w, buf, store.Place{Next: true, Stream: x.stream, At: r.log.OpenAt(x.stream, k)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// found returns all that is found of the next level.
func (r *run[T]) found() []carried {
	out := slices.Clone(r.carried)
	for _, x := range r.workers {
		out = append(out, carried{x.id, x.write.Done})
	}
	return out
}

func sumOf(chunks []*store.Chunk) (sum uint64) {
	for _, c := range chunks {
		sum += c.Sum
	}
	return sum
}

// restore makes the run what it was when the checkpoint was written.
func (r *run[T]) restore() error {
	if !r.kept.resumes() {
		return nil
	}
	m, w := r.kept.meta, r.workers[0]
	if !r.plausible(m) {
		return r.damaged(store.ErrDamaged)
	}
	r.levels, r.closed, r.numbered, r.before = m.Levels, m.Closed, m.Numbered, m.Elapsed
	w.generated, w.masked, w.digest, w.goals, w.fired, w.first = m.Generated, m.Masked, m.Digest, m.Goals, m.Fired, m.First
	w.maskedBy, w.out.Skipped = m.MaskedBy, m.Left
	if m.Order != nil {
		r.reorder(m.Order)
	}
	w.published.Store(m.Generated)
	for _, s := range m.Groups {
		g := &counterexample.Group[T]{Count: s.Count, Level: s.Level, Lost: true}
		g.Instance, g.Parent, g.Known = s.Instance, s.Parent, s.Before != nil
		copy(checker.Bytes(&g.Node), s.Node)
		copy(checker.Bytes(&g.Before), s.Before)
		if !r.representing(&g.Node, &g.Rep) {
			return r.damaged(store.ErrDamaged)
		}
		r.broken[counterexample.Key{Invariant: s.Invariant, Action: s.Action}] = g
	}
	if err := r.read(); err != nil {
		if err == memory.ErrLimit {
			return err
		}
		return r.damaged(err)
	}
	left, ok := r.verified(m)
	if !ok {
		return r.damaged(store.ErrDamaged)
	}
	r.expanded.Store(r.numbered - left)
	r.depth.Store(int64(max(len(r.levels)-1, 0)))
	return nil
}

// damaged returns the error of a checkpoint that cannot be read. A disk that fails is not the
// checkpoint's fault.
func (r *run[T]) damaged(err error) error {
	if errors.Is(err, store.ErrSeal) {
		return &CheckpointError{r.opt.Resume, fmt.Sprintf("the checkpoint in %s was written with another cache folder, or changed since: its seal does not fit. "+
			"Resume with the cache folder of the run that wrote it (MULTIGRAIN_CACHE), or start anew", r.opt.Resume)}
	}
	if !errors.Is(err, store.ErrDamaged) {
		return unread(r.opt.Resume, err)
	}
	return &CheckpointError{r.opt.Resume, fmt.Sprintf("the checkpoint in %s cannot be read: %v", r.opt.Resume, memory.Cause(err))}
}
