package dev.penstock.http;

import java.time.Duration;

/**
 * Where the time of one exchange went, in nanoseconds; parts that did not happen are 0.
 *
 * @param waiting for a connection: for a place in the pool and the look at what lies idle
 * @param connecting the lookup of the host and TCP; all of it when no connection came about
 * @param securing the way through a proxy, and the handshake of TLS
 * @param sending the request, to the last byte that the system took
 * @param answering from there to the first byte of the answer: the target, and the network both ways
 * @param receiving from there to the last byte of the answer
 * @param inside Penstock: all else, such as writing and reading heads
 * @param total from the call of the target to its end
 * @param answered whether an answer came
 */
public record ExchangeTimes(
        long waiting,
        long connecting,
        long securing,
        long sending,
        long answering,
        long receiving,
        long inside,
        long total,
        boolean answered) {
    /** The parts that are not Penstock's own: connecting, securing, sending, answering and receiving. */
    public Duration inTransit() {
        return Duration.ofNanos(connecting + securing + sending + answering + receiving);
    }
}
