package result

import "github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"

// Locks are the entries of lock files below some folders, with those that are stale.
type Locks struct {
	Verdict string `json:"verdict" enum:"fresh stale"`
	Entries int    `json:"entries"` // all that were looked at
	// Seconds is the time that the stale entries took when they were compared last, as far as that
	// is known. Unknown counts the entries without a known time.
	Seconds int          `json:"seconds"`
	Unknown int          `json:"unknown,omitempty"`
	Stale   []StaleEntry `json:"stale"`
}

// StaleEntry is an entry that is no longer about the composition of its manifest.
type StaleEntry struct {
	Manifest string `json:"manifest"` // path
	// Grains are the coarse grains that are compared, as module/grain.
	Grains []string `json:"grains"`
	// Reason ends with what has changed.
	Reason string `json:"reason"`
}

// Settle sets the verdict.
func (l *Locks) Settle() {
	l.Verdict = verdicts.Fresh
	if len(l.Stale) > 0 {
		l.Verdict = verdicts.Stale
	}
}
