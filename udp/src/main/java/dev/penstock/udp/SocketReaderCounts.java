package dev.penstock.udp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a shard has done. What the reading thread counts is added in steps of a batch; what others count, in stripes. */
final class SocketReaderCounts {
    final AtomicLong received = new AtomicLong();
    final AtomicLong own = new AtomicLong();
    final AtomicLong truncated = new AtomicLong();
    final LongAdder answered = new LongAdder();
    final LongAdder unanswered = new LongAdder();
    final LongAdder ring = new LongAdder();
    final LongAdder handler = new LongAdder();
    final LongAdder send = new LongAdder();

    /** How many that were received have ended, in whatever way. */
    long ended() {
        return own.get()
                + truncated.get()
                + answered.sum()
                + unanswered.sum()
                + ring.sum()
                + handler.sum()
                + send.sum();
    }

    /** As the only thread that writes it. */
    static void add(AtomicLong to, long count) {
        if (count != 0) {
            to.setRelease(to.getPlain() + count);
        }
    }
}
