import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * Host runs the servers of one ensemble as threads. It reads a command a line, "start SERVER FILE"
 * or "stop SERVER", and answers "@started SERVER", "@stopped SERVER" or "@failed SERVER REASON". A
 * server that ends without a command is answered by "@ended SERVER REASON". The end of its input
 * ends the process. After "wait SERVER" the server's log waits before it appends a transaction,
 * until "go SERVER" or "stop SERVER". Both are answered by "@done SERVER".
 */
public final class Host {
    /** Gate is open, or whoever comes waits. */
    private static final class Gate {
        private boolean closed;

        synchronized void set(boolean closed) {
            this.closed = closed;
            notifyAll();
        }

        synchronized void pass() throws IOException {
            while (closed) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }
    }

    /** Peer has a database whose log is behind a gate. */
    private static final class Peer extends QuorumPeer {
        private final Gate gate;

        Peer(Gate gate) throws SaslException {
            this.gate = gate;
        }

        @Override
        public void setZKDatabase(ZKDatabase database) {
            super.setZKDatabase(new ZKDatabase(getTxnFactory()) {
                @Override
                public boolean append(Request request) throws IOException {
                    gate.pass();
                    return super.append(request);
                }
            });
        }
    }

    private static final class Server extends QuorumPeerMain {
        final Gate gate = new Gate();
        volatile boolean stopping;
        Thread thread;

        // Versions before 3.5 do not ask for it: their logs cannot wait.
        protected QuorumPeer getQuorumPeer() throws SaslException {
            return new Peer(gate);
        }

        void setWaiting(boolean yes) {
            if (!(quorumPeer instanceof Peer)) {
                throw new IllegalStateException("the log of this version cannot wait");
            }
            gate.set(yes);
        }

        void run(String name, String file) {
            String reason = "";
            try {
                QuorumPeerConfig config = new QuorumPeerConfig();
                config.parse(file);
                runFromConfig(config);
            } catch (Throwable t) {
                reason = t.toString();
            }
            if (!stopping) {
                say("@ended " + name + " " + reason.replace('\n', ' '));
            }
        }

        void stop() throws Exception {
            stopping = true;
            gate.set(false);
            for (int k = 0; quorumPeer == null && thread.isAlive() && k < 500; k++) {
                Thread.sleep(10);
            }
            if (quorumPeer != null) {
                quorumPeer.shutdown();
                quorumPeer.join(20000);
            }
            thread.join(20000);
            if (thread.isAlive()) {
                throw new IllegalStateException("the thread of the server does not end");
            }
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    public static void main(String[] args) throws Exception {
        Map<String, Server> servers = new ConcurrentHashMap<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", 3);
            String name = words[1];
            if (words[0].equals("start")) {
                Server s = new Server();
                servers.put(name, s);
                s.thread = new Thread(() -> s.run(name, words[2]), "server " + name);
                s.thread.setDaemon(true);
                s.thread.start();
                say("@started " + name);
                continue;
            }
            if (words[0].equals("wait") || words[0].equals("go")) {
                try {
                    servers.get(name).setWaiting(words[0].equals("wait"));
                    say("@done " + name);
                } catch (RuntimeException e) {
                    say("@failed " + name + " " + e);
                }
                continue;
            }
            Server s = servers.remove(name);
            Thread t = new Thread(() -> {
                try {
                    s.stop();
                    say("@stopped " + name);
                } catch (Throwable e) {
                    say("@failed " + name + " " + e);
                }
            });
            t.setDaemon(true);
            t.start();
        }
        Runtime.getRuntime().halt(0);
    }
}
