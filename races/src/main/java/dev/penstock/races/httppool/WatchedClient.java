package dev.penstock.races.httppool;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.lab.load.PaymentXml.Payment;

/**
 * A client, and a note of when and how each of its calls ended.
 *
 * @param client carries the calls
 * @param segments takes the notes
 * @param ticker tells the time
 * @param start the ticker's reading when the load began
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
