import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.LockSupport;

/** A program to be stopped and read. The argument names what it does. */
public class Probe {
    enum Phase { ELECTION, BROADCAST }

    static class Node {
        String name;
        Node next;
        Node[] table;
        Node(String name, Node next) { this.name = name; this.next = next; }
    }

    static class Base {
        protected long inherited = 77;
        private String shadowed = "of Base";
    }

    static class State extends Base {
        static int shared = 5;
        boolean flag = true;
        byte small = -3;
        char letter = '\u20ac';
        short middle = -300;
        int number = -70000;
        long zxid = 0x100000002L;
        float half = 1.5f;
        double quarter = -2.25;
        String text = "za\u017c\u00f3\u0142\u0107 \ud83d\ude00";
        String empty = "";
        String shadowed = "of State";
        Object nothing = null;
        int[] ints = {1, -2, 3};
        byte[] bytes = {0, -1, 127};
        String[] strings = {"a", null, "c"};
        int[] none = {};
        Long boxed = -9L;
        AtomicLong atomic = new AtomicLong(1L << 40);
        AtomicBoolean yes = new AtomicBoolean(true);
        Phase phase = Phase.BROADCAST;
        Node list = new Node("one", new Node("two", null));
        volatile int watched;
    }

    /** Each field is a collection. Its contents are printed in the order of its iterator. */
    static class Held {
        List<Object> arrayList = new ArrayList<>(List.of("a", "b", "c"));
        List<Object> withNull = new LinkedList<>(Arrays.asList("x", null, "z"));
        List<Object> subclass = new LinkedList<>(List.of("s")) { };
        List<Object> asList = Arrays.asList("p", "q");
        List<Object> vector = new Vector<>(List.of(1L, 2L));
        List<Object> copied = new CopyOnWriteArrayList<>(List.of("c1", "c2"));
        List<Object> locked = Collections.synchronizedList(new ArrayList<>(List.of("l")));
        Collection<Object> fixed = Collections.unmodifiableCollection(new ArrayList<>(List.of("f")));
        Queue<Object> deque = new ArrayDeque<>(10);
        Queue<Object> concurrent = new ConcurrentLinkedQueue<>();
        Queue<Object> blocking = new LinkedBlockingQueue<>();
        Queue<Object> blockingDeque = new LinkedBlockingDeque<>(List.of("d1", "d2"));
        Queue<Object> bounded = new ArrayBlockingQueue<>(4);
        Queue<Object> drained = new ConcurrentLinkedQueue<>();
        Set<Object> hashSet = new HashSet<>();
        Set<Object> linkedSet = new LinkedHashSet<>(List.of("z", "y", "x"));
        Set<Object> treeSet = new TreeSet<>(List.of("m", "k", "l"));
        Set<Object> keySet = ConcurrentHashMap.newKeySet();
        Set<Object> fromMap = Collections.newSetFromMap(new ConcurrentHashMap<>());
        Map<Object, Object> hashMap = new HashMap<>();
        Map<Object, Object> linkedMap = new LinkedHashMap<>();
        Map<Object, Object> treeMap = new TreeMap<>();
        Map<Object, Object> concurrentMap = new ConcurrentHashMap<>();
        Map<Object, Object> collisions = new HashMap<>();
        Map<Object, Object> concurrentCollisions = new ConcurrentHashMap<>();
        Map<Object, Object> wrapped = Collections.unmodifiableMap(Collections.synchronizedMap(hashMap));
        List<Object> emptyList = new ArrayList<>();
        Map<Object, Object> emptyMap = new ConcurrentHashMap<>();
        Map<Object, Object> emptyHashMap = new HashMap<>();
        Queue<Object> emptyQueue = new LinkedBlockingQueue<>();

        Held() {
            for (Queue<Object> q : List.of(deque, concurrent, blocking, bounded)) {
                q.add("gone 1");
                q.add("gone 2");
                q.remove();
                q.remove();
                q.add("q1");
                q.add("q2");
                q.add("q3");
            }
            for (int k = 0; k < 14; k++) { // the circular array of deque wraps around
                deque.remove();
                deque.add("q" + (k + 4));
            }
            drained.add("gone");
            drained.remove();
            for (long k = 0; k < 100; k++) {
                hashSet.add("h" + k);
                keySet.add(k);
                fromMap.add("f" + k);
                hashMap.put(k, "v" + k);
                linkedMap.put(100 - k, "v" + k);
                treeMap.put("t" + k, k);
                concurrentMap.put(k << 32, "v" + k);
            }
            for (int k = 0; k < 1 << 7; k++) { // equal hash codes: bins become trees
                StringBuilder key = new StringBuilder();
                for (int bit = 0; bit < 7; bit++) {
                    key.append((k >> bit & 1) == 0 ? "Aa" : "BB");
                }
                collisions.put(key.toString(), k);
                concurrentCollisions.put(key.toString(), k);
            }
        }
    }

    static State state = new State();
    static Held held;
    static BitSet bits = new BitSet();
    static volatile long ticks;
    static volatile long steps;
    static volatile boolean flooded;

    public static void main(String[] args) throws Exception {
        System.out.println("main runs");
        switch (args[0]) {
            case "values": values(); break;
            case "threads": threads(); break;
            case "waits": waits(); break;
            case "flood": flood(Integer.parseInt(args[1]), args.length > 2); break;
            case "resize": resize(); break;
            case "exit": System.exit(3);
            default: throw new IllegalArgumentException(args[0]);
        }
    }

    static void values() throws Exception {
        held = new Held();
        bits.set(0); bits.set(63); bits.set(64); bits.set(200);
        System.out.println("bits=" + bits);
        for (java.lang.reflect.Field f : Held.class.getDeclaredFields()) {
            System.out.println(f.getName() + "=" + f.get(held));
        }
        new Probe().ready(42L, "argument");
    }

    void ready(long zxid, String text) {
        int local = (int) zxid + 1;
        print(new Throwable().getStackTrace()); hold(zxid);
        state.watched = local;
        for (;;) { LockSupport.parkNanos(1_000_000_000L); }
    }

    static void print(StackTraceElement[] trace) {
        for (StackTraceElement e : trace) {
            System.out.println("at " + e.getClassName() + "." + e.getMethodName() + "(" + e.getLineNumber() + ")");
        }
    }

    static void hold(long zxid) { steps++; }

    static void threads() {
        for (String name : new String[] {"first", "second"}) {
            new Thread(() -> { for (long n = 0;; n++) { step(n); } }, name).start();
        }
        new Thread(() -> { for (;;) { ticks++; } }, "ticker").start();
        new Thread(() -> { for (;;) { LockSupport.park(); } }, "parked").start();
    }

    static volatile String waiting = "", interrupted = "";

    /** Two threads wait, and note their names where they are interrupted. */
    static void waits() throws Exception {
        Object lock = new Object();
        for (String name : new String[] {"first", "second"}) {
            Thread t = new Thread(() -> {
                synchronized (lock) {
                    waiting += name + " ";
                    try {
                        for (;;) { lock.wait(); }
                    } catch (InterruptedException e) {
                        interrupted += name + " ";
                    }
                }
            }, name);
            t.start();
        }
        for (;;) { LockSupport.parkNanos(1_000_000_000L); }
    }

    /** The last entry makes the table of 64 bins grow, in steps of 16 bins. */
    static void resize() {
        ConcurrentHashMap<Object, Object> map = new ConcurrentHashMap<>(32);
        for (long k = 0; k < 47; k++) { map.put("r" + k, k); }
        held = new Held();
        held.concurrentMap = map;
        grow(map);
    }

    static void grow(Map<Object, Object> map) {
        map.put("r47", 47L);
        hold(0);
    }

    static void step(long n) {
        long before = n;
        steps = before;
        Thread.yield();
    }

    static void flood(int n, boolean exit) {
        for (int k = 0; k < n; k++) {
            drop(k);
        }
        flooded = true;
        if (exit) { System.exit(0); }
        for (;;) { LockSupport.parkNanos(1_000_000_000L); }
    }

    static void drop(int k) { }
}
