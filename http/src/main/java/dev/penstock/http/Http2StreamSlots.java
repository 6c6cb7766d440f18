package dev.penstock.http;

import java.util.HashSet;
import java.util.Set;

/**
 * The places on one connection, one for each stream. Pure; its user holds a lock.
 *
 * <h2>Design note</h2>
 *
 * <p>A place is free again when the library has let go of the stream. A caller that gives up, by time or interrupt, cannot
 * make it do so: HttpCore 5.4 resets a stream only once something comes in for it, and a peer that has lost the request
 * never sends anything. So a connection with a stream given up takes no more calls, and is closed as soon as no other call
 * waits on it; that tells the peer of all streams given up on it. It is what a pool of HTTP/1.1 connections does when a time
 * is up, at the same price, one new connection.
 */
final class Http2StreamSlots {
    private final Set<Http2Stream> givenUp = new HashSet<>();
    private int taken;
    private int total;
    private boolean retired;
    private long idleSince;

    int taken() {
        return taken;
    }

    /** Reserves a place for a stream to come. */
    void take() {
        taken++;
        total++;
    }

    /** How many streams it was given so far. */
    int total() {
        return total;
    }

    /** Gives a place back at a time. */
    void free(long now) {
        taken--;
        idleSince = now;
    }

    void free(Http2Stream stream, long now) {
        givenUp.remove(stream);
        free(now);
    }

    /** Nobody waits for the stream any more, and nothing tells when the library lets go of it. */
    void giveUp(Http2Stream stream) {
        givenUp.add(stream);
        retire();
    }

    /** No more streams from now on. */
    void retire() {
        retired = true;
    }

    /** Whether it takes no more streams. */
    boolean isRetired() {
        return retired;
    }

    /** Whether it takes no more streams, and no stream on it has a caller that waits. */
    boolean isDeserted() {
        return retired && taken == givenUp.size();
    }

    /** Whether all streams have ended. */
    boolean isEmpty() {
        return taken == 0;
    }

    /** Whether it has been without streams for that long; never-used ones count from when they were opened. */
    boolean isIdle(long now, long nanos) {
        return taken == 0 && now - idleSince >= nanos;
    }

    void opened(long now) {
        idleSince = now;
    }
}
