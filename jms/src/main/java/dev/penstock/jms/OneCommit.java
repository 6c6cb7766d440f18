package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.collapse.Endings;
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
final class OneCommit {
    private final Sender sender;
    private final List<JmsMessage> messages;
    private final @Nullable Message[] sent;
    private final Endings.Builder<JmsReceipt> endings;

    OneCommit(Sender sender, List<JmsMessage> messages) {
        this.sender = sender;
        this.messages = messages;
        this.sent = new Message[messages.size()];
        this.endings = Endings.ofSize(messages.size());
    }

    /** What became of each; nothing when the broker has undone all, and each is to be sent by itself. */
    Optional<Endings<JmsReceipt>> run(Errand errand) throws JMSException, Failed {
        Lane lane = errand.lane(sender.queue());
        if (!lane.session().getTransacted()) {
            return Optional.of(new EachConfirmed(sender, messages).run(lane, errand));
        }
        errand.sending();
        try {
            sendAll(lane);
            errand.keeping();
            lane.session().commit();
        } catch (JMSException failed) {
            if (!Fault.of(failed).isUndone()) {
                throw failed;
            }
            lane.session().rollback();
            return Optional.empty();
        } catch (Failed left) {
            lane.session().rollback();
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

    private void sendAll(Lane lane) throws JMSException {
        boolean first = true;
        for (int place = 0; place < sent.length; place++) {
            Message written;
            try {
                written = sender.write(lane, messages.get(place), first);
            } catch (JMSException unwritable) {
                Fault fault = Fault.of(unwritable);
                if (fault.isLost()) {
                    throw unwritable;
                }
                endings.ended(place, fault.refused());
                continue;
            }
            sender.send(lane, written);
            sent[place] = written;
            first = false;
        }
    }
}
