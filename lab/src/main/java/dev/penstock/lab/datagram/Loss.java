package dev.penstock.lab.datagram;

/**
 * Datagrams that were sent one after another and never answered.
 *
 * @param first the number of the first
 * @param last that of the last
 */
public record Loss(long first, long last) {
    /** How many. */
    public long count() {
        return last - first + 1;
    }
}
