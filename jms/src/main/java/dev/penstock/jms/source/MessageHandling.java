package dev.penstock.jms.source;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.MessageMapper;
import dev.penstock.jms.source.HeldMessage.MessageOutcome;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.Redelivery;
import dev.penstock.source.SourceStop;
import jakarta.jms.JMSException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes one message through the flow, with retries, until it has an outcome. Thread-safe. */
final class MessageHandling {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);
    private static final long WARN_INTERVAL_NANOS = 60_000_000_000L;

    private final Service<? super JmsMessage, ?> handler;
    private final Redelivery redelivery;
    private final @Nullable String key;
    private final @Nullable Function<Object, @Nullable JmsMessage> replies;
    private final JmsSource.@Nullable Ended listener;
    private final DeliveryAttempts attempts;
    private final long maxBody;
    private final PrefetchWindow prefetchWindow;
    private final SourceStop stop;
    private final JmsSourceCounts counts;
    private final String where;
    private final AtomicLong keylessWarned = new AtomicLong(Ticker.SYSTEM.nanos() - WARN_INTERVAL_NANOS);

    MessageHandling(
            JmsSourceBuilder built,
            Service<? super JmsMessage, ?> handler,
            DeliveryAttempts attempts,
            PrefetchWindow prefetchWindow,
            SourceStop stop,
            JmsSourceCounts counts) {
        this.attempts = attempts;
        this.maxBody = built.maxBody;
        this.handler = handler;
        this.redelivery = built.redelivery;
        this.key = built.key;
        this.replies = built.replies;
        this.listener = built.listener;
        this.prefetchWindow = prefetchWindow;
        this.stop = stop;
        this.counts = counts;
        this.where = built.subscription() + " at " + built.broker.where();
    }

    /** Processes a message and returns its outcome. Blocking. */
    MessageOutcome handle(HeldMessage held) {
        JmsMessage head;
        long size;
        try {
            head = MessageMapper.headOf(held.message());
            size = MessageMapper.bodySize(held.message());
        } catch (JMSException | RuntimeException unreadable) {
            return new MessageOutcome.Dead(unreadable(unreadable), 0);
        }
        String damage = head.property(JmsMessage.DAMAGE);
        if (damage != null) {
            return reportEnding(head, null, unreadable(damage), 0);
        }
        if (size > maxBody) {
            return reportEnding(head, null, tooLarge(size), 0);
        }
        boolean isKeyed = isKeyed(head);
        int deaths = attempts.deaths(held);
        if (deaths > 0 || head.deliveries() > 1) {
            MessageOutcome outcome = checkRedelivered(head, isKeyed, deaths);
            if (outcome != null) {
                return outcome;
            }
        }
        return process(held, head, isKeyed, deaths);
    }

    /** The outcome of a redelivered message; null when it must be processed again. */
    private @Nullable MessageOutcome checkRedelivered(JmsMessage head, boolean isKeyed, int deaths) {
        JmsSource.Ended known = listener;
        AtomicReference<@Nullable Object> answer = new AtomicReference<>();
        if (known != null
                && !repeat("looking up the outcome of " + head, () -> answer.set(known.answeredBefore(head)))) {
            return new MessageOutcome.GivenBack(true);
        }
        Object before = answer.get();
        if (before != null) {
            return new MessageOutcome.Done(replied(head, before));
        }
        if (deaths >= redelivery.attempts() || (deaths > 0 && !isKeyed)) {
            return reportEnding(head, null, died(deaths, isKeyed), deaths);
        }
        return isKeyed ? null : reportEnding(head, null, unknownBefore(head), 0);
    }

    private boolean isKeyed(JmsMessage message) {
        boolean isKeyed = key != null && message.key(key) != null;
        if (key != null && !isKeyed) {
            warnKeyless();
        }
        return isKeyed;
    }

    private void warnKeyless() {
        long now = Ticker.SYSTEM.nanos();
        long last = keylessWarned.get();
        if (now - last >= WARN_INTERVAL_NANOS && keylessWarned.compareAndSet(last, now)) {
            LOG.warn(
                    "a message of {} has no {}, so it is not sent again if its outcome is unknown; set it in the sender, or"
                            + " choose another key",
                    where,
                    key);
        }
    }

    /** Whether the message has no key, so that it must not be sent twice. */
    boolean isKeyless(HeldMessage held) {
        try {
            return key == null || MessageMapper.headOf(held.message()).key(key) == null;
        } catch (JMSException | RuntimeException unreadable) {
            return true;
        }
    }

    private MessageOutcome process(HeldMessage held, JmsMessage head, boolean isKeyed, int deaths) {
        JmsMessage message = head;
        boolean isRead = false;
        int sent = 0;
        while (true) {
            Unanswered ended;
            try {
                Lock lock = attempts.lockFor(deaths);
                if (lock != null) {
                    lock.lock();
                }
                try {
                    if ((lock != null && stop.isAsked()) || !recordStart(held, isKeyed)) {
                        return new MessageOutcome.GivenBack();
                    }
                    if (!isRead) {
                        try {
                            message = held.read();
                        } catch (JMSException | RuntimeException unreadable) {
                            return reportEnding(head, null, unreadable(unreadable), sent);
                        }
                        isRead = true;
                    }
                    // Recorded before the next suspect starts, during which this process may die.
                    return reportEnding(message, callHandler(message), null, sent + 1);
                } finally {
                    if (lock != null) {
                        lock.unlock();
                    }
                }
            } catch (Unanswered unanswered) {
                ended = unanswered;
            } catch (InterruptedException interrupted) {
                return new MessageOutcome.GivenBack();
            } catch (
                    Throwable
                            thrown) { // also an Error: it concerns this message only, and others are processed after it
                ended = unexpected(thrown);
            }
            sent += ended instanceof Rejected ? 0 : 1;
            switch (redelivery.after(ended, sent, isKeyed, ThreadLocalRandom.current())) {
                case Redelivery.Next.ToDeadLetter _ -> {
                    return reportEnding(message, null, ended, sent);
                }
                case Redelivery.Next.GiveBack _ -> {
                    return new MessageOutcome.GivenBack();
                }
                case Redelivery.Next.Again again -> {
                    if (!prefetchWindow.pause(stop, again.nanos())) {
                        return new MessageOutcome.GivenBack();
                    }
                    counts.triedAgain.increment();
                }
            }
        }
    }

    /** Records that this process starts the message; false when the source stops before that succeeds. */
    private boolean recordStart(HeldMessage held, boolean isKeyed) {
        return repeat("recording an attempt of message " + held.id(), () -> attempts.begin(held, !isKeyed));
    }

    private boolean repeat(String what, PrefetchWindow.Step step) {
        return prefetchWindow.repeat(() -> stop, what, step);
    }

    private @Nullable Object callHandler(JmsMessage message) throws Exception {
        try {
            return handler.call(message);
        } finally {
            // A leftover interrupt of the handler would end the following waits.
            Thread.interrupted();
        }
    }

    /** Reports the ending to the listener before the message is acknowledged; a listener that fails is called again. */
    private MessageOutcome reportEnding(
            JmsMessage message, @Nullable Object answer, @Nullable Unanswered why, int attempts) {
        JmsSource.Ended known = listener;
        if (known != null && !repeat("recording the ending of " + message, () -> known.ended(message, answer, why))) {
            return new MessageOutcome.GivenBack(true);
        }
        return why == null ? new MessageOutcome.Done(replied(message, answer)) : new MessageOutcome.Dead(why, attempts);
    }

    /** The reply to an answered message. An answer that cannot be converted does not change the outcome. */
    private @Nullable JmsMessage replied(JmsMessage message, @Nullable Object answer) {
        try {
            return reply(message, answer);
        } catch (Throwable unwritable) {
            counts.repliesLost.increment();
            LOG.warn("the answer to {} cannot be converted to a reply: {}", message, unwritable.toString());
            return null;
        }
    }

    private @Nullable JmsMessage reply(JmsMessage message, @Nullable Object answer) {
        if (message.replyTo() == null) {
            return null;
        }
        if (replies != null && answer != null) {
            return replies.apply(answer);
        }
        return answer instanceof JmsMessage itself ? itself : JmsMessage.text(String.valueOf(answer));
    }

    private Unanswered tooLarge(long size) {
        return new Failed(
                Failed.Cause.REFUSED,
                "the body has " + size + " bytes, more than max_body (" + maxBody
                        + "), and was not read; raise max_body");
    }

    private static Unanswered died(int deaths, boolean isKeyed) {
        return new Unknown(
                Unknown.Cause.CLOSED,
                JmsSource.PROCESS_DIED
                        + (deaths == 1 ? "" : ", " + deaths + " times")
                        + (isKeyed ? "" : "; the message has no key, so it cannot be retried safely"));
    }

    private static Unanswered unreadable(String damage) {
        return new Failed(Failed.Cause.REFUSED, "the message cannot be read: " + damage);
    }

    private static Unanswered unreadable(Exception thrown) {
        return new Failed(Failed.Cause.REFUSED, "the message cannot be read: " + thrown.getMessage(), thrown);
    }

    private static Unanswered unexpected(Throwable thrown) {
        return new Unknown(Unknown.Cause.ERROR, "the target threw an unexpected exception: " + thrown, thrown);
    }

    private static Unanswered unknownBefore(JmsMessage message) {
        return new Unknown(
                Unknown.Cause.CLOSED,
                "redelivered (delivery " + message.deliveries() + "): an earlier process ended without recording the"
                        + " outcome; the message has no key, so it cannot be retried safely");
    }
}
