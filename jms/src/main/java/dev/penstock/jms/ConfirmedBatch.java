package dev.penstock.jms;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.jms.SenderSessions.SenderSession;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends many messages on one session of a broker without transactions. All are in flight at the same time and confirmed
 * one by one, so that they take about as long as one. They cannot be rolled back: the outcome of a message that is not
 * confirmed is unknown.
 *
 * <p>For a single use by one thread.
 */
final class ConfirmedBatch {
    private final MessageSender sender;
    private final List<JmsMessage> messages;
    private final BatchEndings.Builder<JmsReceipt> endings;

    ConfirmedBatch(MessageSender sender, List<JmsMessage> messages) {
        this.sender = sender;
        this.messages = messages;
        this.endings = BatchEndings.ofSize(messages.size());
    }

    /** Sends all messages and returns their endings. */
    BatchEndings<JmsReceipt> run(SenderSession senderSession, SendTask sendTask) throws JMSException, Failed {
        @Nullable Confirmation[] sent = new Confirmation[messages.size()];
        sendTask.committing();
        for (int index = 0; index < sent.length; index++) {
            sent[index] = send(senderSession, index);
        }
        boolean allConfirmed = true;
        for (int index = 0; index < sent.length; index++) {
            Confirmation confirmation = sent[index];
            allConfirmed &= confirmation == null || end(index, confirmation);
        }
        if (!allConfirmed) {
            sendTask.markUnusable();
        }
        return endings.build();
    }

    private @Nullable Confirmation send(SenderSession senderSession, int index) {
        Message written;
        try {
            written = sender.write(senderSession, messages.get(index), true);
        } catch (JMSException unwritable) {
            JmsFault fault = JmsFault.of(unwritable);
            endings.ended(index, fault.isLost() ? fault.ending(SendTask.Step.PREPARING) : fault.refused());
            return null;
        }
        Confirmation confirmation = new Confirmation();
        try {
            sender.send(senderSession, written, confirmation);
        } catch (JMSException failed) {
            confirmation.onException(written, failed);
        }
        return confirmation;
    }

    /** Waits for the confirmation, which the client limits; returns whether the session is still usable. */
    private boolean end(int index, Confirmation confirmation) throws JMSException {
        try {
            endings.answered(index, new JmsReceipt(confirmation.done.join().getJMSMessageID()));
            return true;
        } catch (CompletionException failed) {
            Throwable why = failed.getCause();
            endings.ended(
                    index,
                    why instanceof JMSException known
                            ? JmsFault.of(known).ending(SendTask.Step.COMMITTING)
                            : JmsFault.unexpected(why == null ? failed : why, SendTask.Step.COMMITTING));
            return false;
        }
    }

    private static final class Confirmation implements CompletionListener {
        final CompletableFuture<Message> done = new CompletableFuture<>();

        @Override
        public void onCompletion(Message message) {
            done.complete(message);
        }

        @Override
        public void onException(Message message, Exception why) {
            done.completeExceptionally(why);
        }
    }
}
