package dev.penstock.http.pool;

/** The work of a pool's loop, besides reading. What fails for one connection closes that one only. */
record LoopTasks(
        ConnectionSet connections,
        IdleEviction eviction,
        IdleLifetime lifetime,
        ResizableSemaphore permits,
        Connector connector,
        EventLoop loop)
        implements EventLoop.Handler {
    @Override
    public void closedWhileIdle(Connection connection) {
        eviction.foundClosed(connection);
    }

    @Override
    public void failed(Connection connection) {
        connections.drop(connection);
    }

    @Override
    public long runDue(long now) {
        if (now - permits.windowEnd() >= 0) {
            endWindow(now);
        }
        long next = closeTimedOut(now, permits.windowEnd());
        long expiry = eviction.closeExpired(now, next);
        return expiry - next < 0 ? expiry : next;
    }

    private void endWindow(long now) {
        try {
            permits.endWindow(now);
            if (connector.isRenewed()) {
                lifetime.renew(now);
            }
        } catch (RuntimeException | Error e) {
            loop.report("pool size and TLS files are checked again in the next window", e);
        }
    }

    /** Closes the connections whose exchange has timed out. Returns when the next one does, at most {@code latest}. */
    private long closeTimedOut(long now, long latest) {
        long next = latest;
        for (Connection connection : connections.all()) {
            long at = connection.timeout().at();
            if (at == Long.MAX_VALUE) {
                continue;
            }
            if (now - at >= 0) {
                timeOut(connection, at);
            } else if (at - next < 0) {
                next = at;
            }
        }
        return next;
    }

    private void timeOut(Connection connection, long at) {
        try {
            if (connection.timeout().expire(at)) {
                connection.close();
            }
        } catch (RuntimeException | Error e) {
            loop.failed(connection, e);
        }
    }
}
