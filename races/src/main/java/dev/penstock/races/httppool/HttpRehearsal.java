package dev.penstock.races.httppool;

import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.races.httppool.Client.Reply;
import java.time.Duration;

/**
 * The warm-up of every contestant before the start: payments that are answered immediately and not counted. A cold JVM
 * takes many times as long per payment, and a client that needs 5 ms of CPU each would be overrun by the full rate
 * before it is warm. Over TLS there are as many callers as payments in flight later: each opens a connection, and
 * hundreds of handshakes by uncompiled code would overrun any client.
 */
final class HttpRehearsal {
    private static final int PAYMENTS = 1000;
    /** Enough callers where connections are cheap. */
    static final int CALLERS = 16;

    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private HttpRehearsal() {}

    /**
     * Runs the rehearsal.
     *
     * @param seed of its payments, which differ from those of the load
     * @param callers concurrent callers
     * @throws IllegalStateException when no payment was answered correctly
     */
    static void of(Client client, long seed, int callers) throws InterruptedException {
        LoadResult result = ClosedLoad.of(callers, Duration.ZERO)
                .count(PAYMENTS)
                .lasting(AT_MOST)
                .run(client, new PaymentXml(~seed), Reply::isApproved);
        if (result.counts().right() == 0) {
            throw new IllegalStateException(
                    "none of " + result.counts().offered() + " payments was answered in the rehearsal: "
                            + result.counts().causes());
        }
    }
}
