package dev.penstock.races.httppool;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.lab.load.PaymentXml.Payment;

/**
 * A client that records when and how each call ended.
 *
 * @param client makes the calls
 * @param segments receives the records
 * @param ticker the clock
 * @param start start of the load, by the ticker
 */
record WatchedClient(Client client, Segments segments, Ticker ticker, long start) implements Service<Payment, Reply> {
    @Override
    public Reply call(Payment payment) throws Exception {
        try {
            Reply reply = client.call(payment);
            segments.answered(ticker.nanos() - start, reply);
            return reply;
        } catch (Exception e) {
            segments.threw(ticker.nanos() - start, e);
            throw e;
        }
    }
}
