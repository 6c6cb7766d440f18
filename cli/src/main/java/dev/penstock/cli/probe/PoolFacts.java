package dev.penstock.cli.probe;

import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.IdleFinding;
import dev.penstock.lab.probe.KillKind;
import dev.penstock.lab.probe.KneeFinding;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The findings that matter for a pool of any library. Stateless.
 *
 * @param findings the findings of a probe
 */
record PoolFacts(ProbeFindings findings) {
    private static final Set<String> IDLE_TIMES = Set.of("Keep-Alive: timeout", "idle_session_timeout");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(ms|s|min|h|d)");
    private static final Duration MIN_PATIENCE = Duration.ofSeconds(10);
    private static final int PATIENCE_FACTOR = 20;

    /**
     * The best number of connections: never more than were seen to work without an error, nor than the peer has left.
     * Empty if concurrency was not measured.
     */
    Optional<Integer> size() {
        KneeFinding knee = findings.knee();
        return knee == null
                ? Optional.empty()
                : Optional.of(Math.min(wanted(knee), findings.mostConcurrent().orElse(1)));
    }

    /** That number; without it the default of a library, or what the peer has left if that is less. */
    int sizeOr(int byDefault) {
        return size().orElse(Math.min(byDefault, left()));
    }

    private int left() {
        return AnnouncedLimit.connections(findings.announced());
    }

    /** Sets the number of connections, or says in a comment why the default stays. */
    void setSize(CommentedProperties lines, String key, int byDefault) {
        if (size().isPresent()) {
            lines.set(key, sizeOr(byDefault), whySize());
        } else if (sizeOr(byDefault) < byDefault) {
            lines.set(
                    key,
                    sizeOr(byDefault),
                    "the connections that the peer has left; the default, " + byDefault + ", is more than that; "
                            + whySize());
        } else {
            lines.comment(key + " stays at its default, " + byDefault + ": " + whySize());
        }
    }

    private static int wanted(KneeFinding knee) {
        return (int) Math.max(1, Math.round(knee.knee()));
    }

    /** The reason for that number, or for the lack of it, in one sentence. */
    String whySize() {
        KneeFinding knee = findings.knee();
        if (knee == null) {
            return "the best number of connections was not measured; "
                    + findings.skipped().stream()
                            .filter(what -> what.startsWith("concurrency: "))
                            .findFirst()
                            .orElse("use a longer --for");
        }
        String why = knee.reached()
                ? String.format(
                        Locale.ROOT,
                        "concurrency above %.0f (%.0f to %.0f) did not increase throughput: %.0f answers per second",
                        knee.knee(),
                        knee.low(),
                        knee.high(),
                        knee.bestThroughput())
                : "the highest concurrency that was seen to work without an error: " + knee.why();
        return wanted(knee) <= left() ? why : why + "; limited to the connections that the peer has left";
    }

    /**
     * The idle time after which connections are killed. For a silent kill it is the longest time that all connections
     * survived, because an estimate that is too long would go unnoticed. Null when none was killed and no time is
     * announced.
     */
    @Nullable
    Duration kill() {
        IdleFinding idle = findings.idle();
        if (idle == null || idle.killAfter() == null) {
            return announcedKill();
        }
        return byLived(idle) ? idle.lived() : idle.killAfter();
    }

    private static boolean byLived(IdleFinding idle) {
        return idle.kind() == KillKind.SILENT && idle.lived().isPositive();
    }

    /** A fraction of that time in milliseconds, at least 1. */
    static long part(Duration kill, double share) {
        return Math.max(1, (long) (kill.toMillis() * share));
    }

    /** A fraction of that time in whole seconds, at least 1. */
    static long wholeSeconds(Duration kill, double share) {
        return Math.max(1, (long) (kill.toMillis() * share / 1000));
    }

    /** Whether connections are killed without notice. */
    boolean silent() {
        IdleFinding idle = findings.idle();
        return idle != null && idle.kind() == KillKind.SILENT;
    }

    /** The finding about idle connections, in one sentence. */
    String whyKill() {
        IdleFinding idle = findings.idle();
        Duration announced = announcedKill();
        if (idle != null && idle.kind() != null && idle.killAfter() != null) {
            if (byLived(idle)) {
                return "idle connections are dropped silently, none before " + Durations.format(idle.lived());
            }
            return "idle connections are killed after " + Durations.format(idle.killAfter()) + ", " + word(idle.kind());
        }
        if (announced != null) {
            return "the peer announces that it closes connections idle for " + Durations.format(announced);
        }
        return idle == null
                ? "it was not determined whether idle connections are killed"
                : "no connection was killed while idle for up to " + Durations.format(idle.lived());
    }

    private static String word(KillKind kind) {
        return switch (kind) {
            case FIN -> "with an orderly close";
            case RST -> "by a reset";
            case SILENT -> "silently";
        };
    }

    /** How long an answer may take before its connection counts as dead: far more than the slowest seen. */
    Duration answerTimeout() {
        Duration slow = slowest().multipliedBy(PATIENCE_FACTOR);
        return slow.compareTo(MIN_PATIENCE) < 0 ? MIN_PATIENCE : slow;
    }

    /** The slowest of the sequential calls. */
    Duration slowest() {
        return Duration.ofNanos(findings.roundTrip().service().max().orElse(0));
    }

    private @Nullable Duration announcedKill() {
        for (AnnouncedLimit one : findings.announced()) {
            Matcher time = TIME.matcher(one.value());
            if (IDLE_TIMES.contains(one.name())
                    && time.matches()
                    && !time.group(1).equals("0")) {
                return Durations.parse(time.group(1) + (time.group(2).equals("min") ? "m" : time.group(2)));
            }
        }
        return null;
    }
}
