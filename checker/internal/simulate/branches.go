package simulate

import "slices"

// pending is a walk from which the strategy has not learned yet.
type pending struct {
	rec    *record
	number int64
}

// learnRound lets the strategy learn from the walks of a round.
func (r *run[T]) learnRound() {
	if r.learning == nil {
		return
	}
	r.learnBranches()
	for _, p := range r.pending {
		r.learning.Learn(p.rec.start, p.rec.steps, p.rec.lesson)
	}
	r.pending = r.pending[:0]
	if b := r.opt.Branches; b != nil {
		r.branches = append(r.branches[:0], b.Taken...)
	}
}

// learnBranches takes the walks of a round once more, one after the other, if they took new
// branches. It adds these to the lessons. The strategy has not learned from the round yet, so the
// walks are the same.
func (r *run[T]) learnBranches() {
	by, ok := r.learning.(BranchLearning)
	b := r.opt.Branches
	if b == nil || !ok || !by.LearnsBranches() || len(r.pending) == 0 || slices.Equal(b.Taken, r.branches) {
		return
	}
	taken, known := slices.Clone(b.Taken), slices.Clone(r.branches)
	w := r.workers[0]
	for _, p := range r.pending {
		copy(b.Taken, known)
		w.after = func(step int) { p.rec.lesson = NewBranches(b.Taken, known, by, p.rec.lesson, step) }
		w.walk(p.number, &r.scratch)
		w.after = nil
	}
	copy(b.Taken, taken)
}
