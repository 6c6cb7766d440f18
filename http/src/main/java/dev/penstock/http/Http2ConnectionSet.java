package dev.penstock.http;

import dev.penstock.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The connections to one target, and which of them is used next, or no more. Its user holds a lock. */
final class Http2ConnectionSet {
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Http2Connection> all = new ArrayList<>();
    private final long idle;
    private final long maxAge;
    private final long sweepMillis;
    private final List<Http2Connection> toClose = new ArrayList<>();
    /** How many streams the last peer that ended a connection under load had processed on it; 0 when none did. */
    private int lastEndedAfter;
    /** How many streams a connection is given. */
    private int mostStreams = Integer.MAX_VALUE;

    private long opened;
    private long foundClosed;
    private long retired;

    /** How it stands now; the last three are since the start. */
    record Counts(long leased, long idle, long opened, long foundClosed, long retired) {}

    Http2ConnectionSet(TargetLimits limits) {
        this.idle = Durations.nanos(limits.idle() == null ? TargetLimits.IDLE : limits.idle());
        this.maxAge = limits.maxAge() == null ? NEVER : Durations.nanos(limits.maxAge());
        this.sweepMillis = limits.sweep() == null
                ? Math.clamp(TimeUnit.NANOSECONDS.toMillis(idle) / 2, 100, 5_000)
                : limits.sweep().toMillis();
    }

    /** How often to ask for what is {@link #needless}, milliseconds. */
    long sweepMillis() {
        return sweepMillis;
    }

    /** How many there are, without those that only have to be closed. */
    long size() {
        return all.stream().filter(one -> !isNeedless(one)).count();
    }

    List<Http2Connection> all() {
        return List.copyOf(all);
    }

    /** Takes a connection up that was just opened; false when it has ended already. */
    boolean put(Http2Connection connection, long now) {
        opened++;
        if (!connection.isOpen()) {
            foundClosed++;
            return false;
        }
        connection.places.opened(now);
        all.add(connection);
        return true;
    }

    void remove(Http2Connection connection) {
        if (all.remove(connection) && !connection.places.isRetired() && connection.places.isEmpty()) {
            foundClosed++;
        }
    }

    /**
     * The first connection with a place free; one that is too old, has had as many calls as the peer processes on one, or was
     * opened under other keys and certificates, takes no more calls from now on.
     *
     * @param avoided left out; null for none
     */
    @Nullable
    Http2Connection free(@Nullable SSLContext context, long now, @Nullable Http2Connection avoided) {
        for (Http2Connection one : all) {
            if (!one.isOpen() || one.places.isRetired()) {
                continue;
            }
            // One that was just opened may be used once, or a short age would never let a call through.
            if (one.isUsed() && (!one.restsOn(context) || isOld(one, now) || one.places.total() >= mostStreams)) {
                retire(one);
            } else if (one != avoided && one.places.taken() < one.allowed()) {
                return one;
            }
        }
        return null;
    }

    /**
     * A peer ended a connection with streams on it that it did not process. Two in a row that end after the same number of
     * streams have that bound, as nginx has by keepalive_requests; a peer that stops ends them after different numbers.
     *
     * @param processed how many streams it processed, at least 1
     */
    void endedAfter(int processed) {
        mostStreams = processed == lastEndedAfter ? processed : Integer.MAX_VALUE;
        lastEndedAfter = processed;
    }

    /** Those without a call that are to be closed: idle for too long, or taking no more calls. */
    List<Http2Connection> needless(long now) {
        toClose.clear();
        List<Http2Connection> needless = new ArrayList<>();
        for (Http2Connection one : all) {
            if (one.places.isIdle(now, idle) || isOld(one, now)) {
                retire(one);
            }
            if (isNeedless(one)) {
                needless.add(one);
            }
        }
        return needless;
    }

    /** Those without a call that were found to be needless since this was asked last. */
    List<Http2Connection> toClose() {
        if (toClose.isEmpty()) {
            return List.of();
        }
        List<Http2Connection> now = List.copyOf(toClose);
        toClose.clear();
        return now;
    }

    private static boolean isNeedless(Http2Connection one) {
        return one.places.isRetired() && one.places.isEmpty();
    }

    private boolean isOld(Http2Connection one, long now) {
        return now - one.startedAt() >= maxAge;
    }

    private void retire(Http2Connection one) {
        if (!one.places.isRetired()) {
            one.places.retire();
            retired++;
            if (one.places.isEmpty()) {
                toClose.add(one);
            }
        }
    }

    Counts counts() {
        long unused = all.stream().filter(one -> one.places.isEmpty()).count();
        return new Counts(all.size() - unused, unused, opened, foundClosed, retired);
    }
}
