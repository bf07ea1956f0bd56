package phases

import "github.com/multigrain/multigrain/modules"

// Server identifies a server, 0 to Servers-1.
type Server int8

// Step is how far a server has come in the phase that it joined.
type Step uint8

// Steps of a phase.
const (
	Waiting  Step = iota // it has joined no phase
	Joined               // it has sent its log to the leader
	Taken                // it has taken over the leader's log
	Promised             // it has sent its promise
	Done                 // it has output the log
)

// Log is a sequence of commands. A command is the phase whose leader added it.
type Log = modules.Seq[uint8, [MaxPhases]uint8]

// Answer is the knowledge of a leader about the log of a server that joined its phase.
type Answer struct {
	Date uint8
	Log  Log
}

// State holds the variables, each an array over the servers, and the messages.
type State struct {
	Phase    [Servers]uint8 // the phase that the server joined, from 1; 0: none
	Step     [Servers]Step
	Date     [Servers]uint8 // the phase that dates Log
	Log      [Servers]Log
	Answers  [Servers]modules.Map[Server, Answer, [Servers]Answer] // of a leader in its phase
	Promises [Servers]modules.Set[Server]                          // who promised in the phase

	// Output is a ghost variable: by phase, the log that was output.
	Output [MaxPhases + 1]Log

	Msgs Net
}

// Kind is the type of a message.
type Kind uint8

// Kinds of messages.
const (
	_ Kind = iota
	PREPARE
	ACK
	PROPOSE
	PROMISE
)

// Msg is a message of any kind. Fields that a kind does not have are zero.
type Msg struct {
	Kind  Kind
	Phase uint8
	Date  uint8 // of ACK: the phase that dates Log
	Log   Log   // of ACK and PROPOSE
}

// Channel holds the messages in flight from one server to another, without an order. Net holds
// those between all servers.
type (
	Channel = modules.Channel[Msg, [MaxChannel]Msg]
	Net     = modules.Bag[Server, Kind, Msg, [MaxChannel]Msg, [Servers]Channel, [Servers][Servers]Channel]
)

// Init yields the initial state: no phase has begun, all logs are empty.
func Init(yield func(State) bool) { yield(State{}) }

// nextOf returns the first phase after Phase[i] that i leads: phase 1 is that of server 0, phase 2
// that of server 1.
func (s *State) nextOf(i Server) uint8 {
	p := s.Phase[i] + 1
	for leaderOf(p) != i {
		p++
	}
	return p
}

func leaderOf(phase uint8) Server { return Server((phase - 1) % Servers) }

// tell sends m to all servers but i.
func (s *State) tell(i Server, m Msg) {
	for j := range Server(Servers) {
		if j != i {
			s.Msgs.Send(i, j, m)
		}
	}
}

// Agreement: of any two outputs one is a prefix of the other.
func Agreement(s *State) bool {
	for p := range s.Output {
		for q := range p {
			a, b := &s.Output[p], &s.Output[q]
			for k := 1; k <= min(a.Len(), b.Len()); k++ {
				if a.At(k) != b.At(k) {
					return false
				}
			}
		}
	}
	return true
}
