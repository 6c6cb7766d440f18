package dev.penstock.lab.probe;

import dev.penstock.Durations;
import dev.penstock.lab.measure.Latency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What to set, from what a {@link Probe} found: as advice, and as a flow file with a comment for each setting. Pure.
 *
 * @param findings what was found
 * @param to what kind of target it is about: not all know the same settings
 */
public record Recommendation(ProbeFindings findings, To to) {
    /** Kinds of targets. */
    public enum To {
        /** {@code to: { http: ... }}: {@code pool.idle} is when an idle connection is let go. */
        HTTP,
        /** {@code to: { jdbc: ... }}: {@code pool.idle} is the age at which the way kills. */
        JDBC,
        /** {@code to: { jms: ... }}: it has no pool to speak of. */
        JMS
    }

    /** Beyond the knee of a capped line calls only wait, below it answers are lost: this much above is cheap. */
    private static final double ROOM = 1.25;

    private static final int MOST_LIMIT = 10_000;
    private static final Duration LEAST_IDLE = Duration.ofMillis(100);
    private static final Duration MOST_IDLE = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofMillis(50);
    private static final double[] ROUND = {1, 2, 3, 5, 10};

    /** The settings, in the order of the flow file; empty when nothing was found that asks for one. */
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
                written(deadline),
                "four times what a slow call takes: %s alone%s"
                        .formatted(
                                Durations.words(slow),
                                busy > 0
                                        ? ", %s on average at the knee".formatted(Durations.words((long) (1e6 * busy)))
                                        : "")));
        return deadline;
    }

    /** The mean time of a call around the knee; 0 when that is not known. */
    private double busyMillis() {
        KneeFinding knee = findings.knee();
        return knee == null || knee.bestPerSecond() <= 0 ? 0 : 1e3 * Math.ceil(knee.knee()) / knee.bestPerSecond();
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
        return new Advice("limit", "auto", "calls were measured one item each; of batches far fewer at once are best");
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
            return limit(knee.knee(), between + ": the most that were all answered, for what is beyond is refused");
        }
        if (chosen != null && chosen.name().equals("capped line")) {
            double room = Math.min(Math.max(knee.knee(), knee.high()), ROOM * knee.knee());
            return limit(
                    Math.ceil(room - 0.05),
                    between
                            + ": its upper end, for one fewer than it takes costs answers, and one more only waits"
                            + " there");
        }
        return limit(
                Math.rint(knee.knee()),
                between + ": the knee itself, for beyond it answers are fewer, and near it both ways little is lost");
    }

    private static Advice limit(double value, String reason) {
        return new Advice("limit", String.valueOf((int) Math.clamp(value, 1, MOST_LIMIT)), reason);
    }

    private void queue(List<Advice> advice, Duration deadline) {
        KneeFinding knee = findings.knee();
        if (knee == null || !knee.reached()) {
            return;
        }
        advice.add(new Advice(
                "queue.time",
                written(deadline.dividedBy(2)),
                "half of the deadline: who waited for longer has too little left for a call of %s"
                        .formatted(Durations.words((long) (1e6 * busyMillis())))));
    }

    private void pool(List<Advice> advice, @Nullable Advice limit) {
        if (limit != null && !limit.value().equals("auto")) {
            int wanted = Integer.parseInt(limit.value());
            int allowed = AnnouncedLimit.connections(findings.announced());
            advice.add(
                    wanted <= allowed
                            ? new Advice("pool.max", limit.value(), "one for each call that the limit lets through")
                            : new Advice(
                                    "pool.max",
                                    String.valueOf(allowed),
                                    "nine tenths of the connections that the peer says it has; the limit of %d would want more"
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
        if (value.compareTo(LEAST_IDLE) < 0) {
            return;
        }
        String killed = "idle connections are killed after about %s (%s)"
                .formatted(Durations.words(idle.killAfter()), ProbeSentences.word(idle.kind()));
        advice.add(new Advice(
                "pool.idle",
                written(value.compareTo(MOST_IDLE) > 0 ? MOST_IDLE : value),
                to == To.HTTP
                        ? killed + ": let go at half of that"
                        : killed + ": told, it keeps them alive at half of that"));
    }

    /** Up to a number that people would choose, of at least 10 ms and at most 1 h. */
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

    /** As a flow file has it, rounded down to three digits or so. */
    private static String written(Duration time) {
        long millis = Math.max(1, time.toMillis());
        return millis >= 10_000 || millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    /**
     * A flow file with these settings.
     *
     * @param name of the flow
     * @param from what stands behind {@code from:}, on one line, for instance <code>{ http: { port: 8080, path: /v1 } }</code>
     * @param target what stands behind {@code to:}, on one line
     * @param batchUrl where the batches go, of a target that has a URL for them; empty for others: without it an HTTP flow does
     *     not collapse, and a comment says so
     * @return the file, with a line feed at its end
     */
    public String yaml(String name, String from, String target, String batchUrl) {
        return new AdvisedFile(advice(), to == To.HTTP, batchUrl).text(name, from, target);
    }
}
