package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Who runs, by name. A library is loaded only when its contestant is made. */
@SuppressWarnings("ImmutableEnumChecker") // an entry holds copies, a maker holds nothing
enum JdbcBatchContestants {
    /** As most write it. */
    PLAIN(
            "hikari-autocommit",
            Role.BEFORE,
            "Hikari, 20 connections, each insert commits by itself",
            PlainInserter::new),

    /** See {@link HandWritten}. */
    BY_HAND(
            "batch-by-hand",
            Role.LIMIT,
            HandWritten.WRITERS + " threads take what waits, " + HandWritten.MOST
                    + " rows at most, executeBatch (written as one insert) and one commit, no timer",
            HandWritten::new),

    /** See {@link HystrixInserter}. */
    HYSTRIX(
            "hystrix-batch",
            Role.PEER,
            "HystrixCollapser, a timer of 10 ms, 100 rows at most, the same batch, 20 at once",
            url -> new HystrixInserter(url, Duration.ofMillis(10))),

    /** As it is while nobody sets anything but the size of the pool, which all have alike. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "flow with a deadline of 10 s, a collapse into JdbcBatch and its limit of 1 to 4 at their defaults, 20 connections at most",
            url -> new PenstockInserter(url, batch -> batch)),

    /** With batches as large as those of the others. */
    PENSTOCK_100(
            "penstock-100",
            Role.OURS,
            "the same with 100 rows at most",
            url -> new PenstockInserter(url, batch -> batch.max(HandWritten.MOST)));

    private final Entry entry;
    private final Function<String, Inserter> maker;

    JdbcBatchContestants(String name, Role role, String how, Function<String, Inserter> maker) {
        this.entry = Entry.of(name, role, Map.of("how", how));
        this.maker = maker;
    }

    /**
     * The one of that name.
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
     * Makes it.
     *
     * @param url of PostgreSQL; it is given the driver that counts
     */
    Inserter at(String url) {
        return maker.apply(url);
    }
}
