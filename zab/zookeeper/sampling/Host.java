import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * Host runs the servers of one ensemble as threads. It reads a command a line, "start SERVER FILE"
 * or "stop SERVER", and answers "@started SERVER", "@stopped SERVER" or "@failed SERVER REASON". A
 * server that ends without a command is answered by "@ended SERVER REASON". The end of its input
 * ends the process.
 */
public final class Host {
    private static final class Server extends QuorumPeerMain {
        volatile boolean stopping;
        Thread thread;

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
