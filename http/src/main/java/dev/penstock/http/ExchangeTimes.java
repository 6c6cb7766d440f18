package dev.penstock.http;

import java.util.function.ObjLongConsumer;

/**
 * The times of one exchange by part, in nanoseconds. Parts that did not happen are 0.
 *
 * @param waiting for a permit of the pool and an idle connection
 * @param connecting DNS lookup and TCP connect; the whole time of opening if it failed
 * @param securing proxy tunnel and TLS handshake
 * @param sending the request, until the socket accepted its last byte
 * @param answering from then to the first byte of the answer: the target, and the network both ways
 * @param receiving from then to the last byte of the answer
 * @param inside all other time, spent in Penstock, such as writing and parsing heads
 * @param total from the call of the target to its end
 * @param answered whether there was an answer
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
    /** Passes on the parts that happened, as an observation of the transaction names them. */
    void forEach(ObjLongConsumer<String> to) {
        pass("pool", waiting, to);
        pass("connect", connecting, to);
        pass("tls", securing, to);
        pass("send", sending, to);
        pass("wait", answering, to);
        pass("receive", receiving, to);
        pass("inside", inside, to);
    }

    private static void pass(String part, long nanos, ObjLongConsumer<String> to) {
        if (nanos > 0) {
            to.accept(part, nanos);
        }
    }
}
