package raft

// Versions of the library, the values of the option "variant". Each constant is something that some
// versions do and others do not; other code reads the constants and no version's name.
const (
	// contextsOfClients: heartbeats that confirm a read carry the context that the client gave it.
	// From v3.7.0 on they carry a number of the leader's. Pull request 397, commit 63903dd, after
	// etcd issue 20418. read_only.go:56-65, raft.go:2142-2152@v3.6.0; read_only.go:56-58,
	// raft.go:2146-2156@v3.7.0.
	contextsOfClients = Variant == "v3.6.0"
)
