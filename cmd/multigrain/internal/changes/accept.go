package changes

// uncovered names the changed lines that did not run, and the operands that were not both true and
// false: what makes a result undecided. With Walking.Accept they are noted as accepted instead, and
// the result is nil. Other reasons for an undecided result are no matter of coverage, and stay.
func (o *observer) uncovered() (lines []string) {
	for k := range o.out.Places {
		if m := o.out.Places[k].Missing(); m != "" {
			lines = append(lines, m)
		}
	}
	if o.by.Accept {
		o.out.Accepted = lines
		return nil
	}
	return lines
}
