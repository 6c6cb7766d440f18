package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The contestants, by name. A library is loaded only when its contestant is created. */
@SuppressWarnings("ImmutableEnumChecker") // entries are copies, factories are stateless
enum JdbcBatchContestants {
    /** The usual code. */
    PLAIN("hikari-autocommit", Role.BEFORE, "Hikari, 20 connections, autocommit per insert", PlainInserter::new),

    /** See {@link HandWritten}. */
    BY_HAND(
            "batch-by-hand",
            Role.LIMIT,
            HandWritten.WRITERS + " threads take the waiting rows, " + HandWritten.MAX
                    + " at most, executeBatch (rewritten as one insert) and one commit, no timer",
            HandWritten::new),

    /** See {@link HystrixInserter}. */
    HYSTRIX(
            "hystrix-batch",
            Role.PEER,
            "HystrixCollapser, timer 10 ms, 100 rows at most, the same batch, 20 concurrent batches",
            url -> new HystrixInserter(url, Duration.ofMillis(10))),

    /** The defaults, except for the pool size, which is the same for all. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "flow with a deadline of 10 s, collapse into JdbcBatch and limit of 1 to 4 at their defaults, 20 connections at most",
            url -> new PenstockInserter(url, batch -> batch)),

    /** With the same batch size as the others. */
    PENSTOCK_100(
            "penstock-100",
            Role.OURS,
            "the same with 100 rows at most",
            url -> new PenstockInserter(url, batch -> batch.max(HandWritten.MAX)));

    private final Entry entry;
    private final Function<String, Inserter> factory;

    JdbcBatchContestants(String name, Role role, String how, Function<String, Inserter> factory) {
        this.entry = Entry.of(name, role, Map.of("how", how));
        this.factory = factory;
    }

    /**
     * The contestant with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static JdbcBatchContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("jdbc-batch has no contestant " + name));
    }

    static List<Entry> entries() {
        return Arrays.stream(values()).map(JdbcBatchContestants::entry).toList();
    }

    Entry entry() {
        return entry;
    }

    /**
     * Creates it.
     *
     * @param url of PostgreSQL; accessed through the counting driver
     */
    Inserter at(String url) {
        return factory.apply(url);
    }
}
