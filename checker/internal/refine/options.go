package refine

// Options are the tolerances and limits of a checker. Zero values are the defaults.
type Options struct {
	// Window is how many events after the one under check may be examined. With Total, it is also
	// the number of events within which a produced message must be observed. It must be more than
	// the largest batch. Default 1024.
	Window int
	// Within is how many events later a received message that changes nothing is processed at the
	// latest. Default 4096.
	Within int
	// Budget is how many records one search explores. Default 100000.
	Budget int
	// History is how many committed entries of a log are kept. Default 65536.
	History int
	// Unseen is the most unobserved time-outs in a row: before a crash, near a rest or an end, or
	// where a time-out sends nothing. Where connections may lose messages, they count until all
	// that is produced is observed. Twice as many are searched at a rest where there is no other
	// schedule. Default 3.
	Unseen int
	// Total says that the incoming events are in the order in which the node took them.
	Total bool
	// Steps says, with Total, that the stream has the node's own steps, too: modules.Input.Own.
	Steps bool
	// Verify says of how many states that are met one is compared with what is derived and
	// declared; 0: none.
	Verify int
	// Undeclared ignores the declarations that prune schedules: modules.Runtime.Lazy, Eager,
	// Hidden, Says, Sends, Waits and Merge.
	Undeclared bool
	// NoAsap, NoDomination and NoAhead each leave out a reduction, to measure what it saves.
	// NoAsap: no message is applied as soon as possible. NoDomination: a state stands only for its
	// equals. NoAhead: messages after the one under check are not examined.
	NoAsap, NoDomination, NoAhead bool
	// Keep is how many of the last events are kept for Checker.Parts; 0: none.
	Keep int
	// Complete says that the stream has all kinds of messages of the composition, also if it has no
	// header that says so.
	Complete bool
	// Settings are the values of the composition's options by name. A header of a stream may state
	// some: those of the server. The stream of a server with other ones decides nothing.
	Settings map[string]string
}

func (o Options) withDefaults() Options {
	set := func(x *int, to int) {
		if *x == 0 {
			*x = to
		}
	}
	set(&o.Window, 1024)
	set(&o.Within, 4096)
	set(&o.Budget, 100_000)
	set(&o.History, 65_536)
	set(&o.Unseen, 3)
	return o
}

// Stats count what a checker has done.
type Stats struct {
	Events   int64 `json:"events"`
	In       int64 `json:"in"`
	Out      int64 `json:"out"`
	Inputs   int64 `json:"inputs"`
	Restarts int64 `json:"restarts"`
	Lost     int64 `json:"lost"`
	// Unexplained counts restarts from a reported state to which none of the earlier states leads.
	Unexplained int64 `json:"unexplained_restarts,omitempty"`
	Decided     int64 `json:"decided"` // outgoing messages
	Undecided   int64 `json:"undecided"`
	Searches    int64 `json:"searches"`
	Explored    int64 `json:"explored"`
	Steps       int64 `json:"steps"`
	Largest     int   `json:"largest_search"`
	States      int   `json:"states"`
	MostState   int   `json:"most_states"`
	SumStates   int64 `json:"sum_states"`
	Pending     int64 `json:"sum_pending"`
	Entries     int   `json:"log_entries"`
	Elements    int64 `json:"elements"` // of logs and queues that were read or added
	// Returns counts how often events were checked again since a rest, with what was read after it.
	Returns int64 `json:"returns,omitempty"`
	// LeftOut are the networks that the stream has and the composition has not. The check ignores
	// their events.
	LeftOut []Omission `json:"left_out,omitempty"`
	// Causes are why outgoing messages are undecided.
	Causes []Interval `json:"undecided_intervals,omitempty"`
}

// Interval is a part of the stream in which nothing is decided.
type Interval struct {
	From  int64  `json:"from"` // position of an event, from 1
	To    int64  `json:"to"`
	Out   int64  `json:"out"` // undecided outgoing messages
	Cause string `json:"cause"`
}

// Omission describes events of a stream that the check ignores.
type Omission struct {
	Network string `json:"network"`
	Events  int64  `json:"events"`
}

// leaveOut counts an event of a network.
func (s *Stats) leaveOut(network string) {
	for k := range s.LeftOut {
		if s.LeftOut[k].Network == network {
			s.LeftOut[k].Events++
			return
		}
	}
	s.LeftOut = append(s.LeftOut, Omission{network, 1})
}
