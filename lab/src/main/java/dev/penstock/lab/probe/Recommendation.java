package dev.penstock.lab.probe;

import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.ProbeNote.Setting;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings recommended from the findings of a {@link Probe}; {@link SettingsText} prints them. Never admits more than
 * {@link ProbeFindings#mostConcurrent}. Pure.
 *
 * @param findings the findings
 * @param to the kind of target, which decides the available settings
 */
public record Recommendation(ProbeFindings findings, To to) {
    /** Kinds of targets. */
    public enum To {
        /** {@code to: { http: ... }}: {@code pool.idle} is the idle time after which Penstock closes a connection. */
        HTTP,
        /**
         * {@code to: { jdbc: ... }}: {@code pool.idle} is the idle time after which the network or server kills
         * a connection.
         */
        JDBC,
        /** {@code to: { jms: ... }} and {@code to: { kafka: ... }}: have no pool settings. */
        BROKER
    }

    /**
     * The limit is set this much above the knee of a capped line: beyond the knee calls only wait, below it throughput
     * is lost.
     */
    private static final double HEADROOM = 1.25;

    private static final int MAX_LIMIT = 10_000;
    private static final Duration MIN_IDLE = Duration.ofMillis(100);
    private static final Duration MAX_IDLE = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofMillis(50);
    private static final double[] ROUND = {1, 2, 3, 5, 10};

    /** The settings in the order of the flow file; empty when the findings suggest none. */
    public List<Setting> advice() {
        List<Setting> advice = new ArrayList<>();
        @Nullable Duration deadline = deadline(advice);
        boolean together = collapse(advice) && to != To.HTTP;
        Setting limit = limit(together);
        if (limit != null) {
            advice.add(limit);
        }
        queue(advice, deadline);
        if (to != To.BROKER) {
            connections(advice, limit);
            idle(advice);
        }
        return List.copyOf(advice);
    }

    /** Null when the time of a slow call is not known. */
    private @Nullable Duration deadline(List<Setting> advice) {
        Latency alone = findings.roundTrip().response();
        long slow = alone.percentile(99).orElse(alone.max().orElse(0));
        if (!findings.validity().valid()
                || slow == 0
                || slow >= alone.leastUnanswered().orElse(Long.MAX_VALUE)) {
            return null;
        }
        double busy = busyMillis();
        Duration deadline = rounded(Math.max(4.0 * slow, 4e6 * busy));
        advice.add(new Setting(
                "deadline",
                format(deadline),
                "four times the time of a slow call: %s alone%s"
                        .formatted(
                                Durations.format(slow),
                                busy > 0
                                        ? ", %s on average at %s"
                                                .formatted(Durations.format((long) (1e6 * busy)), busiest())
                                        : "")));
        return deadline;
    }

    private String busiest() {
        KneeFinding knee = findings.knee();
        return knee == null || knee.reached() ? "the knee" : "concurrency " + knee.worked();
    }

    /** The mean time of a call at the knee; 0 when unknown. */
    private double busyMillis() {
        KneeFinding knee = findings.knee();
        return knee == null || knee.bestThroughput() <= 0 ? 0 : 1e3 * Math.ceil(knee.knee()) / knee.bestThroughput();
    }

    private boolean collapse(List<Setting> advice) {
        BatchFinding batch = findings.batch();
        if (batch == null || !batch.pays() || batch.best() < 2) {
            return false;
        }
        advice.add(new Setting("collapse.max", String.valueOf(batch.best()), batch.why()));
        return true;
    }

    /**
     * A limit that is no higher than what was seen to work, and says so when the connections that the peer has left
     * bound it. Where the knee is not known, it adapts.
     */
    private @Nullable Setting limit(boolean batches) {
        KneeFinding knee = findings.knee();
        String ofBatches = "calls were measured with one item each; batches need a far lower concurrency";
        if (knee == null) {
            return batches ? new Setting("limit", "auto", ofBatches) : null;
        }
        KneeFinding.Beyond beyond = batches ? null : knee.beyond();
        double value = switch (beyond) {
            case REFUSES -> knee.knee();
            case FLAT -> Math.ceil(Math.min(knee.high(), HEADROOM * knee.knee()) - 0.05);
            case FALLS -> Math.rint(knee.knee());
            case null -> MAX_LIMIT;
        };
        int wanted = (int) Math.clamp(value, 1, MAX_LIMIT);
        int most = Math.min(wanted, mostWorked());
        boolean isLeft = AnnouncedLimit.connections(findings.announced()) < Math.min(wanted, knee.worked());
        return new Setting(
                "limit",
                beyond != null || most == 1 ? String.valueOf(most) : "{ min: 1, max: " + most + " }",
                (batches ? ofBatches : why(knee))
                        + (isLeft ? "; bounded by the connections that the peer has left" : ""));
    }

    private static String why(KneeFinding knee) {
        String between = "the knee is at %s (95 %% interval %s to %s): "
                .formatted(Figures.number(knee.knee()), Figures.number(knee.low()), Figures.number(knee.high()));
        return switch (knee.beyond()) {
            case REFUSES ->
                between
                        + "the highest concurrency at which all calls were answered; the target refuses calls beyond it";
            case FLAT ->
                between + "its upper end, because below the knee throughput is lost, and above it calls only wait";
            case FALLS ->
                between + "the knee itself, because beyond it throughput falls, and near it the curve is flat";
            case null ->
                "the knee was not reached: %s; %,d is the highest concurrency that was seen to work without an error"
                        .formatted(knee.why(), knee.worked());
        };
    }

    private int mostWorked() {
        return findings.mostConcurrent().orElse(1);
    }

    private void queue(List<Setting> advice, @Nullable Duration deadline) {
        KneeFinding knee = findings.knee();
        if (deadline == null || knee == null || !knee.reached()) {
            return;
        }
        advice.add(new Setting(
                "queue.time",
                format(deadline.dividedBy(2)),
                "half of the deadline: after a longer wait, too little is left for a call of %s"
                        .formatted(Durations.format((long) (1e6 * busyMillis())))));
    }

    private void connections(List<Setting> advice, @Nullable Setting limit) {
        if (findings.knee() == null) {
            int left = AnnouncedLimit.connections(findings.announced());
            if (left < MAX_LIMIT) {
                advice.add(new Setting(
                        "pool.max",
                        String.valueOf(left),
                        "the connections that the peer has left; concurrency was not measured"));
            }
        } else if (limit != null) {
            String most = limit.value().startsWith("{") ? String.valueOf(mostWorked()) : limit.value();
            advice.add(new Setting("pool.max", most, "one connection for each call that the limit admits"));
        }
    }

    private void idle(List<Setting> advice) {
        IdleFinding idle = findings.idle();
        if (idle == null || idle.killAfter() == null || idle.killAfter().compareTo(KEPT) < 0) {
            return;
        }
        Duration value = to == To.HTTP ? idle.before().dividedBy(2) : idle.before();
        String kept = to == To.HTTP
                ? ": closed at half of that"
                : ": with this setting the pool keeps them alive at half of that";
        if (value.compareTo(MIN_IDLE) >= 0) {
            String time = format(value.compareTo(MAX_IDLE) > 0 ? MAX_IDLE : value);
            advice.add(new Setting("pool.idle", time, "idle connections are " + ProbeSentences.killed(idle) + kept));
        }
    }

    /** Rounds up to 1, 2, 3 or 5 times a power of ten; at least 10 ms and at most 1 h. */
    private static Duration rounded(double nanos) {
        double millis = Math.clamp(nanos / 1e6, 10, 3_600_000);
        double power = Math.pow(10, Math.floor(Math.log10(millis)));
        for (double step : ROUND) {
            if (millis <= step * power * 1.000001) {
                return Duration.ofMillis((long) Math.min(3_600_000, step * power));
            }
        }
        return Duration.ofMillis((long) (10 * power));
    }

    /** In the flow file's notation, rounded down to seconds from 10 s on. */
    private static String format(Duration time) {
        long millis = Math.max(1, time.toMillis());
        return millis >= 10_000 || millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}
