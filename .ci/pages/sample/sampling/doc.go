// Package sampling samples executions of real ZooKeeper servers in which servers are isolated for
// a phase, and judges them at their end. It needs no specification and no code points.
//
// # Executions
//
// The method is algorithm 1 of "Testing consensus implementations using communication closure"
// (OOPSLA 2020) in the form of the paper's section 7.3. A Harness is a list of steps: a request at
// one server, a conditional request, or none. A Schedule gives each step its kernel, the servers
// that take part, and the servers of the kernel that are isolated before the request:
//
//	H = s1: k0=101; empty; s2: k1=302      S = 01-0, 02, 12
//
//	begin   all servers serve, and all keys are set to 0
//	01-0    servers 0 and 1 serve; server 0 is isolated; s1 gets k0=101; all are isolated
//	02      servers 0 and 2 serve; all are isolated
//	12      servers 1 and 2 serve; s2 gets k1=302; all are isolated
//	end     all servers serve, and the execution is judged
//
// A step without a request is one phase, and one with a request is two, or three with Late. An
// isolation of a server is a fault. Space counts the schedules with exactly d faults, as in the
// paper's section 7.3, or with at most d, as in its section 6.2. It draws one by its number. So
// each has the same probability, which is known.
//
// # Isolation
//
// With Stop a server is stopped and started again, as in the paper. With Disconnect it keeps
// running, and links of package zookeeper break its connections to all other servers. Then nothing
// is lost but messages.
//
// With Late an isolated server stays connected, and proposals do not reach it until the step ends.
// A leader proposes to itself, too: its own log waits, and continues before the step ends. A server
// may also be isolated after the request. Then its connections break once, it joins again, and is
// late from then on. So an acknowledgement can be older than the log that it was for:
//
//	012-12-0   servers 1 and 2 are late; s2 gets k0=101, which server 0 logs; server 0 joins again
//
// Links of package zookeeper withhold the proposals, and what follows them on a connection. They
// are lost when the connection ends. The log waits in Host.java, before it appends. Between steps
// servers are stopped.
//
// # Judgement
//
//   - Convergence: all servers serve again within a time, and have equal values.
//   - Sequential consistency: some order of all requests, which keeps the order of each server's
//     client, explains what clients read and the values at the end. A request without an answer may
//     have taken effect, and a request that no server received has not.
//   - Bounded liveness: after healing every server serves within Options.Patience.
//
// # Cost
//
// The servers of an ensemble are threads of one JVM that runs the released jars. Host.java starts
// and stops them with ZooKeeper's own classes. Each execution begins with empty folders and new
// servers. Only the JVM stays, and with it static fields of ZooKeeper's classes. A JVM that ends,
// or an execution with a finding, is followed by a new JVM.
package sampling
