package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.collapse.BatchEndings;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Many messages in one commit, on one session. What was sent and not yet committed is known to be undone when the connection
 * ends, so only the time between the commit and its answer leaves a doubt.
 *
 * <p>For one thread, once.
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

    /** What became of each; nothing when the broker has undone all, and each is to be sent by itself. */
    Optional<BatchEndings<JmsReceipt>> run(SendTask sendTask) throws JMSException, Failed {
        SenderSession senderSession = sendTask.senderSession(sender.queue());
        if (!senderSession.session().getTransacted()) {
            return Optional.of(new ConfirmedBatch(sender, messages).run(senderSession, sendTask));
        }
        sendTask.sending();
        try {
            sendAll(senderSession);
            sendTask.keeping();
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
        for (int place = 0; place < sent.length; place++) {
            Message kept = sent[place];
            if (kept != null) {
                endings.answered(place, new JmsReceipt(kept.getJMSMessageID()));
            }
        }
        return Optional.of(endings.build());
    }

    private void sendAll(SenderSession senderSession) throws JMSException {
        boolean first = true;
        for (int place = 0; place < sent.length; place++) {
            Message written;
            try {
                written = sender.write(senderSession, messages.get(place), first);
            } catch (JMSException unwritable) {
                JmsFault fault = JmsFault.of(unwritable);
                if (fault.isLost()) {
                    throw unwritable;
                }
                endings.ended(place, fault.refused());
                continue;
            }
            sender.send(senderSession, written);
            sent[place] = written;
            first = false;
        }
    }
}
