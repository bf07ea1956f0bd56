import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import multigrain.Driver;
import multigrain.Stillness;

/** A driver that uses each part of the kit. Its nodes send texts, each longer than the one before. */
public class Kit extends Driver {
    static final int MOST = 3;
    private Network<String> net;
    private final List<String> items = new ArrayList<>(), said = new ArrayList<>();
    private String text = "", mood = "";
    private volatile int work;

    Kit() {
        name = "kit";
        variables = List.of("Items", "Mood", "Net", "Work");
        needs = List.of("Stone");
        patience = 30;
        actions.put("Send", s -> net.send(s.i(), s.j(), text += "a"));
        actions.put("Receive", s -> items.add(net.receive(s.j(), s.i(), s.k())));
        actions.put("Duplicate", s -> net.duplicate(s.i(), s.j(), s.k()));
        actions.put("Find", s -> items.add(net.find(s.i(), s.j(), m -> m.length() == s.number("Length"))));
        actions.put("Lose", s -> net.all(m -> m.length() == s.number("Length")).forEach(m -> items.add("lost " + net.lose(m) + net.lose(m))));
        actions.put("Trip", s -> { throw new Failed("node " + s.i() + " trips over " + s.before().get("Stone") + " and " + s.after().get("Stone")); });
        actions.put("Rest", s -> { // a thread that works, and sleeps in between
            Thread worker = new Thread(() -> {
                for (int k = 0; k < 5; k++) {
                    for (long end = System.nanoTime() + 2_000_000; System.nanoTime() < end;) {}
                    work++;
                }
                said.add("worked");
            });
            worker.start();
            if (!Stillness.wait(20)) {
                throw new Refused("the thread does not come to rest");
            }
        });
        actions.put("Spin", s -> { // one that never sleeps
            boolean[] on = {true};
            Thread worker = new Thread(() -> { while (on[0]) { work++; } });
            worker.start();
            boolean still = Stillness.wait(1);
            on[0] = false;
            worker.interrupt();
            throw new Failed("still: " + still);
        });
        actions.put("Throw", s -> { throw new IllegalStateException("the implementation is wrong"); });
    }

    @Override
    protected void begin(Map<String, Object> settings, String version) { mood = settings.get("mood") + " " + version; }

    @Override
    protected void reset(int nodes) {
        if (nodes > MOST) {
            throw new Refused("this driver has at most " + MOST + " nodes");
        }
        net = new Network<>(nodes);
        items.clear();
        text = "";
        work = 0;
        System.out.println("what the implementation prints is no answer");
    }

    @Override
    protected Map<String, Object> observe() {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("Items", List.copyOf(items));
        out.put("Mood", mood);
        out.put("Net", net.observed(m -> Map.of("Text", m)));
        out.put("Work", work);
        return out;
    }

    @Override
    protected List<String> log() {
        List<String> lines = List.copyOf(said);
        said.clear();
        return lines;
    }

    public static void main(String[] args) throws Exception { new Kit().serve(); }
}
