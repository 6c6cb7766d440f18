package dev.penstock.races.jmsflow;

import java.util.BitSet;
import java.util.Map;

/**
 * The fate of all sent messages.
 *
 * @param lost neither handled nor in the queue
 * @param duplicates handled repeatedly, or handled and still in the queue
 */
record MessageAudit(long lost, long duplicates) {
    /**
     * Counts.
     *
     * @param left the messages still in the queue
     */
    static MessageAudit of(MessageWork handling, BitSet left) {
        long lost = 0;
        long duplicates = 0;
        for (int number = 0; number < handling.sent(); number++) {
            int times = handling.times(number) + (left.get(number) ? 1 : 0);
            lost += times == 0 ? 1 : 0;
            duplicates += Math.max(0, times - 1);
        }
        return new MessageAudit(lost, duplicates);
    }

    Map<String, Double> metrics() {
        return Map.of("lost", (double) lost, "duplicates", (double) duplicates);
    }
}
