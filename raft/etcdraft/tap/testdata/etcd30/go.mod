module github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/etcd30

go 1.26.0

require github.com/coreos/etcd v3.0.17+incompatible

require (
	github.com/golang/protobuf v1.5.4 // indirect
	golang.org/x/net v0.62.0 // indirect
	google.golang.org/protobuf v1.33.0 // indirect
)
