package merging

import "slices"

// Suspect returns the coarse action that lost an effect of some fine steps, which no action of the
// coarse grain has. It is the action that contains such a step. Or else it is one that may contain
// such a step: of several, that which does the least of it. Or else its guard still waits for a
// message that such a step takes, or it is the only action that can have lost anything. An action
// that both grains have loses nothing. Suspect returns nil if nothing is known. Call Compare first.
func (p *Program) Suspect(does func(a *Step) bool) (suspect *Step) {
	for _, b := range p.Coarse {
		if p.twin(b) == nil && slices.ContainsFunc(p.contained[b], does) {
			return b
		}
	}
	least := 0.0
	for _, b := range p.Coarse {
		if p.twin(b) != nil {
			continue
		}
		for _, a := range p.allowed[b] {
			if !does(a) {
				continue
			}
			if share := p.share(b, a); suspect == nil || share < least {
				suspect, least = b, share
			}
		}
	}
	if suspect == nil {
		suspect = p.waiting(does)
	}
	return suspect
}

// waiting returns the coarse action whose guard reads a kind of messages that one of some fine
// steps takes. Without one it is the only action that the fine steps do not have, if it is one.
func (p *Program) waiting(does func(a *Step) bool) *Step {
	var others []*Step
	for _, b := range p.Coarse {
		if p.twin(b) != nil {
			continue
		}
		others = append(others, b)
		if slices.ContainsFunc(p.Fine, func(a *Step) bool {
			return does(a) && slices.ContainsFunc(a.takes, func(kind int) bool { return b.guard[kind] })
		}) {
			return b
		}
	}
	if len(others) == 1 {
		return others[0]
	}
	return nil
}

// share returns the part of what a fine step writes that a coarse action writes, too.
func (p *Program) share(b, a *Step) float64 {
	writes, common := 0, 0
	for v, w := range a.writes {
		if w == nil || !p.Kept[v] {
			continue
		}
		if writes++; b.writes[v] != nil {
			common++
		}
	}
	if writes == 0 {
		return 1
	}
	return float64(common) / float64(writes)
}

// Updates reports whether a step writes v. Call Compare first.
func (s *Step) Updates(v int) bool { return s.writes[v] != nil }
