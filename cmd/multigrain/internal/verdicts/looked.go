package verdicts

import "fmt"

// Looked counts what a run looked at. Verbs fill in the counts that they have; the others are 0.
// The rows of the table say which of them a green verdict needs.
type Looked struct {
	// Files counts files that fmt read, and Manifests those that test and compare brought to a
	// result. Changed counts the files of a change, those that cannot matter among them.
	Files     int64 `json:"files,omitempty"`
	Manifests int64 `json:"manifests,omitempty"`
	Changed   int64 `json:"changed_files,omitempty"`
	// Jobs counts jobs of the verb run that have a result.
	Jobs int64 `json:"jobs,omitempty"`

	// Initial counts the initial states that were explored, and Beyond the other states.
	Initial int64 `json:"initial_states,omitempty"`
	Beyond  int64 `json:"states_beyond,omitempty"`
	// Closed counts the initial states of an exploration without other states, if none is missing.
	// Deadlocks were searched for then, or the manifest says that all actions are unused. Or some
	// steps are enabled, and all of them lead back to an initial state.
	Closed int64 `json:"closed_states,omitempty"`
	// Judged counts the properties that were evaluated. State invariants count if a state was
	// explored, properties of steps if a step was taken, and liveness properties if their premise
	// became true. The search for deadlocks counts, too.
	Judged int64 `json:"properties_judged,omitempty"`

	// Walks counts random walks and Steps their steps. Of an implementation, Steps counts those
	// after which a variable was compared.
	Walks int64 `json:"walks,omitempty"`
	Steps int64 `json:"steps,omitempty"`

	// Ran counts the changed lines and operands of an implementation that ran, or that do all as
	// before the change.
	Ran int64 `json:"changed_ran,omitempty"`

	// Grains counts coarse grains that were compared with the grains that they coarsen. Views
	// counts what the modules under test and the invariants saw of both compositions, for levels L1
	// and L2.
	Grains int64 `json:"coarse_grains,omitempty"`
	Views  int64 `json:"views,omitempty"`

	// Observed counts concrete steps that were observed, and matched by the abstract composition.
	Observed int64 `json:"observed_steps,omitempty"`

	// Mutants counts mutants that the fine composition finds, for level L3.
	Mutants int64 `json:"mutants,omitempty"`

	// Entries counts entries of lock files that were compared with their manifests.
	Entries int64 `json:"lock_entries,omitempty"`

	// Configurations counts those that all walks were taken in.
	Configurations int64 `json:"configurations,omitempty"`
	// Events counts the events of logs that a behaviour matches and that stand for an action.
	Events int64 `json:"events,omitempty"`
	// Messages counts outgoing messages that were judged, and Behaviours those of a self-test.
	Messages   int64 `json:"messages,omitempty"`
	Behaviours int64 `json:"behaviours,omitempty"`
}

// Need is a minimum of a green verdict: at least one of what it counts.
type Need struct {
	What   string // in the document, as "an initial state"
	Lacks  string // the reason of an undecided verdict below the minimum
	Exit   int    // below the minimum: ExitUndecided, or that of an error
	Counts func(*Looked) []*int64
}

// met reports whether a run looked at enough: any of the counts is above 0.
func (n Need) met(l Looked) bool {
	for _, c := range n.Counts(&l) {
		if *c > 0 {
			return true
		}
	}
	return false
}

func need(what, lacks string, counts func(*Looked) []*int64) Need {
	return Need{What: what, Lacks: lacks, Exit: ExitUndecided, Counts: counts}
}

// The minima.
var (
	needFile = Need{What: "a file that was read", Lacks: "no manifest is found", Exit: ExitUsage,
		Counts: func(l *Looked) []*int64 { return []*int64{&l.Files} }}
	needTest = Need{What: "a manifest that was checked", Lacks: "no manifest is found", Exit: ExitUsage,
		Counts: func(l *Looked) []*int64 { return []*int64{&l.Manifests} }}
	needJob = Need{What: "a job with a result", Lacks: "no job is found", Exit: ExitUsage,
		Counts: func(l *Looked) []*int64 { return []*int64{&l.Jobs} }}
	needEntry = Need{What: "an entry of a lock file", Lacks: "no lock file is found", Exit: ExitUsage,
		Counts: func(l *Looked) []*int64 { return []*int64{&l.Entries} }}
	needCompared = need("a manifest that was checked", "no manifest was checked",
		func(l *Looked) []*int64 { return []*int64{&l.Manifests} })
	needChanged = need("a file of the change", "the change is empty: it has no file",
		func(l *Looked) []*int64 { return []*int64{&l.Changed} })
	needInitial = need("an initial state within the state constraints",
		"no state was explored: a state constraint or a masked assertion excludes all initial states",
		func(l *Looked) []*int64 { return []*int64{&l.Initial} })
	needBeyond = need("a state beyond the initial ones, or initial states from which nothing else can be reached: "+
		"deadlocks were searched for, or all enabled steps lead back, or `unused` names all actions",
		"no state beyond the initial ones was explored",
		func(l *Looked) []*int64 { return []*int64{&l.Beyond, &l.Closed} })
	needJudged = need("a property that was evaluated: an invariant, a liveness property whose premise became true, or the search for deadlocks",
		"nothing was checked: no invariant and no property is selected, or no state and no step decides those that are, and deadlocks are not searched for",
		func(l *Looked) []*int64 { return []*int64{&l.Judged} })
	needWalk = need("a random walk", "no walk was taken",
		func(l *Looked) []*int64 { return []*int64{&l.Walks} })
	needStep = need("a step of a walk, or `unused` names all actions", "no walk took a step: at the start no action with a weight above 0 is enabled, or the state constraints exclude its steps",
		func(l *Looked) []*int64 { return []*int64{&l.Steps, &l.Closed} })
	needDone = need("a step after which the states were compared", "no step was done and compared",
		func(l *Looked) []*int64 { return []*int64{&l.Steps} })
	needRan = need("a changed line that ran, or that does all as before the change", "no changed line ran",
		func(l *Looked) []*int64 { return []*int64{&l.Ran} })
	needConfiguration = need("a configuration in which all walks were taken", "no walks were taken in any configuration",
		func(l *Looked) []*int64 { return []*int64{&l.Configurations} })
	needRankedStep = need("a step of a walk", "no walk took a step, so nothing orders the configurations",
		func(l *Looked) []*int64 { return []*int64{&l.Steps} })
	needGrain = need("a coarse grain that was compared with the grain that it coarsens", "no coarse grain was examined",
		func(l *Looked) []*int64 { return []*int64{&l.Grains} })
	needViews = need("an observation that was compared", "nothing was observed that could be compared",
		func(l *Looked) []*int64 { return []*int64{&l.Views} })
	needObserved = need("a concrete step that was observed, at least two mapped values or an observed action, and an observed step that the abstract composition refuses",
		"no concrete step was observed",
		func(l *Looked) []*int64 { return []*int64{&l.Observed} })
	needMutant = need("a mutant that the fine composition finds", "the fine composition finds none of the mutants",
		func(l *Looked) []*int64 { return []*int64{&l.Mutants} })
	needEvent = need("an event that stands for an action", "no event of the log stands for an action",
		func(l *Looked) []*int64 { return []*int64{&l.Events} })
	needMessage = need("an outgoing message that was judged", "no message was sent and judged",
		func(l *Looked) []*int64 { return []*int64{&l.Messages} })
	needBehaviour = need("a random behaviour", "no behaviour was tried",
		func(l *Looked) []*int64 { return []*int64{&l.Behaviours} })
)

// explored are the minima of an exploration of all states.
var explored = []Need{needInitial, needBeyond, needJudged}

// Enough returns counts with which a row's verdict stands.
func (r Row) Enough() (l Looked) {
	for _, n := range r.Needs {
		for _, c := range n.Counts(&l) {
			*c = 1
		}
	}
	return l
}

// Short returns the first minimum of a verdict that a run did not reach; nil if there is none. A
// verdict that the table does not have has no minimum.
func Short(verb string, word Word, which string, l Looked) *Need {
	r, ok := find(verb, word, which)
	if !ok {
		return nil
	}
	for k, n := range r.Needs {
		if !n.met(l) {
			return &r.Needs[k]
		}
	}
	return nil
}

// green says what a row with exit code 0 needs, for the document.
func (r Row) green() string {
	if len(r.Needs) == 0 {
		return "none: " + r.Free
	}
	text := ""
	for k, n := range r.Needs {
		if k > 0 {
			text += "; "
		}
		text += n.What
	}
	return text
}

// below returns the exit codes below the minima of a row, for the document.
func (r Row) below() string {
	if len(r.Needs) == 0 {
		return NoForm
	}
	return fmt.Sprint(r.Needs[0].Exit)
}
