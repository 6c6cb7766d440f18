package dev.penstock.udp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The counts of one socket. Only the reading thread writes the {@code AtomicLong}s, once per batch; any thread the others. */
final class SocketReaderCounts {
    final AtomicLong received = new AtomicLong();
    final AtomicLong own = new AtomicLong();
    final AtomicLong truncated = new AtomicLong();
    final LongAdder answered = new LongAdder();
    final LongAdder unanswered = new LongAdder();
    final LongAdder ring = new LongAdder();
    final LongAdder handler = new LongAdder();
    final LongAdder send = new LongAdder();

    /** The number of received datagrams that have ended, in any way. */
    long ended() {
        return own.get()
                + truncated.get()
                + answered.sum()
                + unanswered.sum()
                + ring.sum()
                + handler.sum()
                + send.sum();
    }

    /** Adds to a counter that only the calling thread writes. */
    static void add(AtomicLong to, long count) {
        if (count != 0) {
            to.setRelease(to.getPlain() + count);
        }
    }
}
