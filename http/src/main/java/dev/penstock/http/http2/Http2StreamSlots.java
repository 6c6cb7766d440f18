package dev.penstock.http.http2;

import java.util.HashSet;
import java.util.Set;

/**
 * The stream slots of one connection. Pure; guarded by the caller's lock.
 *
 * <h2>Design note</h2>
 *
 * <p>A slot becomes free when HttpCore releases the stream. A caller that gives up, by timeout or interrupt, cannot force that:
 * HttpCore 5.4 resets a stream only when a frame for it arrives, and a peer that has lost the request never sends one. So a
 * connection with an abandoned stream accepts no more calls, and is closed once no other call waits on it, which also cancels
 * the abandoned streams at the peer. An HTTP/1.1 pool does the same on a timeout, at the same cost: one new connection.
 */
final class Http2StreamSlots {
    private final Set<Http2Stream> abandoned = new HashSet<>();
    private int taken;
    private int total;
    private boolean retired;
    private long idleSince;

    int taken() {
        return taken;
    }

    /** Reserves a slot. */
    void take() {
        taken++;
        total++;
    }

    /** Number of streams so far. */
    int total() {
        return total;
    }

    /** Releases a slot. */
    void free(long now) {
        taken--;
        idleSince = now;
    }

    void free(Http2Stream stream, long now) {
        abandoned.remove(stream);
        free(now);
    }

    /** Abandons a stream whose caller has stopped waiting, although HttpCore has not released it; retires the connection. */
    void abandon(Http2Stream stream) {
        abandoned.add(stream);
        retire();
    }

    /** Accepts no more streams. */
    void retire() {
        retired = true;
    }

    /** Whether it accepts no more streams. */
    boolean isRetired() {
        return retired;
    }

    /** Whether it accepts no more streams, and all its streams are abandoned. */
    boolean isDeserted() {
        return retired && taken == abandoned.size();
    }

    /** Whether all streams have ended. */
    boolean isEmpty() {
        return taken == 0;
    }

    /** Whether it has had no streams for that long; an unused connection counts from when it was opened. */
    boolean isIdle(long now, long nanos) {
        return taken == 0 && now - idleSince >= nanos;
    }

    void opened(long now) {
        idleSince = now;
    }
}
