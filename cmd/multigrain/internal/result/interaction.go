package result

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// Comparison is the result of levels L1 and L2.
type Comparison struct {
	Verdict string `json:"verdict"` // preserved, gap, broken or undecided
	// Reused says that the result was stored by an earlier comparison of the same sources
	// and bounds.
	Reused bool   `json:"reused,omitempty"`
	Bounds string `json:"bounds"` // those of the comparison, as servers=3 crashes=1
	// Against are the grains, as module/grain, that stand for coarse ones in the finer composition,
	// where these are not the finest.
	Against []string `json:"against,omitempty"`
	// Found are the bounds that were found, where the manifest's interaction block has none.
	Found []Bound `json:"found_bounds,omitempty"`
	// Varied says what comparisons within other numbers of nodes, and with more faults, show, where
	// bounds were found: the bounds that differ, and the result.
	Varied []string `json:"varied_bounds,omitempty"`
	// Accepted are the texts of the manifest that accept a gap that was found, Unused are
	// the others.
	Accepted []string `json:"accepted"`
	Unused   []string `json:"unused,omitempty"`
	// Observers are the names that such a text can use: those of visible actions and of
	// invariants.
	Observers []string `json:"observers"`
	wire.Preservation
	Findings []Finding `json:"findings"`
	Traces   []string  `json:"traces,omitempty"` // paths, one for each difference
	// Witnesses are behaviours that show the differences, one for each.
	Witnesses []*Behaviour `json:"witnesses,omitempty"`
}

// Bound is the value of a bound.
type Bound struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// Interaction is the result of examining interaction preservation.
type Interaction struct {
	Verdict  string    `json:"verdict" enum:"preserved gap broken none skipped"`
	Level    string    `json:"level,omitempty"` // L0 to L3
	Findings []Finding `json:"findings"`
	Targets  []string  `json:"targets,omitempty"` // modules under test

	// Locked is the entry of the lock file for the level that the manifest states above L0.
	Locked *Locked `json:"locked,omitempty"`
	// Stored is the result of levels L1 and L2 that the verb interaction found last for the
	// same sources and bounds. It changes nothing.
	Stored *Stored `json:"stored,omitempty"`
	// Accepts are the gaps that the manifest accepts, where no stored result says whether
	// they exist.
	Accepts []string `json:"accepts,omitempty"`

	// Coverage says of each selected property how the composition covers it. It is there with
	// coarse grains.
	Coverage []Covered `json:"coverage,omitempty"`

	// Mutants is the result of level L3, of the verb interaction.
	Mutants *Mutants `json:"mutants,omitempty"`

	// Comparison is the result of levels L1 and L2, of the verb interaction.
	Comparison *Comparison `json:"comparison,omitempty"`

	// The other fields are there with the verb interaction, and where a report is asked for.
	Grains []Grain `json:"grains,omitempty"`
	// Whole are the chosen grains that are not coarse: they drop nothing.
	Whole []string `json:"whole,omitempty"`
	// Uncompared are the chosen grains that no level compares, or only L0. Baselines are not among
	// them.
	Uncompared []Uncompared `json:"uncompared,omitempty"`
	// Modules are the columns of the table; coarse grains are replaced by the grains they
	// coarsen.
	Modules   []string   `json:"modules,omitempty"`
	Variables []Variable `json:"variables,omitempty"`
}

// Locked is the level that a manifest states above L0, with its entry in the lock file.
type Locked struct {
	Level string `json:"level"` // that the manifest states, or that endings need
	// Endings are the liveness properties that the manifest asks for, and deadlock, where coarse
	// grains can hide violations of them.
	Endings []string `json:"endings,omitempty"`
	File    string   `json:"file"`
	// Status is decided only if the entry is about this composition and reached the level.
	Status string `json:"status" enum:"decided undecided stale missing"`
	// Verdict of the level, and the bounds within which it was compared. Both are absent
	// without an entry that is about this composition.
	Verdict string `json:"verdict,omitempty" enum:"preserved gap broken undecided"`
	// Weakest says that the weakest environment decided the level.
	Weakest  bool     `json:"weakest,omitempty"`
	Bounds   string   `json:"bounds,omitempty"`
	Accepted []string `json:"accepted,omitempty"` // gaps, as the manifest's blocks
	// Looks are the values that invariants see, where the entry has them. Unasked are branches of
	// invariants that only the fine composition takes.
	Looks   []wire.Seen `json:"looks,omitempty"`
	Unasked []string    `json:"unasked,omitempty"`
	// Mutants is the result of level L3, where the manifest states that and the entry has it.
	Mutants *LockedMutants `json:"mutants,omitempty"`
	// Bounded are the bounds that differ from those of the comparison. Matters names the properties
	// that this concerns, with what the comparison never saw of them in the coarse composition. It
	// is there if a bound is larger here.
	Bounded []OtherBound `json:"other_bounds,omitempty"`
	Matters []string     `json:"matters_to,omitempty"`
	// Complete says that all states of both compositions were explored. It is false where the
	// entry does not say so.
	Complete bool `json:"complete,omitempty"`
	// Refused says that the entry has a false behaviour, or a gap that the manifest does not
	// accept.
	Refused bool `json:"refused,omitempty"`
	// Reason says why the level is not decided, with the remedy.
	Reason string `json:"reason,omitempty"`
}

// LockedMutants is the result of level L3 in an entry of a lock file. The fields are those of
// Mutants.
type LockedMutants struct {
	Verdict   string   `json:"verdict" enum:"preserved broken undecided"`
	Reason    string   `json:"reason,omitempty"`
	Bounds    string   `json:"bounds"`
	Seed      int      `json:"seed"`
	Drawn     int      `json:"drawn"`
	Found     int      `json:"found"`
	Kept      int      `json:"kept"`
	Equal     int      `json:"equal"`
	Undecided int      `json:"undecided"`
	Lost      []string `json:"lost,omitempty"` // names of mutants
	False     []string `json:"false,omitempty"`
}

// OtherBound is a bound whose value is not that of the comparison.
type OtherBound struct {
	Name     string `json:"name"`
	Here     int    `json:"here"`
	Compared int    `json:"compared"`
}

// Exceeds reports whether more was explored than compared.
func (b OtherBound) Exceeds() bool { return b.Here > b.Compared }

// BoundsText says by which bounds a composition differs from the comparison of a level.
func BoundsText(bounds []OtherBound, level string) (out []string) {
	for _, b := range bounds {
		out = append(out, fmt.Sprintf("%s %d here, %d where %s was compared", b.Name, b.Here, b.Compared, level))
	}
	return out
}

// Covered says how a composition with coarse grains covers a property that is selected.
type Covered struct {
	Property string `json:"property"`
	Kind     string `json:"kind" enum:"state step assert liveness deadlock"`
	How      string `json:"how" enum:"steps values endings not-preserved not-compared"`
	Text     string `json:"text"`
}

// How a property is covered: on steps that both compositions have, on values that both reach, or by
// endings that were compared. It may be not preserved. Or nothing was compared, so it is not known.
const (
	OnSteps      = "steps"
	OnValues     = "values"
	OnEndings    = "endings"
	NotPreserved = "not-preserved"
	NotCompared  = "not-compared"
)

// The statuses of a level that a manifest states.
const (
	Decided = "decided"
	Open    = verdicts.Undecided
	Stale   = "stale"
	Missing = "missing"
)

// Stored is the summary of a stored result.
type Stored struct {
	Verdict  string   `json:"verdict"`
	Level    string   `json:"level"`
	Bounds   string   `json:"bounds"`
	Accepted []string `json:"accepted"`
	// Complete says that all states of both compositions were explored.
	Complete bool `json:"complete"`
}

// Finding is a finding about interaction preservation.
type Finding struct {
	Kind     string `json:"kind"`
	Variable string `json:"variable"`
	Action   string `json:"action"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Accepted bool   `json:"accepted"`
	Code     string `json:"code"`
	Severity string `json:"severity"` // error, warning or note
	Grain    string `json:"grain,omitempty"`
	Message  string `json:"message"`
}

// Grain is the verdict of one coarse grain.
type Grain struct {
	Grain   string   `json:"grain"` // module/grain
	Covers  []string `json:"covers"`
	Targets []string `json:"targets"`
	Verdict string   `json:"verdict"` // preserved, gap or broken
	Level   string   `json:"level"`
	Keeps   []string `json:"keeps"` // variables that it must keep
	Drops   []string `json:"drops"` // variables whose updates it leaves out, and may
}

// Uncompared is a grain that is compared with nothing, or at level L0 only.
type Uncompared struct {
	Grain  string `json:"grain"` // module/grain
	Reason string `json:"reason"`
	// Footprints says that level L0 compares it.
	Footprints bool `json:"footprints,omitempty"`
}

// Text says so in a sentence.
func (u Uncompared) Text() string {
	if u.Footprints {
		return u.Grain + " is compared at level L0 only: " + u.Reason
	}
	return u.Grain + " is compared with nothing: " + u.Reason
}

// Variable is a row of the table of variables by modules.
type Variable struct {
	Name    string `json:"name"`
	Kept    bool   `json:"kept"` // for the targets
	Modules []Cell `json:"modules"`
	// Why says why it is kept or may be dropped. A variable that no module uses has no reason.
	Why *Link `json:"why,omitempty"`
}

// Cell is the role of a variable for a module. A module that does not use it has no cell.
type Cell struct {
	Module     string `json:"module"`
	Dependency bool   `json:"dependency"` // in D(module)
	Reads      bool   `json:"reads"`
	Writes     bool   `json:"writes"`
	// Interaction says that modules interact through the variable. It is in I, or one module
	// writes it and another depends on it.
	Interaction bool `json:"interaction"`
	Internal    bool `json:"internal"` // no other module uses it
}

// Why is the chain that keeps a variable. Of a variable that may be dropped it is one link with the
// reason, or empty if no module uses it.
type Why struct {
	Variable string `json:"variable"`
	Kept     bool   `json:"kept"`
	Chain    []Link `json:"chain"`
}

// Link is one link of such a chain.
type Link struct {
	Text string `json:"text"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Suggestion names the variables that a coarse grain of a module may leave out.
type Suggestion struct {
	Module string   `json:"module"`
	Grain  string   `json:"grain"` // that the advice is about
	Drops  []string `json:"drops"`
	// Together may be dropped as well where one grain covers this module and all of Others.
	Together []string `json:"together,omitempty"`
	Others   []string `json:"others,omitempty"`
	Keeps    []Why    `json:"keeps"`
	Silent   []string `json:"silent_actions,omitempty"`
}

// Why returns the reason why a variable is kept or may be dropped, nil where the document has none.
func (d *Interaction) Why(name string) *Link {
	for k := range d.Variables {
		if d.Variables[k].Name == name {
			return d.Variables[k].Why
		}
	}
	return nil
}

// Dropped are variables that may be dropped for one reason.
type Dropped struct {
	Variables []string
	Why       string
}

// Together groups variables by the reason why they may be dropped, in the order of the variables.
func (d *Interaction) Together(names []string) (out []Dropped) {
	for _, name := range names {
		why := ""
		if l := d.Why(name); l != nil {
			why = l.Text
		}
		k := slices.IndexFunc(out, func(x Dropped) bool { return x.Why == why })
		if k < 0 {
			k, out = len(out), append(out, Dropped{Why: why})
		}
		out[k].Variables = append(out[k].Variables, name)
	}
	return out
}

// Mutants is the result of level L3: which mutants of the modules under test the fine and the mixed
// composition find.
type Mutants struct {
	Verdict string `json:"verdict" enum:"preserved broken undecided"`
	// Reason says why the level is undecided.
	Reason string `json:"reason,omitempty"`
	Bounds string `json:"bounds"` // as servers=3 crashes=1
	Seed   uint64 `json:"seed"`
	// Sites is the number of all mutants that compile, and Drawn that of those that were asked for.
	Sites int `json:"sites"`
	Drawn int `json:"drawn"`
	// Found is the number of mutants that the fine composition finds: those that are kept or lost.
	Found     int `json:"found"`
	Kept      int `json:"kept"`
	Lost      int `json:"lost"`
	False     int `json:"false"`
	Equal     int `json:"equal"`
	Undecided int `json:"undecided"` // with those that were not explored
	// Fine and Mixed are the explorations of the specification itself.
	Fine  Searched `json:"fine"`
	Mixed Searched `json:"mixed"`
	// Seconds is the time of all explorations of mutants, of the fine composition and of the mixed
	// one.
	Seconds [2]float64 `json:"seconds"`
	// Apart are selected invariants that only one composition offers, so they are not judged.
	Apart []string `json:"not_judged,omitempty"`
	List  []Mutant `json:"mutants"`
}

// The outcomes of mutants.
const (
	MutantKept      = "kept"
	MutantLost      = "lost"
	MutantFalse     = "false"
	MutantEqual     = "equal"
	MutantUndecided = verdicts.Undecided
)

// Mutant is a change of the code under test with its outcome.
type Mutant struct {
	Name    string   `json:"name"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Outcome string   `json:"outcome" enum:"kept lost false equal undecided"`
	Note    string   `json:"note,omitempty"` // why it is undecided, or a remark
	Fine    Searched `json:"fine"`
	Mixed   Searched `json:"mixed"`
	// Blame is the coarse action that is to blame for a mutant that is lost or false; absent if
	// none is known.
	Blame *Finding `json:"blame,omitempty"`
	// Followed is how far the other composition follows the counterexample of a mutant that is lost
	// or false.
	Followed *Followed `json:"followed,omitempty"`
}

// Followed is how far one composition follows a counterexample of the other.
type Followed struct {
	// Step is the number of the first step of the counterexample, from 1, that it cannot do after
	// the same observations. It is 0 if it has all of these observations, or if Reason is not
	// empty.
	Step int `json:"step"`
	// Reason says why that is not known.
	Reason string `json:"reason,omitempty"`
	// Behaviour is its own behaviour with the observations before Step: of those the one whose last
	// state is most like that of the counterexample.
	Behaviour *Behaviour `json:"behaviour,omitempty"`
}

// Searched is the exploration of a mutant in one composition.
type Searched struct {
	// Verdict is fails if the mutated code panics, does not return or exceeds a capacity.
	Verdict string `json:"verdict,omitempty" enum:"holds violated fails undecided"`
	// Property names the violated property, and Reason says why a side fails or is undecided.
	Property string  `json:"property,omitempty"`
	Reason   string  `json:"reason,omitempty"`
	States   int64   `json:"states,omitempty"`
	Depth    int     `json:"depth,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"`
	Digest   string  `json:"digest,omitempty"` // of the states, where all were explored
	// Full says that a capacity was exceeded.
	Full  bool   `json:"full,omitempty"`
	Trace string `json:"trace,omitempty"` // path of the ITF file
	// Counterexample is the behaviour that violates the property, of a mutant that is lost or
	// false.
	Counterexample *Behaviour `json:"counterexample,omitempty"`
}

// Fails is the verdict of a side whose mutated code panics, does not return or exceeds a capacity.
const Fails = "fails"

// Bad reports whether the exploration found the mutant.
func (s *Searched) Bad() bool { return s.Verdict == verdicts.Violated || s.Verdict == Fails }

// Count fills in the numbers of a list and the verdict. Why is the reason of a run that ended
// early; "" for none.
func (m *Mutants) Count(why string) {
	m.Found, m.Kept, m.Lost, m.False, m.Equal, m.Undecided, m.Seconds = 0, 0, 0, 0, 0, m.Drawn-len(m.List), [2]float64{}
	for k := range m.List {
		switch x := &m.List[k]; x.Outcome {
		case MutantKept:
			m.Kept++
		case MutantLost:
			m.Lost++
		case MutantFalse:
			m.False++
		case MutantEqual:
			m.Equal++
		default:
			m.Undecided++
		}
		m.Seconds[0] += m.List[k].Fine.Seconds
		m.Seconds[1] += m.List[k].Mixed.Seconds
	}
	m.Found = m.Kept + m.Lost
	m.Verdict, m.Reason = verdicts.Preserved, ""
	switch {
	case m.Lost+m.False > 0:
		m.Verdict = verdicts.Broken
	case why != "":
		m.Verdict, m.Reason = verdicts.Undecided, why
	case m.Drawn == 0:
		m.Verdict, m.Reason = verdicts.Undecided, "the modules under test have no code of their own that can be changed"
	case m.Undecided > 0:
		m.Verdict, m.Reason = verdicts.Undecided, fmt.Sprintf("%d of %d mutants are not decided within the limits", m.Undecided, m.Drawn)
	case m.Found == 0:
		m.Verdict, m.Reason = verdicts.Undecided, "the fine composition finds none of the mutants, so nothing is measured"
	}
}
