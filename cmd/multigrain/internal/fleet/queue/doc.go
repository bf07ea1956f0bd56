// Package queue keeps runs of jobs on NATS with JetStream: their jobs, their results and who works
// on them. It is the only package that imports NATS, and it knows nothing of verbs and manifests.
//
// A run has a record in a bucket of all runs. Its list of jobs is in an object store. Workers pull
// from a stream with one subject for each job. JetStream delivers a job again when its worker no
// longer reports progress. The first result of a job stays: a second one, from a worker that
// was assumed to be dead, is ignored. So each job counts once.
//
//	coordinator --publish--> stream multigrain-RUN  --pull----> workers
//	coordinator <--watch---- bucket multigrain-RUN  <--create-- workers
//
// Invariant: a job whose message was acknowledged has a result.
//
// Parts of one search send each other messages that no server stores: see Seat.
package queue
