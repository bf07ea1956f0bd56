package org.apache.ratis.server.impl;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import multigrain.Driver;
import multigrain.Stillness;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.*;
import org.apache.ratis.protocol.*;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.*;
import org.apache.ratis.server.leader.*;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.apache.ratis.util.Timestamp;

/**
 * Unmodified Ratis servers in one process, with an RpcType of the driver.
 *
 * A call of one server to another waits in the network, and so does its answer; the thread that
 * calls sleeps until then. No timeout is shorter than a walk. A step begins what it stands for, and
 * ends when all threads sleep. Appenders make their requests one after another, when all else sleeps.
 */
public class RatisDriver extends Driver {
    static final TimeDuration LONG = TimeDuration.valueOf(240, java.util.concurrent.TimeUnit.HOURS);
    static RatisDriver driver;

    /** A call from i to j: a request, and in the end an answer. */
    static final class Call {
        final int i, j;
        final Object request;
        Object answer;
        final CompletableFuture<Object> future = new CompletableFuture<>();

        Call(int i, int j, Object request) {
            this.i = i;
            this.j = j;
            this.request = request;
        }
    }

    private Network<Call> network;
    private final Map<String, CountDownLatch> gates = Collections.synchronizedMap(new TreeMap<>());
    private final List<RaftServer> servers = new ArrayList<>();
    private final List<RaftServerImpl> nodes = new ArrayList<>();
    private RaftGroup group;
    private Path folder;
    private boolean preVote;
    private long proposed;

    RatisDriver() {
        driver = this;
        name = "ratis";
        variables = List.of("Term", "Vote", "Role", "Lead", "Log", "Commit", "Fresh", "Next", "Match", "Net");
        needs = List.of("Proposed");
        patience = 240; // a busy machine lets a server wait
        for (String request : List.of("HandleVote", "HandleAppend")) {
            actions.put(request, this::handle);
            actions.put(request + "Reply", this::answer);
        }
        actions.put("Lose", s -> {
            fail(network.find(s.i(), s.j(), c -> c.i == s.i() && c.j == s.j()));
            settle();
        });
        actions.put("Timeout", s -> {
            nodes.get(s.i()).changeToCandidate(false);
            settle();
        });
        actions.put("Pass", s -> {
            Field last = FollowerState.class.getDeclaredField("lastRpcTime");
            last.setAccessible(true);
            last.set(nodes.get(s.i()).getRole().getFollowerState().get(), Timestamp.currentTime().addTime(LONG.negate()));
        });
        actions.put("Beat", s -> {
            appenders(s.i()).get(s.j()).triggerHeartbeat();
            settle();
        });
        actions.put("Propose", s -> {
            byte command = ((Number) s.after().get("Proposed")).byteValue();
            nodes.get(s.i()).submitClientRequestAsync(RaftClientRequest.newBuilder().setClientId(ClientId.randomId())
                .setServerId(id(s.i())).setGroupId(group.getGroupId()).setCallId(++proposed)
                .setMessage(Message.valueOf(ByteString.copyFrom(new byte[] {command}))).setType(RaftClientRequest.writeRequestType()).build());
            settle();
        });
        actions.put("Restart", s -> {
            close(servers.get(s.i()));
            network.all(c -> c.i == s.i()).forEach(this::fail);
            start(s.i(), RaftStorage.StartupOption.RECOVER);
            settle();
        });
    }

    static RaftPeerId id(int i) { return RaftPeerId.valueOf("n" + i); }
    static int number(Object id) { return Integer.parseInt(id.toString().substring(1)); }
    static int number(ByteString id) { return number(RaftPeerId.valueOf(id)); }

    /** Delivers a request: its receiver handles it, and its answer is in flight. */
    private void handle(Step s) throws Exception {
        Call c = network.find(s.j(), s.i(), x -> x.j == s.i() && x.request instanceof RequestVoteRequestProto == s.action().equals("HandleVote"));
        network.lose(c);
        RaftServerImpl server = nodes.get(s.i());
        CompletableFuture<Object> handled = new CompletableFuture<>();
        new Thread(() -> {
            try {
                handled.complete(c.request instanceof RequestVoteRequestProto r ? server.requestVote(r) : server.appendEntries((AppendEntriesRequestProto) c.request));
            } catch (IOException | RuntimeException e) {
                handled.completeExceptionally(e);
            }
        }, "handler").start();
        settle();
        if (!handled.isDone()) {
            throw new Refused("the library does not answer a request");
        }
        c.answer = handled.get();
        network.send(s.i(), s.j(), c);
    }

    private void answer(Step s) throws Exception {
        Call c = network.find(s.j(), s.i(), x -> x.i == s.i() && x.request instanceof RequestVoteRequestProto == s.action().equals("HandleVoteReply"));
        network.lose(c);
        c.future.complete(c.answer);
        settle();
    }

    private void fail(Call c) {
        network.lose(c);
        c.future.completeExceptionally(new IOException("a message was lost"));
    }

    /** What a thread of server i does that calls another server. */
    private Object call(int i, RaftRpcRequestProto to, Object request) throws IOException {
        Call c = new Call(i, number(to.getReplyId()), request);
        network.send(i, c.j, c);
        try {
            return c.future.get();
        } catch (InterruptedException e) { // the server gave up
            network.lose(c);
            throw new InterruptedIOException("the call is given up");
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    /** What an appender does before it makes a request: it waits for settle. */
    private void gate(LogAppender a) {
        CountDownLatch open = new CountDownLatch(1);
        String key = a.getServer().getId() + " " + a.getFollowerId();
        gates.put(key, open);
        try {
            open.await();
        } catch (InterruptedException e) {
            gates.remove(key, open);
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the threads run until nothing happens any more. */
    private void settle() throws IOException {
        do {
            if (!Stillness.wait(patience / 2)) {
                throw new Refused("the threads of the library do not come to rest");
            }
        } while (pass());
    }

    /** Opens the first gate, or ends the calls of an election that is over: the library would wait for their timeout. */
    private boolean pass() {
        synchronized (gates) {
            for (String key : gates.keySet()) {
                gates.remove(key).countDown();
                return true;
            }
        }
        List<Call> over = network.all(c -> c.request instanceof RequestVoteRequestProto
            && !nodes.get(c.i).getInfo().isCandidate());
        over.forEach(this::fail);
        return !over.isEmpty();
    }

    /** The network of server i. */
    static final class Rpc implements RaftServerRpc {
        private final RaftServer server;

        Rpc(RaftServer server) { this.server = server; }

        public RequestVoteReplyProto requestVote(RequestVoteRequestProto r) throws IOException {
            return (RequestVoteReplyProto) driver.call(number(server.getId()), r.getServerRequest(), r);
        }

        public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto r) throws IOException {
            return (AppendEntriesReplyProto) driver.call(number(server.getId()), r.getServerRequest(), r);
        }

        public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto r) { throw new Failed(server.getId() + " sends a snapshot"); }
        public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto r) { throw new Failed(server.getId() + " gives its leadership away"); }
        public void start() {}
        public void close() {}
        public InetSocketAddress getInetSocketAddress() { return null; }
        public RpcType getRpcType() { return new Type(); }
        public void addRaftPeers(java.util.Collection<RaftPeer> peers) {}
        public void handleException(RaftPeerId server, Exception e, boolean reconnect) {}
    }

    public static final class Type implements RpcType {
        public String name() { return Type.class.getName(); }

        public ServerFactory newFactory(Parameters parameters) {
            return new ServerFactory() {
                public RpcType getRpcType() { return Type.this; }
                public RaftServerRpc newRaftServerRpc(RaftServer server) { return new Rpc(server); }
                public LogAppender newLogAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
                    return new GatedAppender(server, leader, follower, driver::gate);
                }
            };
        }
    }

    @Override
    protected void begin(Map<String, Object> settings, String version) { preVote = !"false".equals(settings.get("prevote")); }

    @Override
    protected void reset(int n) throws Exception {
        servers.parallelStream().forEach(RatisDriver::close);
        erase(folder);
        folder = Files.createTempDirectory(Path.of(System.getenv().getOrDefault("TMPDIR", "/tmp")), "ratis");
        servers.clear();
        nodes.clear();
        network = new Network<>(n);
        proposed = 0;
        group = RaftGroup.valueOf(RaftGroupId.valueOf(new UUID(1, 1)), IntStream.range(0, n).mapToObj(i -> RaftPeer.newBuilder().setId(id(i)).build()).toList());
        for (int i = 0; i < n; i++) {
            servers.add(null);
            nodes.add(null);
            start(i, RaftStorage.StartupOption.FORMAT);
        }
        settle();
    }

    /** Closes a server of which all threads sleep. The one that writes the log would notice at the end of a wait of a second. */
    private static void close(RaftServer server) {
        Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().matches(server.getId() + "@.*-SegmentedRaftLogWorker")).forEach(Thread::interrupt);
        try {
            server.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void erase(Path folder) {
        if (folder != null) {
            try {
                org.apache.ratis.util.FileUtils.deleteFully(folder);
            } catch (IOException e) {
                System.err.println(folder + " stays: " + e);
            }
        }
    }

    private void start(int i, RaftStorage.StartupOption option) throws Exception {
        RaftProperties p = new RaftProperties();
        org.apache.ratis.RaftConfigKeys.Rpc.setType(p, new Type());
        RaftServerConfigKeys.setStorageDir(p, List.of(new File(folder.toFile(), "n" + i)));
        RaftServerConfigKeys.Rpc.setTimeoutMin(p, LONG);
        RaftServerConfigKeys.Rpc.setTimeoutMax(p, LONG);
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, LONG);
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, LONG);
        RaftServerConfigKeys.Rpc.setSlownessTimeout(p, LONG);
        RaftServerConfigKeys.Rpc.setSleepTime(p, TimeDuration.ZERO);
        RaftServerConfigKeys.Notification.setNoLeaderTimeout(p, LONG);
        RaftServerConfigKeys.LeaderElection.setPreVote(p, preVote);
        RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
        RaftServerConfigKeys.Log.setSegmentSizeMax(p, SizeInBytes.valueOf("64KB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(p, SizeInBytes.valueOf("4KB"));
        RaftServerConfigKeys.Log.setWriteBufferSize(p, SizeInBytes.valueOf("16KB"));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, SizeInBytes.valueOf("4KB"));
        RaftServer server = RaftServer.newBuilder().setServerId(id(i)).setGroup(group).setProperties(p).setOption(option).setStateMachine(new BaseStateMachine()).build();
        servers.set(i, server);
        server.start();
        nodes.set(i, (RaftServerImpl) server.getDivision(group.getGroupId()));
    }

    private Map<Integer, LogAppender> appenders(int i) {
        Map<Integer, LogAppender> out = new TreeMap<>();
        nodes.get(i).getRole().getLeaderState().ifPresent(l -> l.getLogAppenders().forEach(a -> out.put(number(a.getFollowerId()), a)));
        return out;
    }

    private static Map<String, Object> record(Object... pairs) {
        Map<String, Object> out = new LinkedHashMap<>();
        for (int k = 0; k < pairs.length; k += 2) {
            out.put((String) pairs[k], pairs[k + 1]);
        }
        return out;
    }

    private static Object entry(LogEntryProto e) {
        int value = e.hasStateMachineLogEntry() ? e.getStateMachineLogEntry().getLogData().byteAt(0) : 0;
        return record("Term", e.getTerm(), "Value", value);
    }

    /** Indexes of the library begin with 0, and those of the specification with 1. */
    private static Object show(Call c) {
        if (c.answer instanceof RequestVoteReplyProto r) {
            return record("Kind", "RequestVoteReply", "Term", r.getTerm(), "Granted", r.getServerReply().getSuccess(), "LogTerm", r.getLastEntry().getTerm());
        } else if (c.answer instanceof AppendEntriesReplyProto r) {
            return record("Kind", "AppendEntriesReply", "Term", r.getTerm(), "Result", word(r.getResult()), "Index", r.getNextIndex() + 1, "Heartbeat", r.getIsHearbeat());
        } else if (c.request instanceof RequestVoteRequestProto r) {
            TermIndexProto last = r.getCandidateLastEntry();
            return record("Kind", "RequestVote", "Term", r.getCandidateTerm(), "Pre", r.getPreVote(), "Index", r.hasCandidateLastEntry() ? last.getIndex() + 1 : 0, "LogTerm", last.getTerm());
        }
        AppendEntriesRequestProto r = (AppendEntriesRequestProto) c.request;
        return record("Kind", "AppendEntries", "Term", r.getLeaderTerm(), "Index", r.hasPreviousLog() ? r.getPreviousLog().getIndex() + 1 : 0,
            "LogTerm", r.getPreviousLog().getTerm(), "Commit", r.getLeaderCommit() + 1, "Entries", r.getEntriesList().stream().map(RatisDriver::entry).toList());
    }

    @Override
    protected Map<String, Object> observe() throws Exception {
        Map<String, Object> out = new LinkedHashMap<>();
        int n = nodes.size();
        for (int i = 0; i < n; i++) {
            RaftServerImpl node = nodes.get(i);
            ServerState state = node.getState();
            RaftLog log = state.getLog();
            List<Object> entries = new ArrayList<>();
            for (long k = 0; k < log.getNextIndex(); k++) {
                entries.add(entry(log.get(k)));
            }
            Map<Integer, LogAppender> appenders = appenders(i);
            Map<String, Object> row = record("Term", state.getCurrentTerm(), "Vote", state.getVotedFor() != null && state.getVotedFor().toString().isEmpty() ? "Nobody" : server(state.getVotedFor()),
                "Role", word(node.getInfo().getCurrentRole()), "Lead", server(state.getLeaderId()), "Log", entries,
                "Commit", log.getLastCommittedIndex() + 1,
                "Fresh", node.getRole().getFollowerState().map(FollowerState::isCurrentLeaderValid).orElse(false),
                "Next", IntStream.range(0, n).mapToObj(j -> appenders.containsKey(j) ? appenders.get(j).getFollower().getNextIndex() + 1 : 0).toList(),
                "Match", IntStream.range(0, n).mapToObj(j -> appenders.containsKey(j) ? appenders.get(j).getFollower().getMatchIndex() + 1 : 0).toList());
            row.forEach((key, value) -> ((List<Object>) out.computeIfAbsent(key, k -> new ArrayList<>())).add(value));
        }
        out.put("Net", network.observed(RatisDriver::show));
        return out;
    }

    /** The name of a value of the library in the specification: NOT_LEADER is NotLeader. */
    private static String word(Enum<?> value) {
        StringBuilder out = new StringBuilder();
        for (String part : value.name().split("_")) {
            out.append(part, 0, 1).append(part.substring(1).toLowerCase());
        }
        return out.toString();
    }

    private static Object server(RaftPeerId id) { return id == null ? "None" : number(id); }

    public static void main(String[] args) throws Exception { new RatisDriver().serve(); }
}
