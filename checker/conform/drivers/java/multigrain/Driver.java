package multigrain;

import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The protocol of multigrain's drivers, with the JSON of Gson. A driver puts its actions into a
 * map, and main calls serve:
 *
 * <pre>
 * public class Counter extends Driver {
 *     int count;
 *     Counter() {
 *         name = "counter";
 *         variables = List.of("Count");
 *         actions.put("Add", step -> count++);
 *     }
 *     protected void reset(int nodes) { count = 0; }
 *     protected Map<String, Object> observe() { return Map.of("Count", count); }
 *     public static void main(String[] args) throws Exception { new Counter().serve(); }
 * }
 * </pre>
 *
 * An exception that an action throws ends the process, which is a difference if it happens again.
 * Standard output belongs to the protocol, so what the implementation prints goes to standard error.
 */
public abstract class Driver {
    private static final int PROTOCOL = 1;

    /** The driver cannot do what is asked: the result is undecided. */
    public static class Refused extends RuntimeException {
        public Refused(String text) { super(text); }
    }

    /** The implementation shows what no value of the specification stands for: a difference. */
    public static class Failed extends RuntimeException {
        public Failed(String text) { super(text); }
    }

    /** What an action of the specification stands for. */
    public interface Action {
        void act(Step step) throws Exception;
    }

    /** A step: an action with its parameters, and the values that the driver needs around it. */
    public record Step(String action, Map<String, Object> params, Map<String, Object> before, Map<String, Object> after) {
        /** A parameter that is a number; 0: there is none. */
        public int number(String name) { return params.get(name) instanceof Number n ? n.intValue() : 0; }
        /** The parameters I and J, such as a receiver and a sender. */
        public int i() { return number("I"); }
        public int j() { return number("J"); }
        /** The parameter K, a position in a channel; 1: there is none. */
        public int k() { return params.containsKey("K") ? number("K") : 1; }
    }

    /** Channels from each node to each other one. Nothing moves by itself. Positions count from 1. */
    public static class Network<M> {
        private final List<List<List<M>>> channels = new ArrayList<>();

        public Network(int nodes) {
            for (int i = 0; i < nodes; i++) {
                channels.add(new ArrayList<>());
                for (int j = 0; j < nodes; j++) {
                    channels.get(i).add(new ArrayList<>());
                }
            }
        }

        public synchronized void send(int i, int j, M message) { channels.get(i).get(j).add(message); }

        /** Takes the k-th message from i to j. */
        public synchronized M receive(int i, int j, int k) {
            List<M> channel = channels.get(i).get(j);
            if (k < 1 || k > channel.size()) {
                throw new Refused("from " + i + " to " + j + " there is no message " + k);
            }
            return channel.remove(k - 1);
        }

        /** Puts the k-th message from i to j in flight again. */
        public synchronized void duplicate(int i, int j, int k) {
            M message = receive(i, j, k);
            channels.get(i).get(j).add(k - 1, message);
            send(i, j, message);
        }

        /** The first message from i to j, or the other way, that is meant. */
        public synchronized M find(int i, int j, java.util.function.Predicate<M> meant) {
            return java.util.stream.Stream.concat(channels.get(i).get(j).stream(), channels.get(j).get(i).stream()).filter(meant).findFirst()
                .orElseThrow(() -> new Refused("between " + i + " and " + j + " there is no such message"));
        }

        /** All messages in flight that are meant. */
        public synchronized List<M> all(java.util.function.Predicate<M> meant) {
            return channels.stream().flatMap(List::stream).flatMap(List::stream).filter(meant).toList();
        }

        /** Loses a message wherever it is, and returns whether it was in flight. */
        public synchronized boolean lose(M message) {
            boolean found = false;
            for (List<List<M>> row : channels) {
                for (List<M> channel : row) {
                    found |= channel.removeIf(m -> m == message);
                }
            }
            return found;
        }

        /** The channels as a Net or a Bag of the specification has them. */
        public synchronized List<Object> observed(java.util.function.Function<M, Object> show) {
            return new ArrayList<>(channels.stream().map(row -> row.stream().map(c -> c.stream().map(show).toList()).toList()).toList());
        }
    }

    protected String name = "implementation";
    /** Of the implementation; empty: what the manifest says. */
    protected String version = "";
    protected List<String> variables = List.of();
    /** Variables whose values before and after a step the driver reads. */
    protected List<String> needs = List.of();
    protected final Map<String, Action> actions = new LinkedHashMap<>();
    /** Seconds for an answer. */
    protected int patience = 10;

    /** Called once, with the settings of the implementation block. */
    protected void begin(Map<String, Object> settings, String version) throws Exception {}

    /** Brings the implementation into its initial state. */
    protected abstract void reset(int nodes) throws Exception;

    /** Returns the values of the variables. */
    protected abstract Map<String, Object> observe() throws Exception;

    /** Returns the lines that the implementation has logged since the last call. */
    protected List<String> log() { return List.of(); }

    /** Returns a value of ITF as one of Java: numbers, texts, booleans, lists, and maps. */
    static Object read(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Driver::read).toList();
        }
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        if (map.get("#bigint") instanceof String digits) {
            return Long.valueOf(digits);
        }
        Object inner = map.containsKey("#set") ? map.get("#set") : map.get("#map");
        if (inner != null) {
            return read(inner);
        }
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((k, v) -> out.put((String) k, read(v)));
        return out;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(Map<String, Object> request, String name) {
        return request.get(name) == null ? Map.of() : (Map<String, Object>) read(request.get(name));
    }

    private static String text(Map<String, Object> request, String name) {
        return request.get(name) instanceof String s ? s : "";
    }

    /** Does what a request asks, and returns the value of ok. */
    private Map<String, ?> answer(String what, Map<String, Object> request) throws Exception {
        switch (what) {
        case "hello":
            begin(part(request, "settings"), text(request, "version"));
            return Map.of("protocol", PROTOCOL, "name", name, "version", version.isEmpty() ? text(request, "version") : version,
                "actions", List.copyOf(actions.keySet()), "variables", variables, "needs", needs, "patience", patience);
        case "reset":
            reset(request.get("nodes") instanceof Number n ? n.intValue() : 0);
            return Map.of();
        case "step":
            Action action = actions.get(text(request, "action"));
            if (action == null) {
                throw new Refused("this driver has no action " + text(request, "action"));
            }
            action.act(new Step(text(request, "action"), part(request, "params"), part(request, "before"), part(request, "after")));
            return Map.of();
        case "observe":
            return Map.of("variables", observe());
        case "log":
            return Map.of("lines", log());
        case "stop":
            return Map.of();
        default:
            throw new Refused("this driver does not know the request " + what);
        }
    }

    /** Answers requests until standard input ends, and ends the process with its threads. */
    @SuppressWarnings("unchecked")
    public void serve() throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Gson gson = new Gson();
        String what = "";
        for (String line; !what.equals("stop") && (line = in.readLine()) != null;) {
            Map<String, Object> request = gson.fromJson(line, Map.class), result = new LinkedHashMap<>();
            what = text(request, "do");
            result.put("id", ((Number) request.get("id")).longValue());
            try {
                result.put("ok", answer(what, request));
            } catch (Refused e) {
                result.put("refused", e.getMessage());
            } catch (Failed e) {
                result.put("failed", e.getMessage());
            } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
            out.println(gson.toJson(result));
        }
        System.exit(0); // with what hooks do
    }
}
