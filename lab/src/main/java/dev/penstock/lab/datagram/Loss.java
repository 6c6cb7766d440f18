package dev.penstock.lab.datagram;

/**
 * Consecutive datagrams that were sent and never answered.
 *
 * @param first the first number
 * @param last the last number
 */
public record Loss(long first, long last) {
    /** The number of datagrams. */
    public long count() {
        return last - first + 1;
    }
}
