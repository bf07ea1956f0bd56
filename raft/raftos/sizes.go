package raftos

// What a manifest sets.
const (
	// Servers is the size of the cluster.
	Servers = 3
	// MaxTerm is the last term; the library begins in term 0.
	MaxTerm = 9
	// MaxRequests is the number of commands that clients give along a behaviour.
	MaxRequests = 8
	// MaxQueue is the number of messages in flight from one server to another.
	MaxQueue = 24
	// MaxWire is the number of messages in flight altogether, for the constraint "wire".
	MaxWire = 60

	// Release is the version of the library, or "repaired".
	Release = "0.2.6"
)

// repaired has what the tickets 25, 26 and 27 and pull request 30 propose, and counts votes of the
// candidate's term only, to a real majority. No release has it.
const repaired = Release == "repaired"

// MaxLog is the longest log: the commands.
const MaxLog = MaxRequests

// Quorum is the least number of servers that is a majority.
const Quorum = Servers/2 + 1

// isMajority is the library's test. It counts the others only, so half of an even number of servers
// is a majority.
//
// Code: State.is_majority, Node.cluster_count.
func isMajority(count Number) bool {
	if repaired {
		return count >= Quorum
	}
	return count > (Servers-1)/2
}
