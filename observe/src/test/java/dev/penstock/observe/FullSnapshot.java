package dev.penstock.observe;

import dev.penstock.Accounting;
import dev.penstock.BatchCounts;
import dev.penstock.BatchCounts.SendReason;
import dev.penstock.Bottleneck;
import dev.penstock.Dedupe;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.StageReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A process with one flow that has every kind of number. */
final class FullSnapshot implements WatchedProcess {
    private static final FlowSnapshot FLOW = new FlowSnapshot(
            "f",
            "",
            "",
            new Accounting(10, 4, 3, 2, 0, 1, Map.of("rejected", Map.of("limit", 3L), "failed", Map.of("connect", 2L))),
            List.of(),
            List.of(stage("flow"), stage("retry"), stage("target")),
            new Bottleneck("", "", List.of()),
            List.of(setting("limit", "50"), setting("pool.max", "20"), setting("pool.warm", "2"), setting("a", "text")),
            Map.of("leased", 3L, "idle", 2L, "pending", 1L, "opened", 9L),
            Map.of(
                    "messages", Map.of("acknowledged", 5L, "in_hand", 2L, "queued", 7L, "lag", 6L),
                    "datagrams", Map.of("received", 5L, "waiting", 1L),
                    "lost", Map.of("socket", 2L),
                    "callers", Map.of("admitted shop a", 6L),
                    "caller_failures", Map.of("refused", 1L)),
            Map.of(503, 2L),
            Map.of(),
            List.of(),
            new BatchCounts(Map.of(SendReason.FULL, 2L), histogram(3, 100), 0, 0, 0),
            new Dedupe.Counts(1, 2, 3, 4, 5, 6, 7, 8),
            List.of(),
            Map.of("connecting", 500_000_000L, "count", 4L));

    private static StageReport stage(String name) {
        return new StageReport(name, 2, 0, 0, 0, "", histogram(1_500_000, 40_000_000));
    }

    private static Histogram histogram(long... values) {
        Histogram histogram = new Histogram(2);
        for (long value : values) {
            histogram.recordValue(value);
        }
        return histogram;
    }

    static Setting setting(String name, String value) {
        return new Setting(name, value, "any", "", Instant.EPOCH, Origin.DEFAULT);
    }

    @Override
    public List<WatchedFlow> flows() {
        return List.of(new WatchedFlow() {
            @Override
            public String name() {
                return "f";
            }

            @Override
            public FlowSnapshot snapshot() {
                return FLOW;
            }

            @Override
            public Setting pin(String setting, String value, String by) {
                throw new IllegalArgumentException();
            }

            @Override
            public Setting unpin(String setting) {
                throw new IllegalArgumentException();
            }
        });
    }

    @Override
    public boolean isDraining() {
        return false;
    }

    @Override
    public Map<String, Long> faults() {
        return Map.of("recorder", 1L);
    }

    @Override
    public List<Certificate> certificates() {
        return List.of(
                new Certificate("CN=a", "a.pem", Instant.ofEpochSecond(90)),
                new Certificate("CN=a", "a.pem", Instant.ofEpochSecond(80)));
    }

    @Override
    public Map<String, Long> memory() {
        return Map.of("used", 5L, "limit", 10L, "refused", 1L);
    }
}
