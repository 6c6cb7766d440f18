package dev.penstock.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Records in a file which transactions are being processed, so that the next process knows during which transactions this
 * process died, and how many processes died before it.
 *
 * <h2>Design note</h2>
 *
 * <p>The file is an array of slots of {@value #SLOT} bytes, one per transaction in progress, so it is never rewritten: {@link
 * #begin} fills a free slot, {@link #end} clears it. A write reaches the operating system before the method returns, so it
 * survives the process. {@link #sync} makes it survive a power failure too; concurrent calls share one sync.
 *
 * <p>One process at a time owns a file. A second process that opens the same one gets the next free name ({@code .2}, {@code
 * .3}, ...), so each process takes over the file of a dead one. Entries older than {@value #RETENTION_DAYS} days are dropped,
 * and all but the latest {@value #MAX_UNFINISHED}: those that another process continued never end here.
 *
 * <p>Safe for many threads.
 */
public final class AttemptLog implements AutoCloseable {
    /** The maximum number of processes that share one name. */
    private static final int MAX_PROCESSES = 100;

    /** The maximum number of unfinished transactions of earlier processes that are kept, the latest. */
    static final int MAX_UNFINISHED = 16_384;

    static final int SLOT = 256;
    private static final int HEAD = Integer.BYTES + Integer.BYTES + Long.BYTES + Integer.BYTES;
    private static final int MAX_ID_BYTES = SLOT - HEAD;
    private static final int RETENTION_DAYS = 30;
    private static final long RETENTION_MILLIS = Duration.ofDays(RETENTION_DAYS).toMillis();

    private final FileChannel channel;
    private final FileLock lock;
    private final InstantSource clock;
    private final Map<String, Unfinished> unfinished = new HashMap<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final AtomicLong written = new AtomicLong();
    private final ReentrantLock syncing = new ReentrantLock();
    private int next;
    private long synced;

    /**
     * A transaction that earlier processes began and did not end.
     *
     * @param deaths how many processes died during it
     * @param begun when it began last, in milliseconds since 1970
     */
    private record Unfinished(int slot, int deaths, long begun) {}

    private AttemptLog(FileChannel channel, FileLock lock, InstantSource clock) {
        this.channel = channel;
        this.lock = lock;
        this.clock = clock;
    }

    /**
     * Opens a file, or the next numbered one that no other process has open.
     *
     * @param file created if missing, readable only by the user of this process
     * @throws IOException the file cannot be opened
     */
    public static AttemptLog open(Path file) throws IOException {
        return open(file, InstantSource.system());
    }

    static AttemptLog open(Path file, InstantSource clock) throws IOException {
        for (int number = 1; number <= MAX_PROCESSES; number++) {
            Path path = number == 1 ? file : file.resolveSibling(file.getFileName() + "." + number);
            AttemptLog log = tryOpen(path, clock);
            if (log != null) {
                return log;
            }
        }
        throw new IOException(
                file + " and its numbered copies up to ." + MAX_PROCESSES + " are open in other processes");
    }

    private static @Nullable AttemptLog tryOpen(Path path, InstantSource clock) throws IOException {
        PrivateFiles.createFile(path);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                return null;
            }
            AttemptLog log = new AttemptLog(channel, lock, clock);
            log.read();
            return log;
        } catch (OverlappingFileLockException taken) {
            channel.close();
            return null;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    private void read() throws IOException {
        byte[] bytes = new byte[SLOT];
        ByteBuffer slot = ByteBuffer.wrap(bytes);
        long slots = channel.size() / SLOT;
        for (next = 0; next < slots; next++) {
            slot.clear();
            while (slot.hasRemaining() && channel.read(slot, (long) next * SLOT + slot.position()) > 0) {}
            Map.Entry<String, Unfinished> found = slot.hasRemaining() ? null : parse(bytes);
            if (found == null || unfinished.containsKey(found.getKey())) {
                free.add(next);
            } else {
                unfinished.put(found.getKey(), found.getValue());
            }
        }
        dropOldest();
    }

    private void dropOldest() {
        unfinished.entrySet().stream()
                .sorted(Comparator.comparingLong(
                        (Map.Entry<String, Unfinished> one) -> -one.getValue().begun()))
                .skip(MAX_UNFINISHED)
                .toList()
                .forEach(old -> {
                    free.add(old.getValue().slot());
                    unfinished.remove(old.getKey());
                });
    }

    /** The transaction of the next slot; null when the slot is free, partly written or too old. */
    private Map.@Nullable Entry<String, Unfinished> parse(byte[] bytes) {
        ByteBuffer slot = ByteBuffer.wrap(bytes);
        if (slot.getInt(0) != checksum(bytes)) {
            return null;
        }
        int deaths = slot.getInt(4);
        long begun = slot.getLong(8);
        int length = slot.getInt(16);
        return deaths < 1 || length < 1 || length > MAX_ID_BYTES || clock.millis() - begun > RETENTION_MILLIS
                ? null
                : Map.entry(
                        new String(bytes, HEAD, length, StandardCharsets.UTF_8), new Unfinished(next, deaths, begun));
    }

    private static int checksum(byte[] slot) {
        CRC32 sum = new CRC32();
        sum.update(slot, Integer.BYTES, SLOT - Integer.BYTES);
        return (int) sum.getValue();
    }

    /** The number of processes that died while they processed this transaction, since it last ended. */
    public synchronized int deaths(String id) {
        Unfinished before = unfinished.get(name(id));
        return before == null ? 0 : before.deaths();
    }

    /** Whether an earlier process began a transaction that has not ended since. */
    public synchronized boolean hasLeft() {
        return !unfinished.isEmpty();
    }

    /**
     * Records that a transaction is about to be processed.
     *
     * @param id its id; 1 character or more
     * @return the slot to pass to {@link #end}
     * @throws IOException it was not recorded, so it must not be processed
     */
    public int begin(String id) throws IOException {
        String name = name(id);
        int number;
        int deaths;
        synchronized (this) {
            Unfinished before = unfinished.get(name);
            deaths = before == null ? 0 : before.deaths();
            Integer known = before == null ? free.poll() : Integer.valueOf(before.slot());
            number = known == null ? next++ : known;
        }
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[SLOT];
        ByteBuffer slot = ByteBuffer.wrap(bytes);
        slot.putInt(4, deaths + 1)
                .putLong(8, clock.millis())
                .putInt(16, text.length)
                .put(HEAD, text);
        slot.putInt(0, checksum(bytes));
        write(slot, number);
        written.incrementAndGet();
        return number;
    }

    private void write(ByteBuffer slot, int number) throws IOException {
        long at = (long) number * SLOT;
        while (slot.hasRemaining()) {
            at += channel.write(slot, at);
        }
    }

    /**
     * Waits until all transactions begun so far are recorded durably, so that they survive a power failure.
     *
     * @throws IOException it is uncertain whether they are
     */
    public void sync() throws IOException {
        long mine = written.get();
        syncing.lock();
        try {
            if (synced < mine) {
                long all = written.get();
                channel.force(false);
                synced = all;
            }
        } finally {
            syncing.unlock();
        }
    }

    /**
     * Records that a transaction is no longer processed.
     *
     * @param id the id passed to {@link #begin}
     * @param slot the slot that {@link #begin} returned; it is reused afterwards
     * @throws IOException it was not recorded: the next process counts it as one during which this process died
     */
    public void end(String id, int slot) throws IOException {
        write(ByteBuffer.allocate(HEAD), slot);
        synchronized (this) {
            unfinished.remove(name(id));
            free.add(slot);
        }
    }

    /** Replaces a long id with its SHA-256 digest, so that it fits into a slot. */
    private static String name(String id) {
        if (id.length() <= MAX_ID_BYTES / 3) {
            return id;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException none) {
            throw new IllegalStateException(none);
        }
    }

    /** Closes the file, so another process can open it. Transactions that have not ended stay recorded. */
    @Override
    public void close() throws IOException {
        if (lock.isValid()) {
            lock.release();
        }
        channel.close();
    }
}
