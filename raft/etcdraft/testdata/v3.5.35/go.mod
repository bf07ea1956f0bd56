module github.com/multigrain/multigrain/raft/etcdraft/testdata/v3.5.35

go 1.26.0

require (
	github.com/multigrain/multigrain v0.0.0
	go.etcd.io/etcd/raft/v3 v3.5.35
)

require (
	github.com/gogo/protobuf v1.3.2 // indirect
	github.com/golang/protobuf v1.5.4 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/multigrain/multigrain => ../../../..
