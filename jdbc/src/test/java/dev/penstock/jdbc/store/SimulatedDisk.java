package dev.penstock.jdbc.store;

import dev.penstock.jdbc.store.SystemCalls.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The files of one folder, as processes see them and as a power failure may leave them.
 *
 * <p>Any subset of the sectors of {@value #SECTOR} bytes that were written after a file's last sync may be on the disk.
 * A file that was created or removed after the folder's last sync may exist or not.
 */
final class SimulatedDisk {
    private static final int SECTOR = 512;

    private final Map<String, Content> seen = new HashMap<>();
    private final Map<String, Content> onDisk = new HashMap<>();
    private final List<Entry> unsynced = new ArrayList<>();

    /** A change of a name; without content if it was removed. */
    private record Entry(String name, List<Content> content) {}

    /** A file, independent of its name. */
    private static final class Content {
        private Bytes now = new Bytes();
        private Bytes synced = new Bytes();
        private final List<Operation> unsynced = new ArrayList<>();
    }

    /** A growing byte array. */
    private static final class Bytes {
        private byte[] all = new byte[0];
        private int size;

        void write(long offset, byte[] from, int begin, int end) {
            int last = Math.toIntExact(offset) + end;
            if (last > all.length) {
                all = Arrays.copyOf(all, Math.max(last, 2 * all.length));
            }
            System.arraycopy(from, begin, all, Math.toIntExact(offset) + begin, end - begin);
            size = Math.max(size, last);
        }

        void truncate(long length) {
            int next = Math.toIntExact(length);
            if (next < size) {
                Arrays.fill(all, next, size, (byte) 0);
            } else if (next > all.length) {
                all = Arrays.copyOf(all, next);
            }
            size = next;
        }

        void apply(Operation operation) {
            if (operation instanceof Operation.Write write) {
                write(write.offset(), write.bytes(), 0, write.bytes().length);
            } else if (operation instanceof Operation.Truncate truncate) {
                truncate(truncate.size());
            }
        }

        Bytes copy() {
            Bytes copy = new Bytes();
            copy.all = Arrays.copyOf(all, size);
            copy.size = size;
            return copy;
        }

        byte[] toArray() {
            return Arrays.copyOf(all, size);
        }
    }

    void apply(Operation operation) {
        switch (operation) {
            case Operation.Create create -> {
                if (!seen.containsKey(create.name())) {
                    Content made = new Content();
                    seen.put(create.name(), made);
                    unsynced.add(new Entry(create.name(), List.of(made)));
                }
            }
            case Operation.Unlink unlink -> {
                seen.remove(unlink.name());
                unsynced.add(new Entry(unlink.name(), List.of()));
            }
            case Operation.SyncFolder folder -> {
                onDisk.clear();
                onDisk.putAll(seen);
                unsynced.clear();
            }
            case Operation.Sync sync -> {
                Content content = content(sync.name());
                content.unsynced.forEach(content.synced::apply);
                content.unsynced.clear();
            }
            case Operation.Write write -> change(write.name(), write);
            case Operation.Truncate truncate -> change(truncate.name(), truncate);
            case Operation.Line line -> {}
        }
    }

    private void change(String name, Operation operation) {
        Content content = content(name);
        content.now.apply(operation);
        content.unsynced.add(operation);
    }

    private Content content(String name) {
        Content content = seen.get(name);
        if (content == null) {
            throw new IllegalStateException(name + " was never made");
        }
        return content;
    }

    /** The files after the process is killed now. */
    Map<String, byte[]> afterKill() {
        Map<String, byte[]> files = new HashMap<>();
        seen.forEach((name, content) -> files.put(name, content.now.toArray()));
        return files;
    }

    /** Files that a power failure may leave now. */
    Map<String, byte[]> afterPowerCut(Random random) {
        Map<String, Content> entries = new HashMap<>(onDisk);
        double entriesKept = share(random);
        for (Entry entry : unsynced) {
            if (random.nextDouble() < entriesKept) {
                entries.remove(entry.name());
                entry.content().forEach(content -> entries.put(entry.name(), content));
            }
        }
        Map<String, byte[]> files = new HashMap<>();
        entries.forEach((name, content) -> files.put(name, torn(content, random)));
        return files;
    }

    private static byte[] torn(Content content, Random random) {
        Bytes left = content.synced.copy();
        double kept = share(random);
        for (Operation operation : content.unsynced) {
            if (operation instanceof Operation.Write write) {
                tear(left, write, random, kept);
            } else if (random.nextDouble() < kept) {
                left.apply(operation);
            }
        }
        return left.toArray();
    }

    private static void tear(Bytes left, Operation.Write write, Random random, double kept) {
        int begin = 0;
        while (begin < write.bytes().length) {
            long inSector = (write.offset() + begin) % SECTOR;
            int end = Math.min(write.bytes().length, begin + SECTOR - (int) inSector);
            if (random.nextDouble() < kept) {
                left.write(write.offset(), write.bytes(), begin, end);
            }
            begin = end;
        }
    }

    /** None, all, most, or half: each reveals other faults. */
    private static double share(Random random) {
        return new double[] {0, 1, 0.95, 0.5}[random.nextInt(4)];
    }
}
