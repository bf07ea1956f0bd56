package tla

// Contacts is a set of records [sid, connected].
type Contacts struct{ Sids, Connected Set }

// Elector is a record of electing, keyed by its sid.
type Elector struct {
	PeerLastZxid Zxid
	InQuorum     bool
}

// Synced returns the PeerLastZxid of a learner that the leader has synchronised: <<-1, -1>>.
func Synced() Zxid { return Zxid{-1, -1} }

// ConnectInfo is connectInfo without its sid, which LeaderAddr holds.
type ConnectInfo struct {
	SyncMode Kind // DIFF, TRUNC or SNAP after that message; always NoKind in MSPEC_2
	NlRcv    bool // NEWLEADER has been processed
}
