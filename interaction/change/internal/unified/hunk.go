package unified

// Hunk is a changed part. With Lines 0, Start is the line after which something is inserted or was
// removed.
type Hunk struct {
	Old, New Span
	// Body are its lines, each with its mark; nil where the diff has headers only.
	Body []string
	// OldBare and NewBare say that the last line of the side has no end.
	OldBare, NewBare bool
}

// Span is a range of lines: Start counts from 1.
type Span struct{ Start, Lines int }

func (s Span) Last() int { return s.Start + s.Lines - 1 }

// Runs returns the changed parts of a hunk without the lines around them.
func (h *Hunk) Runs() []Hunk {
	if h.Body == nil {
		return []Hunk{*h}
	}
	var out []Hunk
	var run *Hunk
	old, new := h.Old.Start, h.New.Start
	if h.Old.Lines == 0 {
		old++ // Start is the line before
	}
	if h.New.Lines == 0 {
		new++
	}
	for _, line := range h.Body {
		if line[0] == ' ' {
			run = nil
			old, new = old+1, new+1
			continue
		}
		if run == nil {
			out = append(out, Hunk{Old: Span{old, 0}, New: Span{new, 0}})
			run = &out[len(out)-1]
		}
		run.Body = append(run.Body, line)
		if line[0] == '-' {
			run.Old.Lines++
			old++
		} else {
			run.New.Lines++
			new++
		}
	}
	for k := range out { // as headers have it
		for _, s := range []*Span{&out[k].Old, &out[k].New} {
			if s.Lines == 0 {
				s.Start--
			}
		}
	}
	return out
}
