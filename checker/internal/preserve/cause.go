package preserve

import (
	"cmp"
	"maps"
	"slices"
)

// causes makes one difference of those with one cause. The cause is the last silent step of the
// witness: what is observed after it is what the other composition has no silent steps for. The
// shortest witness stands for all; who else sees the difference, and in which variable, is kept
// next to it. Steps of the environment and of the modules under test are the same in both
// compositions, so a witness without a silent step is a cause of its own. So is an ending: what it
// is about is not seen in steps.
func (r *run[T]) causes() {
	type key struct {
		side  int
		cause string
	}
	var out []Difference[T]
	at := map[key]int{}
	for k := range r.res.Differences {
		d := r.res.Differences[k]
		if d.Ending == "" {
			d.Cause, d.CauseStep = r.lastSilent(&d)
		}
		j, known := at[key{d.Side, d.Cause}]
		if !known || d.Cause == "" {
			at[key{d.Side, d.Cause}] = len(out)
			out = append(out, d)
			continue
		}
		if len(d.Trace.Steps) < len(out[j].Trace.Steps) {
			d, out[j] = out[j], d
		}
		out[j].take(d)
	}
	r.res.Differences = r.aborts(out)
}

// aborts merges the differences whose shortest witnesses go through the same silent steps that the
// environment interrupts. The finer grains begin what a coarse grain does in one step or not at
// all, and a fault comes in between. A shortest witness makes no detour, so a much later difference
// is also an effect of that interruption. If the sequence is interrupted later, as the last silent
// event, the cause is the same.
func (r *run[T]) aborts(all []Difference[T]) (out []Difference[T]) {
	order := make([]int, len(all))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(all[a].Trace.Steps), len(all[b].Trace.Steps)) })
	behind := map[int]int{} // the difference that stands for one
	var cut []int
	for _, k := range order {
		d := &all[k]
		if j := slices.IndexFunc(cut, func(e int) bool { return all[e].Side == d.Side && d.Ending == "" && r.through(d, &all[e]) }); j >= 0 {
			all[cut[j]].take(*d)
			behind[k] = cut[j]
		} else if len(r.cutOff(d)) > 0 {
			cut = append(cut, k)
		}
	}
	for k := range all {
		if _, ok := behind[k]; !ok {
			out = append(out, all[k])
		}
	}
	return out
}

// silentRun is a longest sequence of silent steps of a trace: their actions, and where it ends.
type silentRun struct {
	actions []string
	end     int // number of its last step from 1
	faulted bool
}

// runs returns the sequences of silent steps of a witness.
func (r *run[T]) runs(d *Difference[T]) (out []silentRun) {
	side := &r.c.Sides[d.Side]
	var now silentRun
	for k, s := range d.Trace.Steps {
		if step := side.Step[s.Instance]; step >= 0 {
			if now.faulted = r.c.Steps[step].Environment; len(now.actions) > 0 {
				out = append(out, now)
			}
			now = silentRun{}
			continue
		}
		now.actions, now.end = append(now.actions, side.Spec.Actions[side.Spec.Instances[s.Instance].Action].Name), k+1
	}
	return out
}

// cutOff returns the silent steps that end with the cause of a difference, if a step of the
// environment follows them at once.
func (r *run[T]) cutOff(d *Difference[T]) []string {
	for _, x := range r.runs(d) {
		if x.end == d.CauseStep && x.faulted {
			return x.actions
		}
	}
	return nil
}

// through reports whether the witness of d goes through the silent steps that were interrupted in
// the witness of e. It also reports true if d ends its own silent steps with a longer part of the
// same sequence.
func (r *run[T]) through(d, e *Difference[T]) bool {
	cut := r.cutOff(e)
	return slices.ContainsFunc(r.runs(d), func(x silentRun) bool {
		return x.faulted && len(x.actions) >= len(cut) && slices.Equal(x.actions[:len(cut)], cut) && (len(x.actions) == len(cut) || x.end == d.CauseStep)
	})
}

// take adds a difference of the same cause, with those that it stands for.
func (d *Difference[T]) take(of Difference[T]) {
	parts, missed := of.parts, of.Missed
	of.parts, of.Missed = nil, of.own()
	d.parts = append(append(d.parts, of), parts...)
	d.Missed, d.Count = joinMissed(maps.Clone(d.Missed), missed), d.Count+of.Count
}

// own returns the observations that showed the difference itself.
func (d *Difference[T]) own() map[uint64]Observation {
	out := maps.Clone(d.Missed)
	for k := range d.parts {
		maps.DeleteFunc(out, func(f uint64, _ Observation) bool { _, of := d.parts[k].Missed[f]; return of })
	}
	return out
}

// lastSilent returns the action of the last step of a witness that nobody observes, and its number
// from 1; "" and 0: there is none.
func (r *run[T]) lastSilent(d *Difference[T]) (string, int) {
	side := &r.c.Sides[d.Side]
	for k, s := range slices.Backward(d.Trace.Steps) {
		if side.Step[s.Instance] < 0 {
			return side.Spec.Actions[side.Spec.Instances[s.Instance].Action].Name, k + 1
		}
	}
	return "", 0
}
