package dev.penstock.races.httppool;

import dev.penstock.Service;
import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Posts payments to one URL: as {@code application/xml} with the payment's id as Idempotency-Key, reading the whole
 * answer. Throws only endings, see {@link ExceptionEndings}. Thread-safe.
 */
interface Client extends Service<Payment, Client.Reply>, AutoCloseable {
    /** The header with a payment's id. */
    String KEY = "Idempotency-Key";

    /** The type of a payment's body. */
    String TYPE = "application/xml";

    /** Closes its connections and ends its threads. */
    @Override
    void close() throws IOException;

    /**
     * An answer.
     *
     * @param status the status code
     * @param text the whole body
     */
    record Reply(int status, String text) {
        /** From a body in bytes. */
        static Reply of(int status, byte[] body) {
            return new Reply(status, new String(body, StandardCharsets.UTF_8));
        }

        /** Whether it is the expected answer. */
        boolean isApproved() {
            return status == 200 && text.contains("approved");
        }
    }
}
