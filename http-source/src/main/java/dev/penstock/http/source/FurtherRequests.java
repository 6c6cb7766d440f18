package dev.penstock.http.source;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests of HTTP/2 connections beyond the first one of each. Together they are as many as connections, so that streams
 * without bodies or with unread answers use no more memory than connections. A connection may begin another one while it has
 * fewer than are still free (dynamic thresholds: Choudhury and Hahne, 1998), so that some are left for others, whatever one
 * does. Thread-safe.
 */
final class FurtherRequests {
    private final int max;
    private final AtomicInteger open = new AtomicInteger();

    FurtherRequests(int maxConnections) {
        this.max = Math.max(maxConnections, 4 * Http2Bounds.MAX_STREAMS);
    }

    /** @param requests how many the connection has */
    boolean tryTake(int requests) {
        if (requests > max - open.get()) {
            return false;
        }
        open.incrementAndGet();
        return true;
    }

    void release() {
        open.decrementAndGet();
    }
}
