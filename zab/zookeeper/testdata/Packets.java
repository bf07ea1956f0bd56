// Writes messages with ZooKeeper's own classes: a line each, with the stream that it belongs to, its type and its bytes. How
// packets.txt was made, with the jars of Debian's packages zookeeper and libzookeeper-java:
//
//	java -cp /usr/share/java/zookeeper.jar:/usr/share/java/zookeeper-jute.jar:/usr/share/java/slf4j-api.jar:/usr/share/java/metrics-core.jar \
//	    Packets.java 2>/dev/null >packets.txt

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.quorum.FastLeaderElection;
import org.apache.zookeeper.server.quorum.LearnerInfo;
import org.apache.zookeeper.server.quorum.QuorumAuthPacket;
import org.apache.zookeeper.server.quorum.QuorumPacket;
import org.apache.zookeeper.server.util.SerializeUtils;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.TxnHeader;

public class Packets {
    interface Body {
        void write(BinaryOutputArchive out) throws Exception;
    }

    static byte[] bytes(Body body) throws Exception {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        body.write(BinaryOutputArchive.getArchive(to));
        return to.toByteArray();
    }

    static byte[] record(Record... records) throws Exception {
        return bytes(out -> {
            for (Record r : records) {
                r.serialize(out, "record");
            }
        });
    }

    static void line(String stream, String type, byte[] b) {
        StringBuilder hex = new StringBuilder();
        for (byte x : b) {
            hex.append(String.format("%02x", x));
        }
        System.out.println(stream + " " + type + " " + hex);
    }

    static void packet(String stream, String name, int type, long zxid, byte[] data) throws Exception {
        line(stream, name, record(new QuorumPacket(type, zxid, data, null)));
    }

    static long zxid(long epoch, long counter) {
        return epoch << 32 | counter;
    }

    static byte[] txn() throws Exception {
        byte[] large = new byte[6000];
        Arrays.fill(large, (byte) 7);
        return record(new TxnHeader(77, 5, zxid(3, 9), 1234567890123L, 5), new SetDataTxn("/a", large, 2));
    }

    static DataTree tree() throws Exception {
        DataTree tree = new DataTree();
        tree.createNode("/a", "BenWasHere".getBytes(), ZooDefs.Ids.OPEN_ACL_UNSAFE, 0, 1, zxid(3, 1), 5);
        tree.createNode("/b", null, ZooDefs.Ids.READ_ACL_UNSAFE, 0, 1, zxid(3, 2), 6);
        tree.createNode("/b/c", new byte[10000], ZooDefs.Ids.CREATOR_ALL_ACL, 99, 1, zxid(3, 3), 7);
        return tree;
    }

    public static void main(String[] args) throws Exception {
        line("learner", "AUTH", record(new QuorumAuthPacket(6855662812065295820L, 0, new byte[300])));
        line("leader", "AUTH", record(new QuorumAuthPacket(6855662812065295820L, 1, null)));
        packet("learner", "FOLLOWERINFO", 11, zxid(2, 0), record(new LearnerInfo(4, 0x10000, 6)));
        packet("learner", "OBSERVERINFO", 16, zxid(2, 0), bytes(out -> {
            out.writeLong(4, "serverid");
            out.writeInt(0x10000, "protocolVersion"); // as 3.4
        }));
        packet("leader", "LEADERINFO", 17, zxid(3, 0), ByteBuffer.allocate(4).putInt(0x10000).array());
        packet("learner", "ACKEPOCH", 18, zxid(2, 41), ByteBuffer.allocate(4).putInt(2).array());
        packet("leader", "DIFF", 13, zxid(2, 42), null);
        packet("leader", "TRUNC", 14, zxid(2, 40), null);
        packet("leader", "SNAP", 15, zxid(3, 3), null);
        line("leader", "SNAPSHOT", bytes(out -> {
            Map<Long, Integer> sessions = new TreeMap<>(Map.of(5L, 30000, 6L, 40000));
            SerializeUtils.serializeSnapshot(tree(), out, sessions);
            out.writeString("BenWasHere", "signature");
        }));
        packet("leader", "PROPOSAL", 2, zxid(3, 9), txn());
        line("leader", "PROPOSAL", record(new QuorumPacket(2, zxid(3, 9), txn(), List.of(new Id("digest", "me:secret"), new Id("ip", "")))));
        packet("leader", "COMMIT", 4, zxid(3, 9), null);
        packet("leader", "NEWLEADER", 10, zxid(3, 0), "server.1=here:2888:3888\nversion=0".getBytes());
        packet("learner", "ACK", 3, zxid(3, 0), null);
        packet("leader", "UPTODATE", 12, -1, null);
        packet("leader", "PING", 5, zxid(3, 9), null);
        packet("learner", "PING", 5, zxid(3, 9), bytes(out -> {
            for (long id = 5; id < 8; id++) {
                out.writeLong(id, "id");
                out.writeInt(30000, "timeout");
            }
        }));
        packet("learner", "PING", 5, zxid(3, 9), new byte[0]);
        packet("learner", "REVALIDATE", 6, -1, bytes(out -> {
            out.writeLong(5, "id");
            out.writeInt(30000, "timeout");
        }));
        packet("leader", "REVALIDATE", 6, -1, bytes(out -> {
            out.writeLong(5, "id");
            out.writeBool(true, "valid");
        }));
        packet("learner", "REQUEST", 1, -1, bytes(out -> {
            out.writeLong(77, "client");
            out.writeInt(5, "cxid");
            out.writeInt(9, "type");
            out.writeString("/a", "path");
        }));
        packet("leader", "SYNC", 7, 0, null);
        packet("leader", "INFORM", 8, zxid(3, 9), txn());
        packet("leader", "COMMITANDACTIVATE", 9, zxid(3, 10), ByteBuffer.allocate(8).putLong(2).array());
        packet("leader", "INFORMANDACTIVATE", 19, zxid(3, 10), bytes(out -> {
            out.writeLong(2, "leader");
            new TxnHeader(77, 6, zxid(3, 10), 1234567890124L, 16).serialize(out, "header");
        }));

        line("v1", "HELLO", bytes(out -> {
            out.writeLong(-65536, "version");
            out.writeLong(3, "sid");
            out.writeBuffer("10.0.0.3:3888".getBytes(), "address");
        }));
        line("v2", "HELLO", bytes(out -> {
            out.writeLong(-65535, "version");
            out.writeLong(3, "sid");
            out.writeBuffer("10.0.0.3:3888|10.1.0.3:3888".getBytes(), "addresses");
        }));
        line("v0", "HELLO", bytes(out -> out.writeLong(3, "sid")));
        line("v1", "AUTH", record(new QuorumAuthPacket(6855662812065295820L, 0, new byte[20])));
        Method old = FastLeaderElection.class.getDeclaredMethod("buildMsg", int.class, long.class, long.class, long.class, long.class);
        Method now = FastLeaderElection.class.getDeclaredMethod("buildMsg", int.class, long.class, long.class, long.class, long.class, byte[].class);
        old.setAccessible(true);
        now.setAccessible(true);
        byte[] config = "server.1=here:2888:3888\nversion=0".getBytes();
        ByteBuffer[] votes = {
            (ByteBuffer) old.invoke(null, 0, 3L, zxid(2, 41), 8L, 2L),
            (ByteBuffer) now.invoke(null, 2, 3L, zxid(2, 41), 8L, 2L, config),
        };
        for (ByteBuffer vote : votes) {
            byte[] body = vote.array();
            for (String stream : new String[] {"v0", "v1", "v2", "answer"}) {
                line(stream, "NOTIFICATION", bytes(out -> out.writeBuffer(body, "vote")));
            }
        }
        for (int n : new int[] {28, 36}) {
            byte[] body = Arrays.copyOf(votes[0].array(), n);
            line("answer", "NOTIFICATION", bytes(out -> out.writeBuffer(body, "vote")));
        }
    }
}
