package dev.penstock.lab.probe;

import dev.penstock.lab.measure.Latency;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Settings recommended from the findings of a {@link Probe}, as a list and as a commented flow file. Pure.
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
        Duration deadline = deadline(advice);
        boolean together = collapse(advice) && to != To.HTTP;
        Advice limit = together ? batches() : limit();
        if (limit != null) {
            advice.add(limit);
        }
        queue(advice, deadline);
        if (to != To.JMS) {
            pool(advice, limit);
        }
        return List.copyOf(advice);
    }

    private Duration deadline(List<Advice> advice) {
        Latency alone = findings.roundTrip().response();
        long slow = alone.percentile(99).orElse(alone.max().orElse(0));
        double busy = busyMillis();
        Duration deadline = rounded(Math.max(4.0 * slow, 4e6 * busy));
        advice.add(new Advice(
                "deadline",
                format(deadline),
                "four times the time of a slow call: %s alone%s"
                        .formatted(
                                Durations.format(slow),
                                busy > 0
                                        ? ", %s on average at the knee".formatted(Durations.format((long) (1e6 * busy)))
                                        : "")));
        return deadline;
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

    private static Advice batches() {
        return new Advice(
                "limit", "auto", "calls were measured with one item each; batches need a far lower concurrency");
    }

    private @Nullable Advice limit() {
        KneeFinding knee = findings.knee();
        if (knee == null) {
            return null;
        }
        if (!knee.reached()) {
            return new Advice("limit", "auto", "the knee was not reached: " + knee.why());
        }
        KneeFinding.Curve chosen = knee.chosen();
        boolean refuses =
                knee.low() == knee.knee() && knee.high() > knee.knee() && knee.knee() == Math.rint(knee.knee());
        String between = String.format(
                Locale.ROOT, "the knee is at %.3g (95 %% interval %.3g to %.3g)", knee.knee(), knee.low(), knee.high());
        if (refuses) {
            return limit(
                    knee.knee(),
                    between
                            + ": the highest concurrency at which all calls were answered; the target refuses calls beyond it");
        }
        if (chosen != null && chosen.name().equals("capped line")) {
            double limit = Math.min(Math.max(knee.knee(), knee.high()), HEADROOM * knee.knee());
            return limit(
                    Math.ceil(limit - 0.05),
                    between
                            + ": its upper end, because below the knee throughput is lost, and above it calls only"
                            + " wait");
        }
        return limit(
                Math.rint(knee.knee()),
                between + ": the knee itself, because beyond it throughput falls, and near it the curve is flat");
    }

    private static Advice limit(double value, String reason) {
        return new Advice("limit", String.valueOf((int) Math.clamp(value, 1, MAX_LIMIT)), reason);
    }

    private void queue(List<Advice> advice, Duration deadline) {
        KneeFinding knee = findings.knee();
        if (knee == null || !knee.reached()) {
            return;
        }
        advice.add(new Advice(
                "queue.time",
                format(deadline.dividedBy(2)),
                "half of the deadline: after a longer wait, too little is left for a call of %s"
                        .formatted(Durations.format((long) (1e6 * busyMillis())))));
    }

    private void pool(List<Advice> advice, @Nullable Advice limit) {
        int allowed = AnnouncedLimit.connections(findings.announced());
        if (limit != null && limit.value().equals("auto")) {
            if (allowed < MAX_LIMIT) {
                advice.add(new Advice(
                        "pool.max", String.valueOf(allowed), "nine tenths of the connections that the peer has left"));
            }
        } else if (limit != null) {
            int wanted = Integer.parseInt(limit.value());
            advice.add(
                    wanted <= allowed
                            ? new Advice(
                                    "pool.max", limit.value(), "one connection for each call that the limit admits")
                            : new Advice(
                                    "pool.max",
                                    String.valueOf(allowed),
                                    "nine tenths of the connections that the peer has left; the limit of %d would need more"
                                            .formatted(wanted)));
        }
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
