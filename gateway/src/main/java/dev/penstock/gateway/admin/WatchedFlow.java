package dev.penstock.gateway.admin;

import dev.penstock.Setting;
import dev.penstock.bottleneck.Bottleneck;
import dev.penstock.collapse.BatchCounts;
import dev.penstock.dedupe.DedupeCounts;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.StageReport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the admin pages see of a flow. Each method reads anew. Safe for many threads. */
public interface WatchedFlow {
    /** Its name. */
    String name();

    /** Where its requests come in, in one short line. */
    String from();

    /** Where they lead, in one short line without secrets. */
    String to();

    /** What became of its transactions. */
    Accounting accounting();

    /** Why transactions ended without an answer: the last reason of each cause that occurred. */
    List<LastReasons.Last> reasons();

    /** What each of its stages has done, outermost first. */
    List<StageReport> stages();

    /** Which of its stages binds of late, and what would move it. */
    Bottleneck bottleneck();

    /** What batches it has made; null where each request has a call of its own. */
    @Nullable
    BatchCounts batches();

    /** What came of requests that bore a key; null where none is looked for. */
    @Nullable
    DedupeCounts dedupeCounts();

    /** Its settings as they are now. */
    List<Setting> settings();

    /**
     * Pins a setting while it runs.
     *
     * @param setting its name
     * @param value as a person writes it
     * @param by who wants it
     * @return the setting as it is now
     * @throws IllegalArgumentException when it cannot be pinned to this, with one line that says what to do
     */
    Setting pin(String setting, String value, String by);

    /**
     * Lets a setting find itself again, or go back to what was given.
     *
     * @param setting its name
     * @return the setting as it is now
     * @throws IllegalArgumentException when it cannot be pinned, with one line that says what to do
     */
    Setting unpin(String setting);

    /** What became of messages that it took from a queue, and {@code in_hand}; empty where it takes none. */
    Map<String, Long> messages();

    /**
     * What became of datagrams that it took ({@code received}, {@code answered}, {@code unanswered}, {@code waiting}), and of
     * those that its target sent, whose names begin with {@code target_}; empty where there are none.
     */
    Map<String, Long> datagrams();

    /** Where datagrams were lost, or their answers, by place; empty where it takes none. */
    Map<String, Long> lost();

    /** What an administrator should do for it, a line each; empty when all is well. */
    List<String> advice();

    /** The connections of its target, by state; those of a source that opens some begin with {@code source_}. */
    Map<String, Long> connections();

    /** Where the time of all exchanges with its target went, in nanoseconds by part; and {@code count}, how many there were. */
    Map<String, Long> exchangeTimes();
}
