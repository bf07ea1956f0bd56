package itf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// graph is a counterexample as TLC writes it with -dumpTrace json: states with their numbers from
// 1, and actions between two of them. Newer versions put it into an object, with the variables.
type graph struct {
	State  [][]json.RawMessage `json:"state"`  // number, state
	Action [][]json.RawMessage `json:"action"` // [number, state], action, [number, state]
}

// tlcAction is an action. Context has the values of its quantified variables.
type tlcAction struct {
	Name    string          `json:"name"`
	Context json.RawMessage `json:"context"`
}

// fromTLC returns the states of a counterexample of TLC, as ITF has them, and where it loops. Ok is
// false if the document is none.
func fromTLC(src []byte) (states []json.RawMessage, loop *int, ok bool, err error) {
	var doc struct {
		graph
		Counterexample *graph `json:"counterexample"`
	}
	if json.Unmarshal(src, &doc) != nil {
		return nil, nil, false, nil
	}
	g := &doc.graph
	if doc.Counterexample != nil {
		g = doc.Counterexample
	}
	if len(g.State) == 0 {
		return nil, nil, false, nil
	}
	byNumber := map[int]json.RawMessage{}
	for _, s := range g.State {
		n, state, err := numbered(s)
		if err != nil {
			return nil, nil, true, err
		}
		byNumber[n] = state
	}
	taken := map[int]tlcAction{} // by the number of the state that it leads to
	for k, a := range g.Action {
		var from, to []json.RawMessage
		var by tlcAction
		if len(a) != 3 || json.Unmarshal(a[0], &from) != nil || json.Unmarshal(a[1], &by) != nil || json.Unmarshal(a[2], &to) != nil {
			return nil, nil, true, fmt.Errorf("action %d is no list of a state, an action and a state", k+1)
		}
		before, _, err := numbered(from)
		if err != nil {
			return nil, nil, true, err
		}
		after, _, err := numbered(to)
		if err != nil {
			return nil, nil, true, err
		}
		if after <= before { // the behaviour goes back
			at := after - 1
			loop = &at
			continue
		}
		taken[after] = by
	}
	for n := 1; n <= len(byNumber); n++ {
		state, has := byNumber[n]
		if !has {
			return nil, nil, true, fmt.Errorf("there are %d states and none has the number %d", len(byNumber), n)
		}
		one, err := withAction(state, taken[n])
		if err != nil {
			return nil, nil, true, fmt.Errorf("state %d: %w", n, err)
		}
		states = append(states, one)
	}
	return states, loop, true, nil
}

// numbered reads a state with its number.
func numbered(s []json.RawMessage) (n int, state json.RawMessage, err error) {
	if len(s) != 2 || json.Unmarshal(s[0], &n) != nil {
		return 0, nil, fmt.Errorf("a state is no list of its number and its variables")
	}
	return n, s[1], nil
}

// withAction adds to a state the action that leads to it, as ITF has it.
func withAction(state json.RawMessage, by tlcAction) (json.RawMessage, error) {
	text := bytes.TrimSpace(state)
	if len(text) < 2 || text[0] != '{' {
		return nil, fmt.Errorf("it is not an object")
	}
	if by.Name == "" {
		return text, nil
	}
	name, err := json.Marshal(by.Name)
	if err != nil {
		return nil, err
	}
	head := slices.Concat([]byte(`{"`+actionTaken+`":`), name)
	if c := bytes.TrimSpace(by.Context); len(c) > 2 && c[0] == '{' {
		head = slices.Concat(head, []byte(`,"`+nondetPicks+`":`), c)
	}
	if rest := bytes.TrimSpace(text[1:]); rest[0] != '}' {
		head = append(head, ',')
	}
	return append(head, text[1:]...), nil
}
