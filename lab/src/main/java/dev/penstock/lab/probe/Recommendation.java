package dev.penstock.lab.probe;

import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.report.Figures;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings recommended from the findings of a {@link Probe}, as a list and as a commented flow file. Never admits more
 * than {@link ProbeFindings#mostConcurrent}. Pure.
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
         * {@code to: { jdbc: ... }}: {@code pool.idle} is the idle time after which the network or server kills a
         * connection.
         */
        JDBC,
        /** {@code to: { jms: ... }}: has no pool settings. */
        JMS
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
    public List<Advice> advice() {
        List<Advice> advice = new ArrayList<>();
        @Nullable Duration deadline = deadline(advice);
        boolean together = collapse(advice) && to != To.HTTP;
        Advice limit = limit(together);
        if (limit != null) {
            advice.add(limit);
        }
        queue(advice, deadline);
        if (to != To.JMS) {
            connections(advice, limit);
            idle(advice);
        }
        return List.copyOf(advice);
    }

    /** Null when the time of a slow call is not known. */
    private @Nullable Duration deadline(List<Advice> advice) {
        Latency alone = findings.roundTrip().response();
        long slow = alone.percentile(99).orElse(alone.max().orElse(0));
        if (!findings.validity().valid()
                || slow == 0
                || slow >= alone.leastUnanswered().orElse(Long.MAX_VALUE)) {
            return null;
        }
        double busy = busyMillis();
        Duration deadline = rounded(Math.max(4.0 * slow, 4e6 * busy));
        advice.add(new Advice(
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

    private boolean collapse(List<Advice> advice) {
        BatchFinding batch = findings.batch();
        if (batch == null || !batch.pays() || batch.best() < 2) {
            return false;
        }
        advice.add(new Advice("collapse.max", String.valueOf(batch.best()), batch.why()));
        return true;
    }

    private @Nullable Advice limit(boolean batches) {
        KneeFinding knee = findings.knee();
        if (batches) {
            String why = "calls were measured with one item each; batches need a far lower concurrency";
            return knee == null ? new Advice("limit", "auto", why) : upTo(mostWorked(), why);
        }
        if (knee == null) {
            return null;
        }
        if (!knee.reached()) {
            return upTo(mostWorked(), "the knee was not reached: " + knee.why() + seenToWork(knee));
        }
        String between = "the knee is at %s (95 %% interval %s to %s)"
                .formatted(Figures.number(knee.knee()), Figures.number(knee.low()), Figures.number(knee.high()));
        boolean refuses =
                knee.low() == knee.knee() && knee.high() > knee.knee() && knee.knee() == Math.rint(knee.knee());
        if (refuses) {
            return exactly(
                    knee.knee(),
                    between
                            + ": the highest concurrency at which all calls were answered; the target refuses calls beyond it");
        }
        KneeFinding.Curve chosen = knee.chosen();
        if (chosen != null && chosen.name().equals("capped line")) {
            double limit = Math.min(Math.max(knee.knee(), knee.high()), HEADROOM * knee.knee());
            return exactly(
                    Math.ceil(limit - 0.05),
                    between
                            + ": its upper end, because below the knee throughput is lost, and above it calls only"
                            + " wait");
        }
        return exactly(
                Math.rint(knee.knee()),
                between + ": the knee itself, because beyond it throughput falls, and near it the curve is flat");
    }

    private static String seenToWork(KneeFinding knee) {
        return "; %,d is the highest concurrency that was seen to work without an error".formatted(knee.worked());
    }

    private int mostWorked() {
        return findings.mostConcurrent().orElse(1);
    }

    /** A limit that adapts between 1 and this. */
    private Advice upTo(int most, String reason) {
        int bounded = Math.clamp(most, 1, MAX_LIMIT);
        return new Advice(
                "limit", bounded == 1 ? "1" : "{ min: 1, max: " + bounded + " }", reason + orLeft(Integer.MAX_VALUE));
    }

    private Advice exactly(double value, String reason) {
        int wanted = (int) Math.clamp(value, 1, MAX_LIMIT);
        int bounded = Math.min(wanted, mostWorked());
        return new Advice("limit", String.valueOf(bounded), reason + orLeft(wanted));
    }

    /** Says so when the connections that the peer has left allow less than was wanted, and than was seen to work. */
    private String orLeft(int wanted) {
        KneeFinding knee = findings.knee();
        int left = AnnouncedLimit.connections(findings.announced());
        return knee != null && left < Math.min(wanted, knee.worked())
                ? "; bounded by the connections that the peer has left"
                : "";
    }

    private void queue(List<Advice> advice, @Nullable Duration deadline) {
        KneeFinding knee = findings.knee();
        if (deadline == null || knee == null || !knee.reached()) {
            return;
        }
        advice.add(new Advice(
                "queue.time",
                format(deadline.dividedBy(2)),
                "half of the deadline: after a longer wait, too little is left for a call of %s"
                        .formatted(Durations.format((long) (1e6 * busyMillis())))));
    }

    private void connections(List<Advice> advice, @Nullable Advice limit) {
        if (findings.knee() == null) {
            int left = AnnouncedLimit.connections(findings.announced());
            if (left < MAX_LIMIT) {
                advice.add(new Advice(
                        "pool.max",
                        String.valueOf(left),
                        "the connections that the peer has left; concurrency was not measured"));
            }
        } else if (limit != null) {
            String most = limit.value().startsWith("{") ? String.valueOf(mostWorked()) : limit.value();
            advice.add(new Advice("pool.max", most, "one connection for each call that the limit admits"));
        }
    }

    private void idle(List<Advice> advice) {
        IdleFinding idle = findings.idle();
        if (idle == null
                || idle.kind() == null
                || idle.killAfter() == null
                || idle.killAfter().compareTo(KEPT) < 0) {
            return;
        }
        Duration kill = idle.kind() == KillKind.SILENT && idle.lived().compareTo(Duration.ZERO) > 0
                ? idle.lived()
                : idle.killAfter();
        Duration value = to == To.HTTP ? kill.dividedBy(2) : kill;
        if (value.compareTo(MIN_IDLE) < 0) {
            return;
        }
        String killed = "idle connections are killed after about %s (%s)"
                .formatted(Durations.format(idle.killAfter()), ProbeSentences.format(idle.kind()));
        advice.add(new Advice(
                "pool.idle",
                format(value.compareTo(MAX_IDLE) > 0 ? MAX_IDLE : value),
                to == To.HTTP
                        ? killed + ": closed at half of that"
                        : killed + ": with this setting the pool keeps them alive at half of that"));
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

    /**
     * A flow file with these settings.
     *
     * @param name of the flow
     * @param from the value of {@code from:}, on one line, for instance <code>{ http: { port: 8080, path: /v1 }
     *     }</code>
     * @param target the value of {@code to:}, on one line
     * @param batchUrl the URL for batches, of targets that have one; empty for others: an HTTP flow without it does not
     *     collapse, and a comment says so
     * @return the file, ending with a line feed
     */
    public String yaml(String name, String from, String target, String batchUrl) {
        return new AdvisedFile(advice(), to == To.HTTP, batchUrl).text(name, from, target);
    }
}
