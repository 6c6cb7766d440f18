package dev.penstock.gateway;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.BadInput;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.source.JmsSource;
import org.jspecify.annotations.Nullable;

/**
 * Brings messages to a flow whose words are those of HTTP, and writes down what became of them. Safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>To a client over HTTP every answer is one, for it decides itself what to do next. A message that is acknowledged is gone.
 * So what says that the target did not take the request ({@link HttpAnswer#isTaken}) has failed here and comes again, and of
 * any other fault of the target (500 and above) nobody knows whether it took effect: unknown. All else is an answer, also a
 * business "no".
 *
 * @param flow where requests go
 * @param key what makes a message repeatable; null for nothing
 * @param book where it is written what became of those that bear an id of ours; null for nowhere
 */
record QueueHandler(
        Service<HttpCall, HttpAnswer> flow,
        @Nullable String key,
        @Nullable StatusStore book) implements Service<JmsMessage, HttpAnswer>, JmsSource.Ended {
    private static final int FAULTS = 500;

    @Override
    public HttpAnswer call(JmsMessage message) throws Exception {
        HttpAnswer answer = carried(message);
        if (!answer.isTaken()) {
            throw new Failed(Failed.Cause.ROLLED_BACK, "the target did not take it, and answered " + answer.status());
        }
        if (answer.status() >= FAULTS) {
            throw new Unknown(Unknown.Cause.ERROR, "the target answered " + answer.status());
        }
        return answer;
    }

    private HttpAnswer carried(JmsMessage message) throws Exception {
        try {
            return flow.call(QueueMessages.call(message, key));
        } catch (BadInput wrong) {
            throw new Failed(Failed.Cause.REFUSED, "this message is no request: " + wrong.getMessage(), wrong);
        }
    }

    /** Writes it down before the broker is told; where that fails it is told again, and the message is not sent again. */
    @Override
    public void ended(JmsMessage message, @Nullable Object answer, @Nullable Unanswered why) throws Exception {
        String id = book == null ? null : id(message);
        if (book == null || id == null) {
            return;
        }
        if (answer instanceof HttpAnswer http) {
            book.answered(id, http);
        } else if (why != null) {
            book.unanswered(id, why);
        }
    }

    /** An ending that is stored, but not acknowledged to the broker. */
    @Override
    public @Nullable HttpAnswer answeredBefore(JmsMessage message) throws Exception {
        String id = book == null ? null : id(message);
        return book == null || id == null ? null : book.answer(id);
    }

    private static @Nullable String id(JmsMessage message) {
        String id = message.property(QueueMessages.ID);
        return id != null && TransactionIds.isOne(id) ? id : null;
    }
}
