// Package toy is a protocol for tests of the analysis: servers choose a chief, the chief agrees on a term with its crew,
// then it hands out jobs. Choosing and greeting exist at two grains: step by step, and collapsed into one action. Beside the
// right collapsed grain stand wrong ones, each with one mistake.
package toy

import "github.com/multigrain/multigrain/modules"

// Sizes.
const (
	Servers    = 3
	MaxJobs    = 2
	MaxTerm    = 2
	MaxChannel = 4
)

// Eager lets a chief start work before its own term is set: it exists to have an option.
const Eager = false

// Server identifies a server.
type Server int8

// Nobody is no server.
const Nobody Server = -1

// Crew is a set of servers.
type Crew = modules.Set[Server]

// Role is what a server is at the moment.
type Role uint8

// Roles.
const (
	IDLE Role = iota
	MEMBER
	CHIEF
)

// Phase is how far a server has come.
type Phase uint8

// Phases.
const (
	CHOOSING Phase = iota
	GREETING
	WORKING
)

// Kind is the kind of a message.
type Kind uint8

// Kinds.
const (
	HELLO Kind = iota + 1
	WELCOME
	JOB
	REPORT
)

// Msg is a message.
type Msg struct {
	Kind Kind
	Term int8
	Job  uint8
}

// Duty is what a server has been given to do.
type Duty struct {
	Given uint8
	Ended uint8
}

// Mishap numbers the assertions.
type Mishap uint8

// Mishaps.
const (
	WrongTerm Mishap = iota
	UnknownReport
)

type (
	// Jobs is a log of jobs.
	Jobs = modules.Seq[uint8, [MaxJobs]uint8]
	// Queue is a channel.
	Queue = modules.Channel[Msg, [MaxChannel]Msg]
	// Net is the network.
	Net = modules.Net[Server, Kind, Msg, [MaxChannel]Msg, [Servers]Queue, [Servers][Servers]Queue]
	// Raised holds the assertions.
	Raised = modules.Raised[Mishap]
)

// State is the state.
type State struct {
	Role  [Servers]Role
	Phase [Servers]Phase
	Vote  [Servers]Server // choosing alone
	Heard [Servers]Crew   // choosing alone
	Chief [Servers]Server
	Term  [Servers]int8
	Draft [Servers]int8 // greeting alone
	Asked [Servers]bool // greeting alone
	Crew  [Servers]Crew // who has greeted the chief
	Log   [Servers]Jobs
	Duty  [Servers]Duty

	ChiefsOf [MaxTerm + 1]Crew // only a property reads it
	Spare    Jobs              // nobody touches it
	Starts   uint8             // kept by a rule
	Up       Crew
	Mishaps  Raised
	Msgs     Net
}

type (
	// Action is an action of this protocol.
	Action[P any] = modules.Action[State, P]
	// None is no parameter.
	None = modules.None
	// One is an acting server.
	One = modules.One[Server]
	// Pair is an acting server and a peer.
	Pair = modules.Pair[Server]
	// Party is an acting server and a set of servers.
	Party = modules.Party[Server]
)

// Init is the one initial state.
func Init(yield func(State) bool) {
	var s State
	for i := range Servers {
		s.Vote[i], s.Chief[i] = Nobody, Nobody
	}
	s.Up = modules.Below[Server](Servers)
	yield(s)
}

func (s *State) up(i Server) bool     { return s.Up.Has(i) }
func (s *State) idle(i Server) bool   { return s.up(i) && s.Role[i] == IDLE }
func (s *State) chief(i Server) bool  { return s.up(i) && s.Role[i] == CHIEF }
func (s *State) member(i Server) bool { return s.up(i) && s.Role[i] == MEMBER }

// abler orders candidates by the length of their logs, then by number.
func (s *State) abler(i, j Server) bool {
	if a, b := s.Log[i].Len(), s.Log[j].Len(); a != b {
		return a > b
	}
	return i > j
}
