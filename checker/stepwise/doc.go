// Package stepwise answers questions about single steps of a specification: what is enabled at the
// end of a path, what each step would change, and what refuses the others.
//
// A path is the number of an initial state and the names of steps, as Elect(I: 0, Q: {0, 1}). The
// names of parameters may be left out: Elect(0,{0,1}). Nothing is kept between two questions, so a
// question means the same at any time.
package stepwise

import (
	"encoding/json"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Question asks about the end of a path. With Why, Formula, Follow or none of them it asks
// for refusals, for a value, for a behaviour, or for the steps from there.
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
	Follow  *Follow         `json:"follow,omitempty"`
}

// Answer is the answer to a question. Where a step of the path is not possible, it is about the
// state before that step.
type Answer struct {
	// Error is set, and nothing else, if the question has no answer.
	Error *wire.Error `json:"error,omitempty"`

	Inits int           `json:"inits"` // number of initial states
	Nodes []string      `json:"nodes,omitempty"`
	Init  *modules.View `json:"init,omitempty"`
	Steps []wire.Step   `json:"steps"` // those after Question.Known
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
	Followed *Followed `json:"followed,omitempty"`
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
	Call    string    `json:"call"`
	Step    wire.Step `json:"step"` // without its state
	Changes []Change  `json:"changes"`
	Broken  []string  `json:"broken,omitempty"` // names of properties that it breaks
	Goals   []string  `json:"goals,omitempty"`  // names of goals that it reaches
	Outside bool      `json:"outside,omitempty"`
	// Failure is why the step cannot be taken: its effect panics.
	Failure string `json:"failure,omitempty"`
}

// Change is a part of a state that a step changes: see itf.Change.
type Change struct {
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
	Why []wire.Reason `json:"why,omitempty"`
}
