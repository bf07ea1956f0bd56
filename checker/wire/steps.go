package wire

import (
	"encoding/json"

	"github.com/multigrain/multigrain/modules"
)

// Question asks package checker/internal/stepwise about the end of a path: the number of an initial
// state and the names of steps, as Elect(I: 0, Q: {0, 1}). The names of parameters may be left out.
// With Why, Formula, Follow or none of them it asks for refusals, for a value, for a behaviour, or
// for the steps from there.
type Question struct {
	Init int      `json:"init"` // the initial state, from 0
	Path []string `json:"path"`
	// Known is how many steps of the path the asker has the states of: the answer has those after.
	// Negative: the initial state is not known either.
	Known int `json:"known"`
	// Why is an action, or one with its parameters, that is expected to be refused.
	Why string `json:"why,omitempty"`
	// Formula is of type Formula of package checker/internal/trace, on the state.
	Formula json.RawMessage `json:"formula,omitempty"`
	Follow  *FollowSteps    `json:"follow,omitempty"`
}

// Answer is the answer to a question. Where a step of the path is not possible, it is about the
// state before that step.
type Answer struct {
	// Error is set, and nothing else, if the question has no answer.
	Error *Error `json:"error,omitempty"`

	Inits int           `json:"inits"` // number of initial states
	Nodes []string      `json:"nodes,omitempty"`
	Init  *modules.View `json:"init,omitempty"`
	Steps []Step        `json:"steps"` // those after Question.Known
	// Halted is the first step of the path that is not possible; nil if all are.
	Halted *Halted `json:"halted,omitempty"`

	Enabled []Enabled `json:"enabled,omitempty"`
	Idle    []Idle    `json:"idle,omitempty"`
	// Outside says that a state constraint is false: check explores no step from here. Ended says
	// that an assertion is raised, which ends the behaviour.
	Outside bool `json:"outside,omitempty"`
	Ended   bool `json:"ended,omitempty"`
	// Broken are names of properties that the last step or the state breaks.
	Broken []string `json:"broken,omitempty"`
	Goals  []string `json:"goals,omitempty"` // names of those that the state reaches

	Refused []Refused `json:"refused,omitempty"` // with Question.Why
	Value   string    `json:"value,omitempty"`   // with Question.Formula
	// Followed is the answer to Question.Follow.
	Followed *FollowedSteps `json:"followed,omitempty"`
}

// Halted is a step of a path that is not possible.
type Halted struct {
	Step int    `json:"step"` // from 1
	Call string `json:"call"`
	// Unknown says that the composition has no such step.
	Unknown bool `json:"unknown,omitempty"`
}

// Enabled is a step that is possible.
type Enabled struct {
	Call    string        `json:"call"`
	Step    Step          `json:"step"` // without its state
	Changes []StateChange `json:"changes"`
	Broken  []string      `json:"broken,omitempty"` // names of properties that it breaks
	Goals   []string      `json:"goals,omitempty"`  // names of goals that it reaches
	Outside bool          `json:"outside,omitempty"`
	// Failure is why the step cannot be taken: its effect panics.
	Failure string `json:"failure,omitempty"`
}

// StateChange is a part of a state that a step changes: see itf.Change.
type StateChange struct {
	Path string        `json:"path"`
	Old  *modules.View `json:"old,omitempty"`
	New  *modules.View `json:"new,omitempty"`
}

// Idle is an action without a possible step.
type Idle struct {
	Action      string `json:"action"`
	Module      string `json:"module"`
	Environment bool   `json:"environment,omitempty"`
	Instances   int    `json:"instances"`
}

// Refused is an instance of an action that is not enabled, or one that is, with no reason.
type Refused struct {
	Call    string `json:"call"`
	Server  int    `json:"server"` // -1 for none
	Enabled bool   `json:"enabled,omitempty"`
	// Bound is the bound that the path has used up; "" where that is not the reason.
	Bound string `json:"bound,omitempty"`
	Max   int    `json:"max,omitempty"` // its value
	// Why are the conditions that decided, the guard's own first. It is empty where the guard has
	// no condition that can be noted.
	Why []Reason `json:"why,omitempty"`
}

// FollowSteps asks for a behaviour that takes some steps in their order. In between it may take
// steps of its own actions. So it asks whether a composition does the same as another one, on the
// actions that both have.
type FollowSteps struct {
	Calls []string `json:"calls"`
	Own   []string `json:"own"`  // actions
	Most  int      `json:"most"` // pairs of a state and a number of steps that are visited, at most
	// Seconds bounds the time of the search. 0 is no bound.
	Seconds float64 `json:"seconds,omitempty"`
	// Near chooses among the states after as many steps as possible: the one that differs least
	// from it. Steps of Own may follow the last of Calls then. Nil: a state with a shortest
	// behaviour.
	Near *modules.View `json:"near,omitempty"`
}

// FollowedSteps is the answer. The behaviour takes as many of the steps as any does, and among such
// behaviours it is one of the shortest.
type FollowedSteps struct {
	Path  []string `json:"path"`
	Taken int      `json:"taken"` // of FollowSteps.Calls
	// Whole says that all behaviours were tried: none takes more. Otherwise the limit was reached.
	Whole bool `json:"whole"`
}
