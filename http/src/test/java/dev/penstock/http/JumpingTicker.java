package dev.penstock.http;

import dev.penstock.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The JVM's clock, with times left out: what waits for real sockets goes on, and hours pass at once. */
final class JumpingTicker implements Ticker {
    private final AtomicLong left = new AtomicLong();

    void jump(Duration time) {
        left.addAndGet(time.toNanos());
    }

    @Override
    public long nanos() {
        return SYSTEM.nanos() + left.get();
    }

    @Override
    public void parkUntil(long nanos) {
        SYSTEM.parkUntil(nanos - left.get());
    }
}
