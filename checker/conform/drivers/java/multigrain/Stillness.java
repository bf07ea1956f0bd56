package multigrain;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Waits until each other thread of this process sleeps, as Linux sees it: with timeouts that are
 * long enough nothing happens then before the driver does something.
 *
 * A thread that was woken and has not run yet does not sleep, unlike in Thread.getState. Threads
 * cannot be read at one moment. So they are read twice: each that sleeps both times, and has not run
 * since the first, slept in between.
 */
public final class Stillness {
    private static final Path TASKS = Path.of("/proc/self/task");
    /** The thread of the virtual machine that runs by the clock. Compilers count: they hold locks. */
    private static final String CLOCK = "VM Periodic Tas";

    private Stillness() {}

    /** Returns when all threads but the caller sleep, or false after so many seconds. */
    public static boolean wait(int seconds) throws IOException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        String self = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
        Map<String, String> before = null;
        while (System.nanoTime() < end) {
            Map<String, String> now = asleep(self);
            if (now != null && now.equals(before) && !blocked()) {
                return true;
            }
            if (now == null) {
                Thread.yield();
            }
            before = now;
        }
        return false;
    }

    /**
     * Returns how long each thread has run, and how often it has begun to, if all threads sleep.
     * Linux may leave threads out of the list while others end, so their number is read as well.
     */
    private static Map<String, String> asleep(String self) throws IOException {
        Map<String, String> out = new HashMap<>();
        int listed = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                listed++;
                if (task.getFileName().toString().equals(self)) {
                    continue;
                }
                String stat = read(task.resolve("stat")), time = read(task.resolve("schedstat"));
                if (stat == null || time == null) {
                    return null; // it ends
                }
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                if (name.equals(CLOCK)) {
                    continue;
                }
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'S') {
                    return null;
                }
                out.put(task.toString(), time);
            }
        }
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String threads = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[17];
        return Integer.parseInt(threads) == listed ? out : null;
    }

    private static boolean blocked() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] all = new Thread[2 * root.activeCount() + 16];
        int n = root.enumerate(all);
        return Arrays.stream(all, 0, n).anyMatch(t -> t.getState() == Thread.State.BLOCKED);
    }

    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) { // ESRCH: the thread ends
            return null;
        }
    }
}
