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
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in a file which transactions are in process, so that the next process knows which ones this one died over, and how
 * many processes before it.
 *
 * <h2>Design note</h2>
 *
 * <p>The file is an array of slots of {@value #SLOT} bytes, one for each transaction in process, so it never has to be
 * rewritten: a begin fills a free slot, an end clears it. A write reaches the operating system before the method returns, and so
 * outlives the process. {@link #sync} makes it outlive a power failure too; those who call it at the same time share one sync.
 *
 * <p>One process at a time owns a file. A second process that asks for the same one gets the next free name ({@code .2}, {@code
 * .3}, ...), so each takes over what a dead one left. What was not seen again for {@value #KEPT_DAYS} days is forgotten.
 *
 * <p>Safe for many threads.
 */
public final class AttemptLog implements AutoCloseable {
    /** How many processes may share one name. */
    private static final int MOST_PROCESSES = 100;

    static final int SLOT = 256;
    private static final int HEAD = Integer.BYTES + Integer.BYTES + Long.BYTES + Integer.BYTES;
    private static final int LONGEST_ID = SLOT - HEAD;
    private static final int KEPT_DAYS = 30;
    private static final long KEPT_MILLIS = Duration.ofDays(KEPT_DAYS).toMillis();

    private final FileChannel channel;
    private final FileLock lock;
    private final InstantSource clock;
    private final Map<String, Left> left = new HashMap<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final AtomicLong written = new AtomicLong();
    private final ReentrantLock syncing = new ReentrantLock();
    private int next;
    private long synced;

    /** What an earlier process left: its slot, and how many processes have died over it. */
    private record Left(int slot, int deaths) {}

    private AttemptLog(FileChannel channel, FileLock lock, InstantSource clock) {
        this.channel = channel;
        this.lock = lock;
        this.clock = clock;
    }

    /**
     * Opens a file, or the next of its name that no other process has open.
     *
     * @param file made when missing, for the user of this process alone
     * @throws IOException it cannot be opened
     */
    public static AttemptLog open(Path file) throws IOException {
        return open(file, InstantSource.system());
    }

    static AttemptLog open(Path file, InstantSource clock) throws IOException {
        for (int number = 1; number <= MOST_PROCESSES; number++) {
            Path path = number == 1 ? file : file.resolveSibling(file.getFileName() + "." + number);
            AttemptLog log = tryOpen(path, clock);
            if (log != null) {
                return log;
            }
        }
        throw new IOException(file + " and " + MOST_PROCESSES + " of its name are open in other processes");
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
            Map.Entry<String, Integer> found = slot.hasRemaining() ? null : parse(bytes);
            if (found == null || left.containsKey(found.getKey())) {
                free.add(next);
            } else {
                left.put(found.getKey(), new Left(next, found.getValue()));
            }
        }
    }

    /** The transaction of a slot and its number of deaths; null when it is free, torn or too old. */
    private Map.@Nullable Entry<String, Integer> parse(byte[] bytes) {
        ByteBuffer slot = ByteBuffer.wrap(bytes);
        if (slot.getInt(0) != checksum(bytes)) {
            return null;
        }
        int deaths = slot.getInt(4);
        long age = clock.millis() - slot.getLong(8);
        int length = slot.getInt(16);
        return deaths < 1 || length < 1 || length > LONGEST_ID || age > KEPT_MILLIS
                ? null
                : Map.entry(new String(bytes, HEAD, length, StandardCharsets.UTF_8), deaths);
    }

    private static int checksum(byte[] slot) {
        CRC32 sum = new CRC32();
        sum.update(slot, Integer.BYTES, SLOT - Integer.BYTES);
        return (int) sum.getValue();
    }

    /** How many processes have died while this transaction was in process, since it last ended. */
    public synchronized int deaths(String id) {
        Left before = left.get(name(id));
        return before == null ? 0 : before.deaths();
    }

    /** Whether an earlier process left anything that has not ended since. */
    public synchronized boolean hasLeft() {
        return !left.isEmpty();
    }

    /**
     * Notes that a transaction is about to be processed.
     *
     * @param id 1 character or more
     * @return the slot to {@link #end}
     * @throws IOException it is not noted, so it must not begin
     */
    public int begin(String id) throws IOException {
        String name = name(id);
        int number;
        int deaths;
        synchronized (this) {
            Left before = left.get(name);
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
     * Waits until all that has begun so far would outlive a power failure.
     *
     * @throws IOException it may not
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
     * Notes that a transaction is not in process any more.
     *
     * @param id as it began
     * @param slot what {@link #begin} returned; used again afterwards
     * @throws IOException it is not noted: the next process takes it for one that this one died over
     */
    public void end(String id, int slot) throws IOException {
        write(ByteBuffer.allocate(HEAD), slot);
        synchronized (this) {
            left.remove(name(id));
            free.add(slot);
        }
    }

    /** Ids are short; one that is not is known by its digest. */
    private static String name(String id) {
        if (id.length() <= LONGEST_ID / 3) {
            return id;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException none) {
            throw new IllegalStateException(none);
        }
    }

    /** Closes the file; another process may open it. What has not ended stays noted. */
    @Override
    public void close() throws IOException {
        if (lock.isValid()) {
            lock.release();
        }
        channel.close();
    }
}
