package dev.penstock.jms;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.jms.SenderSessions.SenderSession;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends many messages in one commit, on one session. What was sent but not committed is known to be rolled back when
 * the connection is lost. Only a connection lost between the commit and its answer leaves the outcome unknown.
 *
 * <p>For a single use by one thread.
 */
final class TransactedBatch {
    private final MessageSender sender;
    private final List<JmsMessage> messages;
    private final @Nullable Message[] sent;
    private final BatchEndings.Builder<JmsReceipt> endings;

    TransactedBatch(MessageSender sender, List<JmsMessage> messages) {
        this.sender = sender;
        this.messages = messages;
        this.sent = new Message[messages.size()];
        this.endings = BatchEndings.ofSize(messages.size());
    }

    /**
     * Sends all messages and returns their endings; empty when the broker rolled the batch back and the messages have
     * to be sent one by one.
     */
    Optional<BatchEndings<JmsReceipt>> run(SendTask sendTask) throws JMSException, Failed {
        SenderSession senderSession = sendTask.senderSession(sender.to());
        if (!senderSession.session().getTransacted()) {
            return Optional.of(new ConfirmedBatch(sender, messages).run(senderSession, sendTask));
        }
        sendTask.sending();
        try {
            sendAll(senderSession);
            sendTask.committing();
            senderSession.session().commit();
        } catch (JMSException failed) {
            if (!JmsFault.of(failed).isUndone()) {
                throw failed;
            }
            senderSession.session().rollback();
            return Optional.empty();
        } catch (Failed left) {
            senderSession.session().rollback();
            throw left;
        }
        for (int index = 0; index < sent.length; index++) {
            Message kept = sent[index];
            if (kept != null) {
                endings.answered(index, new JmsReceipt(kept.getJMSMessageID()));
            }
        }
        return Optional.of(endings.build());
    }

    private void sendAll(SenderSession senderSession) throws JMSException {
        boolean first = true;
        for (int index = 0; index < sent.length; index++) {
            Message written;
            try {
                written = sender.write(senderSession, messages.get(index), first);
            } catch (JMSException unwritable) {
                JmsFault fault = JmsFault.of(unwritable);
                if (fault.isLost()) {
                    throw unwritable;
                }
                endings.ended(index, fault.refused());
                continue;
            }
            sender.send(senderSession, written);
            sent[index] = written;
            first = false;
        }
    }
}
