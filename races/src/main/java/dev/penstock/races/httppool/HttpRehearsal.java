package dev.penstock.races.httppool;

import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.measure.LoadResult;
import java.time.Duration;

/**
 * What every contestant does before the start: it carries so many payments, answered at once, none of which is counted.
 * A JVM that has carried nothing yet takes many times as long for each, and a client that needs 5 ms of CPU when warm is
 * overrun by the full rate before it ever is. Over TLS as many callers as will be in flight rehearse: each opens a connection,
 * and hundreds of handshakes by code that is not compiled yet would overrun any client.
 */
final class HttpRehearsal {
    private static final int PAYMENTS = 1000;
    /** How many callers are enough where connections cost little. */
    static final int CALLERS = 16;

    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private HttpRehearsal() {}

    /**
     * Rehearses.
     *
     * @param seed of its payments: they are others than those of the load
     * @param callers how many call at a time
     * @throws IllegalStateException when not one payment was answered as it had to be
     */
    static void of(Client client, long seed, int callers) throws InterruptedException {
        LoadResult result = ClosedLoad.of(callers, Duration.ZERO)
                .count(PAYMENTS)
                .lasting(AT_MOST)
                .run(client, new PaymentXml(~seed), Reply::isApproved);
        if (result.counts().right() == 0) {
            throw new IllegalStateException(
                    "none of " + result.counts().offered() + " payments was answered before the start: "
                            + result.counts().causes());
        }
    }
}
