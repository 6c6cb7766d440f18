package dev.penstock.cli.probe;

import dev.penstock.Durations;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.IdleFinding;
import dev.penstock.lab.probe.KillKind;
import dev.penstock.lab.probe.KneeFinding;
import dev.penstock.lab.probe.ProbeFindings;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a pool has to know of the findings, whichever library it is of. Pure.
 *
 * @param findings of a probe
 */
record PoolFacts(ProbeFindings findings) {
    private static final Set<String> IDLE_TIMES = Set.of("Keep-Alive: timeout", "idle_session_timeout");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(ms|s|min|h|d)");
    private static final Duration HASTY = Duration.ofSeconds(10);
    private static final int SLOWER = 20;

    /** How many connections give the most, of those that the peer has; empty when that was not found out. */
    Optional<Integer> size() {
        KneeFinding knee = findings.knee();
        return knee == null || !knee.reached()
                ? Optional.empty()
                : Optional.of(Math.min(wanted(knee), AnnouncedLimit.connections(findings.announced())));
    }

    private static int wanted(KneeFinding knee) {
        return (int) Math.max(1, Math.round(knee.knee()));
    }

    /** Why so many, in one sentence. */
    String whySize() {
        KneeFinding knee = findings.knee();
        if (knee == null) {
            return "how many calls at once are best was not found out: give the probe more --for";
        }
        if (!knee.reached()) {
            return "how many calls at once are best was not found out, so nothing speaks against the usual: "
                    + knee.why();
        }
        String more = String.format(
                Locale.ROOT,
                "more than %.0f at once (%.0f to %.0f) gave nothing: %.0f answers a second",
                knee.knee(),
                knee.low(),
                knee.high(),
                knee.bestThroughput());
        return wanted(knee) <= AnnouncedLimit.connections(findings.announced())
                ? more
                : more + "; but the peer says how many connections it has, and this is nine tenths of that";
    }

    /**
     * After what time without traffic connections are killed; of a silent kill the longest time that all of them lived, for
     * the guess may be beyond the truth, and then nobody is told. Null when none was killed, and no time is announced.
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

    /** A part of that time in milliseconds, at least 1. */
    static long part(Duration kill, double share) {
        return Math.max(1, (long) (kill.toMillis() * share));
    }

    /** A part of that time in whole seconds, at least 1. */
    static long wholeSeconds(Duration kill, double share) {
        return Math.max(1, (long) (kill.toMillis() * share / 1000));
    }

    /** Whether nothing is told when a connection is killed. */
    boolean silent() {
        IdleFinding idle = findings.idle();
        return idle != null && idle.kind() == KillKind.SILENT;
    }

    /** What is known of idle connections, in one sentence. */
    String whyKill() {
        IdleFinding idle = findings.idle();
        Duration announced = announcedKill();
        if (idle != null && idle.kind() != null && idle.killAfter() != null) {
            if (byLived(idle)) {
                return "idle connections are killed silently, none of them before " + Durations.words(idle.lived());
            }
            return "idle connections are killed after " + Durations.words(idle.killAfter()) + ", " + word(idle.kind());
        }
        if (announced != null) {
            return "the peer says that it ends connections that are idle for " + Durations.words(announced);
        }
        return idle == null
                ? "whether idle connections are killed was not found out"
                : "none was killed while idle for up to " + Durations.words(idle.lived());
    }

    private static String word(KillKind kind) {
        return switch (kind) {
            case FIN -> "closed in order";
            case RST -> "by a reset";
            case SILENT -> "silently";
        };
    }

    /** How long an answer may take before its connection counts as dead: far beyond the slowest that was seen. */
    Duration patience() {
        Duration slow = slowest().multipliedBy(SLOWER);
        return slow.compareTo(HASTY) < 0 ? HASTY : slow;
    }

    /** The slowest of the calls that were made one by one. */
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
