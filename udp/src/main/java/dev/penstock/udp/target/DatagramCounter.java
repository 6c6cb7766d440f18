package dev.penstock.udp.target;

import java.util.concurrent.atomic.LongAdder;

/** Counts the datagrams of a target. Safe for many threads. */
final class DatagramCounter {
    final LongAdder sent = new LongAdder();
    final LongAdder repeated = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder late = new LongAdder();
    final LongAdder strangers = new LongAdder();
    final LongAdder unreadable = new LongAdder();
    final LongAdder truncated = new LongAdder();
}
