package dev.penstock.http.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The connections to one target; selects the connection for a call and those to close. Guarded by the caller's lock. */
final class Http2ConnectionSet {
    private final List<Http2Connection> all = new ArrayList<>();
    private final long idle;
    private final long maxAge;
    private final long sweepMillis;
    private final List<Http2Connection> toClose = new ArrayList<>();
    /** Number of streams after which the peer last ended a connection under load; 0 if it never did. */
    private int lastEndedAfter;
    /** Maximum number of streams in the life of a connection. */
    private int mostStreams = Integer.MAX_VALUE;

    private long opened;
    private long foundClosed;
    private long retired;

    Http2ConnectionSet(Http2Connections.Limits limits) {
        this.idle = limits.idle();
        this.maxAge = limits.maxAge();
        this.sweepMillis = Math.clamp(TimeUnit.NANOSECONDS.toMillis(idle) / 2, 100, 5_000);
    }

    /** How often to check for {@link #needless} connections, milliseconds. */
    long sweepMillis() {
        return sweepMillis;
    }

    /** Number of connections, without those that are to be closed. */
    long size() {
        return all.stream().filter(one -> !isNeedless(one)).count();
    }

    /** Number of connections on which the peer allows no streams at present. */
    long paused() {
        return all.stream()
                .filter(one -> one.isOpen() && !one.slots.isRetired() && one.allowed() == 0)
                .count();
    }

    List<Http2Connection> all() {
        return List.copyOf(all);
    }

    /** Adds a connection that was just opened; returns false if it is already closed. */
    boolean put(Http2Connection connection, long now) {
        opened++;
        if (!connection.isOpen()) {
            foundClosed++;
            return false;
        }
        connection.slots.opened(now);
        all.add(connection);
        return true;
    }

    void remove(Http2Connection connection) {
        if (all.remove(connection) && !connection.slots.isRetired() && connection.slots.isEmpty()) {
            foundClosed++;
        }
    }

    /**
     * Returns the first connection with a free slot, or null. Retires connections that are too old, have reached the number of
     * streams that the peer processes per connection, or were opened with another TLS context.
     *
     * @param avoided is skipped; null for none
     */
    @Nullable
    Http2Connection free(@Nullable SSLContext context, long now, @Nullable Http2Connection avoided) {
        for (Http2Connection one : all) {
            if (!one.isOpen() || one.slots.isRetired()) {
                continue;
            }
            // A new connection may be used once; otherwise no call could be sent with a very short maximum age.
            if (one.isUsed() && (!one.uses(context) || isOld(one, now) || one.slots.total() >= mostStreams)) {
                retire(one);
            } else if (one != avoided && one.slots.taken() < one.allowed()) {
                return one;
            }
        }
        return null;
    }

    /**
     * Records that the peer ended a connection without processing all of its streams. If two in a row end after the same number
     * of streams, the peer has that limit, such as nginx with keepalive_requests. A peer that shuts down ends connections after
     * different numbers.
     *
     * @param processed number of streams processed, at least 1
     */
    void endedAfter(int processed) {
        mostStreams = processed == lastEndedAfter ? processed : Integer.MAX_VALUE;
        lastEndedAfter = processed;
    }

    /** Returns the connections without calls that are to be closed, because they are retired or idle for too long. */
    List<Http2Connection> needless(long now) {
        toClose.clear();
        List<Http2Connection> needless = new ArrayList<>();
        for (Http2Connection one : all) {
            if (one.slots.isIdle(now, idle) || isOld(one, now)) {
                retire(one);
            }
            if (isNeedless(one)) {
                needless.add(one);
            }
        }
        return needless;
    }

    /** Returns the connections without calls that were retired since the last call of this method. */
    List<Http2Connection> toClose() {
        if (toClose.isEmpty()) {
            return List.of();
        }
        List<Http2Connection> now = List.copyOf(toClose);
        toClose.clear();
        return now;
    }

    private static boolean isNeedless(Http2Connection one) {
        return one.slots.isRetired() && one.slots.isEmpty();
    }

    private boolean isOld(Http2Connection one, long now) {
        return now - one.startedAt() >= maxAge;
    }

    private void retire(Http2Connection one) {
        if (!one.slots.isRetired()) {
            one.slots.retire();
            retired++;
            if (one.slots.isEmpty()) {
                toClose.add(one);
            }
        }
    }

    Http2Connections.Counts counts() {
        long unused = all.stream().filter(one -> one.slots.isEmpty()).count();
        return new Http2Connections.Counts(all.size() - unused, unused, opened, foundClosed, retired);
    }
}
