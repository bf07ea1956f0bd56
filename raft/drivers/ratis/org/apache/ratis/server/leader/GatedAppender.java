package org.apache.ratis.server.leader;

import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLogIOException;

/** The library's own appender, which waits at a gate before it makes a request. */
public class GatedAppender extends LogAppenderDefault {
    private final Consumer<LogAppender> gate;

    public GatedAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower, Consumer<LogAppender> gate) {
        super(server, leader, follower);
        this.gate = gate;
    }

    @Override
    public AppendEntriesRequestProto newAppendEntriesRequest(long callId, boolean heartbeat) throws RaftLogIOException {
        gate.accept(this);
        return super.newAppendEntriesRequest(callId, heartbeat);
    }
}
