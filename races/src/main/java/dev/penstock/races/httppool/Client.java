package dev.penstock.races.httppool;

import dev.penstock.Service;
import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.IOException;

/**
 * Posts payments to one URL: as {@code application/xml} with the payment's id as Idempotency-Key, reading the whole
 * answer. Throws only endings, see {@link ExceptionEndings}. Thread-safe.
 */
interface Client extends Service<Payment, Reply>, AutoCloseable {
    /** The header with a payment's id. */
    String KEY = "Idempotency-Key";

    /** The type of a payment's body. */
    String TYPE = "application/xml";

    /** Closes its connections and ends its threads. */
    @Override
    void close() throws IOException;
}
