module github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/etcd34

go 1.26.0

require go.etcd.io/etcd v0.0.0-20200401174654-e694b7bb0875

require (
	github.com/gogo/protobuf v1.2.1 // indirect
	github.com/golang/protobuf v1.3.2 // indirect
)
