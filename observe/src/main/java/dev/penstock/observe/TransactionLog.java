package dev.penstock.observe;

import dev.penstock.Observation.Observer;
import dev.penstock.Ticker;
import dev.penstock.state.LineFile;
import dev.penstock.text.Json;
import dev.penstock.text.Sha256;
import dev.penstock.text.Uuid7;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Records of transactions: one line of JSON for each that is sampled, with its waits, attempts and ending. Contains no bodies and no
 * secrets; of an idempotency key its hash.
 *
 * <pre>{@code
 * try (var log = TransactionLog.toFile(Path.of("transactions.jsonl"), Sampling.parse("errors+slow+1%"))) {
 *     Flow<HttpCall, HttpAnswer> flow = Flow.named("payments").observer(log.observer(RequestDetails.NONE)).to(target);
 *     ...
 * }
 * }</pre>
 *
 * <p>One thread writes the records, from a bounded queue. A record is lost when the queue is full or the file cannot be written;
 * transactions are not affected. A file of 32 MB is renamed to {@code FILE.1}, and so on; four such files are kept.
 *
 * <p>While a transaction runs, the MDC has its {@code flow} and {@code id}.
 *
 * <p>Thread-safe.
 */
public final class TransactionLog implements AutoCloseable {
    /** How many failed and slow transactions are kept in memory. */
    public static final int NOTABLE = 1_000;

    /** Why a transaction has a record, in the record. */
    static final String SAMPLED = "sampled";

    private static final int HASH_BYTES = 8;
    private static final long FULL = 32L << 20;

    private final Sampling sampling;
    private final InstantSource clock;
    private final Ticker ticker;
    private final RecordWriter writer;
    private final Map<String, FlowRecords> flows = new ConcurrentHashMap<>();
    private final Deque<Notable> notable = new ArrayDeque<>();

    private record Notable(long at, Map<String, Object> record, String json) {
        boolean has(String name, @Nullable String value) {
            return value == null || value.equals(record.get(name));
        }
    }

    TransactionLog(
            Sampling sampling, RecordWriter.Destination destination, String where, InstantSource clock, Ticker ticker) {
        this.sampling = sampling;
        this.clock = clock;
        this.ticker = ticker;
        this.writer = new RecordWriter(destination, where);
    }

    /**
     * Writes to a file, which only the user of this process can read.
     *
     * @param file created when it is missing
     * @param sampling which transactions get a record
     * @return a log, to be closed after the flows have drained
     */
    public static TransactionLog toFile(Path file, Sampling sampling) {
        return new TransactionLog(
                sampling,
                new LineFile(file, "transaction records", FULL, Ticker.SYSTEM::nanos)::write,
                file.toString(),
                InstantSource.system(),
                Ticker.SYSTEM);
    }

    /**
     * Writes to a stream, such as {@link System#out}.
     *
     * @param stream is flushed, and not closed
     * @param sampling which transactions get a record
     * @return a log, to be closed after the flows have drained
     */
    public static TransactionLog toStream(PrintStream stream, Sampling sampling) {
        RecordWriter.Destination destination = lines -> {
            stream.write(lines, 0, lines.length);
            stream.flush();
            return !stream.checkError();
        };
        return new TransactionLog(sampling, destination, "a stream", InstantSource.system(), Ticker.SYSTEM);
    }

    /**
     * An observer of flows, for {@link dev.penstock.flow.FlowBuilder#observer}.
     *
     * @param details what records show of requests
     * @return the observer
     */
    public Observer observer(RequestDetails details) {
        return (flow, request, now) -> {
            FlowRecords records = flows.get(flow);
            return new FollowedTransaction(this, records == null ? records(flow) : records, details, request, now);
        };
    }

    private FlowRecords records(String flow) {
        return flows.computeIfAbsent(flow, name -> new FlowRecords(name, sampling, ticker.nanos()));
    }

    /**
     * The numbers of records of a flow: {@code written}; {@code dropped}, because the queue was full; {@code unwritable}, because the
     * file or stream did not take them.
     *
     * @param flow the name of the flow
     * @return the numbers by these names
     */
    public Map<String, Long> counts(String flow) {
        return records(flow).counts();
    }

    /**
     * The hash that records have in place of an idempotency key.
     *
     * @param key the key
     * @return the beginning of its SHA-256, in hexadecimal
     */
    public static String hash(String key) {
        return HexFormat.of().formatHex(Sha256.of(key), 0, HASH_BYTES);
    }

    /**
     * Searches the last {@value #NOTABLE} failed and slow transactions, as far as they are sampled.
     *
     * @param text the id of a transaction or trace, a key, or the hash of a key; null for any
     * @param flow the name of a flow; null for any
     * @param ending {@code answered}, {@code rejected}, {@code failed} or {@code unknown}; null for any
     * @param since when it began at the earliest, in milliseconds since 1970
     * @return the records as JSON, the last one first
     */
    public List<String> search(@Nullable String text, @Nullable String flow, @Nullable String ending, long since) {
        String id = text == null ? null : Uuid7.ofUrn(text);
        String hash = id == null ? null : hash(id);
        List<Notable> kept;
        synchronized (notable) {
            kept = new ArrayList<>(notable);
        }
        return kept.stream()
                .filter(each ->
                        each.has("id", id) || each.has("trace", id) || each.has("key", id) || each.has("key", hash))
                .filter(each -> each.has("flow", flow) && each.has("ending", ending) && each.at >= since)
                .map(Notable::json)
                .toList();
    }

    void add(FlowRecords flow, long at, Map<String, Object> record) {
        String json = Json.write(record);
        if (!FlowRecords.SHARE.equals(record.get(SAMPLED))) {
            synchronized (notable) {
                notable.addFirst(new Notable(at, record, json));
                if (notable.size() > NOTABLE) {
                    notable.removeLast();
                }
            }
        }
        writer.add(flow, json);
    }

    long millis() {
        return clock.millis();
    }

    String newId() {
        return Uuid7.next(ThreadLocalRandom.current(), clock.millis());
    }

    /** Writes the last records. Transactions that end later get none. */
    @Override
    public void close() {
        writer.close();
    }
}
