package dev.penstock.jms;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.jms.SenderSessions.SenderSession;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends many messages on one session. In a transacted session they are one commit: what was sent but not committed is known to
 * be rolled back when the connection is lost, and only a connection lost between the commit and its answer leaves the outcome
 * unknown.
 *
 * <p>A broker without transactions confirms them one by one. All are in flight at the same time, so that they take about as
 * long as one. They cannot be rolled back: the outcome of a message that is not confirmed is unknown.
 *
 * <p>For a single use by one thread.
 */
final class MessageBatch {
    private final MessageSender sender;
    private final List<JmsMessage> messages;
    private final BatchEndings.Builder<JmsReceipt> endings;

    MessageBatch(MessageSender sender, List<JmsMessage> messages) {
        this.sender = sender;
        this.messages = messages;
        this.endings = BatchEndings.ofSize(messages.size());
    }

    /**
     * Sends all messages and returns their endings; empty when the broker rolled the batch back and the messages have
     * to be sent one by one.
     */
    Optional<BatchEndings<JmsReceipt>> run(SendTask sendTask) throws JMSException, Failed {
        SenderSession senderSession = sendTask.senderSession(sender.to());
        if (!senderSession.session().getTransacted()) {
            confirm(senderSession, sendTask);
        } else if (!commit(senderSession, sendTask)) {
            return Optional.empty();
        }
        return Optional.of(endings.build());
    }

    /** Returns false when the broker rolled back. */
    private boolean commit(SenderSession senderSession, SendTask sendTask) throws JMSException, Failed {
        Map<Integer, Message> sent = new LinkedHashMap<>();
        sendTask.sending();
        try {
            for (int index = 0; index < messages.size(); index++) {
                Message written = written(senderSession, index, sent.isEmpty());
                if (written != null) {
                    sender.send(senderSession, written);
                    sent.put(index, written);
                }
            }
            sendTask.committing();
            senderSession.session().commit();
        } catch (JMSException failed) {
            if (!JmsFault.of(failed).isUndone()) {
                throw failed;
            }
            senderSession.session().rollback();
            return false;
        } catch (Failed left) {
            senderSession.session().rollback();
            throw left;
        }
        for (Map.Entry<Integer, Message> one : sent.entrySet()) {
            endings.answered(one.getKey(), new JmsReceipt(one.getValue().getJMSMessageID()));
        }
        return true;
    }

    /** Returns null for a message that is refused, which ends here. */
    private @Nullable Message written(SenderSession senderSession, int index, boolean first) throws JMSException {
        try {
            return sender.write(senderSession, messages.get(index), first);
        } catch (Failed refused) {
            endings.ended(index, refused);
            return null;
        }
    }

    private void confirm(SenderSession senderSession, SendTask sendTask) throws JMSException, Failed {
        Map<Integer, Confirmation> sent = new LinkedHashMap<>();
        sendTask.committing();
        for (int index = 0; index < messages.size(); index++) {
            try {
                Message written = written(senderSession, index, true);
                if (written != null) {
                    sent.put(index, sent(senderSession, written));
                }
            } catch (JMSException lost) {
                endings.ended(index, JmsFault.of(lost).ending(SendTask.Step.PREPARING));
            }
        }
        boolean allConfirmed = true;
        for (Map.Entry<Integer, Confirmation> one : sent.entrySet()) {
            allConfirmed &= end(one.getKey(), one.getValue());
        }
        if (!allConfirmed) {
            sendTask.markUnusable();
        }
    }

    private Confirmation sent(SenderSession senderSession, Message written) {
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
