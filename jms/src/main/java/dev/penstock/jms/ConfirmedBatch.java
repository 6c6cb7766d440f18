package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.collapse.BatchEndings;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Many messages on one session of a broker without transactions. Each is confirmed by itself; all are on their way at once,
 * so that they take about as long as one. There is no undoing: what is not confirmed is in doubt.
 *
 * <p>For one thread, once.
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

    /** What became of each. */
    BatchEndings<JmsReceipt> run(SenderSession senderSession, SendTask sendTask) throws JMSException, Failed {
        @Nullable Confirmation[] sent = new Confirmation[messages.size()];
        sendTask.keeping();
        for (int place = 0; place < sent.length; place++) {
            sent[place] = send(senderSession, place);
        }
        boolean isWhole = true;
        for (int place = 0; place < sent.length; place++) {
            Confirmation confirmation = sent[place];
            isWhole &= confirmation == null || end(place, confirmation);
        }
        if (!isWhole) {
            sendTask.spoilt();
        }
        return endings.build();
    }

    private @Nullable Confirmation send(SenderSession senderSession, int place) {
        Message written;
        try {
            written = sender.write(senderSession, messages.get(place), true);
        } catch (JMSException unwritable) {
            JmsFault fault = JmsFault.of(unwritable);
            endings.ended(place, fault.isLost() ? fault.ending(SendTask.Step.PREPARING) : fault.refused());
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

    /** Waits for the broker's word, which the client does not await for ever; whether the session is still good. */
    private boolean end(int place, Confirmation confirmation) throws JMSException {
        try {
            endings.answered(place, new JmsReceipt(confirmation.done.join().getJMSMessageID()));
            return true;
        } catch (CompletionException failed) {
            Throwable why = failed.getCause();
            endings.ended(
                    place,
                    why instanceof JMSException known
                            ? JmsFault.of(known).ending(SendTask.Step.KEEPING)
                            : JmsFault.unexpected(why == null ? failed : why, SendTask.Step.KEEPING));
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
