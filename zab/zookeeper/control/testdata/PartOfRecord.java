// Writes three transactions with ZooKeeper's own FileTxnLog, damages the last record, and prints how many FileTxnLog reads: one
// line for each damage, "name records error".

import java.io.File;
import java.io.RandomAccessFile;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.jute.Record;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.TxnHeader;

public class PartOfRecord {
    static final long FIRST = 0x100000001L;

    public static void main(String[] args) throws Exception {
        for (String damage : new String[] {"none", "cut", "end", "middle", "beginning"}) {
            File dir = Files.createTempDirectory(new File(args[0]).toPath(), damage).toFile();
            FileTxnLog log = new FileTxnLog(dir);
            int begins = 0;
            for (int k = 0; k < 3; k++) {
                begins = length(dir);
                byte[] data = new byte[2000];
                Arrays.fill(data, (byte) (k + 1));
                append(log, new TxnHeader(1, k, FIRST + k, 0, 5), new SetDataTxn("/node", data, k));
                log.commit();
            }
            log.close();
            int ends = length(dir);
            try (RandomAccessFile file = new RandomAccessFile(dir.listFiles()[0], "rw")) {
                switch (damage) {
                    case "cut": file.setLength((begins + ends) / 2); break;
                    case "end": zero(file, (begins + ends) / 2, ends); break;
                    case "middle": zero(file, begins + 500, ends - 500); break;
                    case "beginning": zero(file, begins, begins + 500); break;
                }
            }
            int records = 0;
            String error = "";
            try {
                TxnLog.TxnIterator it = new FileTxnLog(dir).read(FIRST); // not closed: the JVM ends soon
                do {
                    records++;
                } while (it.next());
            } catch (Exception e) {
                error = e.getMessage();
            }
            System.out.println(damage + " " + records + " " + error);
        }
    }

    // Later versions take a Request.
    static void append(FileTxnLog log, TxnHeader header, Record txn) throws Exception {
        for (Method m : FileTxnLog.class.getMethods()) {
            if (m.getName().equals("append") && m.getParameterCount() == 1) {
                m.invoke(log, new Request(0, 0, header.getType(), header, txn, header.getZxid()));
                return;
            }
            if (m.getName().equals("append") && m.getParameterCount() == 2) {
                m.invoke(log, header, txn);
                return;
            }
        }
        throw new NoSuchMethodException("FileTxnLog.append");
    }

    static void zero(RandomAccessFile file, int from, int to) throws Exception {
        file.seek(from);
        file.write(new byte[to - from]);
    }

    // The file is preallocated with zeros. A record ends with the byte B.
    static int length(File dir) throws Exception {
        File[] files = dir.listFiles();
        if (files.length == 0) {
            return 0;
        }
        byte[] bytes = Files.readAllBytes(files[0].toPath());
        int n = bytes.length;
        while (n > 0 && bytes[n - 1] == 0) {
            n--;
        }
        return n;
    }
}
