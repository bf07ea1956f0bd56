package reference

import "github.com/multigrain/multigrain/modules"

// Kind is the type of a message.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_   Kind = iota
	RV       // RequestVote request
	RVR      // RequestVote response
	AE       // AppendEntries request
	AER      // AppendEntries response
)

// Msg is a message of any kind. Fields that a kind does not have are zero, so that equal messages
// have equal bytes.
type Msg struct {
	Kind Kind
	Term uint8 // the sender's
	// Index is, in RV, the last index of the candidate's log (li). In AE it is the index before the
	// new entry (prev), in AER the index up to which the logs are known to agree (mi).
	Index uint8
	// LogTerm is the term of the entry at Index in RV (lt) and AE (pt).
	LogTerm uint8
	// Commit is the commit index that AE tells, at most the index of the last entry that it vouches
	// for.
	Commit uint8
	// OK says in RVR that the vote is granted, in AER that the entry before the new one was there.
	OK bool
	// Entry is the new entry in AE; without one it is a heartbeat or a probe.
	Entry Entry
}

// Net holds the messages in flight.
type Net = modules.Net[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [Servers][Servers]Channel]

// Channel holds the messages in flight between two servers.
type Channel = modules.Channel[Msg, [MaxQueue]Msg]

// room reports whether i can send another message to j. It bounds the model: real channels do not
// block here.
func (s *State) room(i, j Server) bool { return s.Msgs.Len(i, j) < MaxQueue }

// carriesEntry reports whether an AE has an entry. Terms start at 1.
func (m *Msg) carriesEntry() bool { return m.Entry.Term != 0 }
