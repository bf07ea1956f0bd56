module github.com/multigrain/multigrain/raft/etcdraft/testdata/v3.4.7

go 1.26.0

require (
	github.com/multigrain/multigrain v0.0.0
	go.etcd.io/etcd v0.0.0-20200401174654-e694b7bb0875
)

require (
	github.com/gogo/protobuf v1.2.1 // indirect
	github.com/golang/protobuf v1.3.2 // indirect
)

replace github.com/multigrain/multigrain => ../../../..
