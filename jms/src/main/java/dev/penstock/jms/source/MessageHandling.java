package dev.penstock.jms.source;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jms.JmsMessage;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries one message through its flow, again where that is due, until it has an outcome. Safe for many threads. */
final class MessageHandling {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);
    private static final long BOOK_WAIT = 1_000_000_000;

    private final Service<? super JmsMessage, ?> handler;
    private final Redelivery redelivery;
    private final @Nullable String key;
    private final @Nullable Function<Object, JmsMessage> replies;
    private final JmsSource.@Nullable Ended listener;
    private final DeliveryAttempts attempts;
    private final long maxBody;
    private final PrefetchWindow prefetchWindow;
    private final SourceStop stop;
    private final JmsSourceCounts counts;
    private final RandomGenerator random;

    MessageHandling(
            JmsSourceBuilder built,
            Service<? super JmsMessage, ?> handler,
            DeliveryAttempts attempts,
            PrefetchWindow prefetchWindow,
            SourceStop stop,
            JmsSourceCounts counts) {
        this.attempts = attempts;
        this.maxBody = built.maxBody();
        this.handler = handler;
        this.redelivery = built.redelivery();
        this.key = built.key();
        this.replies = built.replies();
        this.listener = built.listener();
        this.prefetchWindow = prefetchWindow;
        this.stop = stop;
        this.counts = counts;
        this.random = built.random();
    }

    /** What becomes of a message. Blocks until that is known. */
    MessageOutcome handle(HeldMessage held) {
        JmsMessage head;
        long size;
        try {
            head = JmsMessage.headOf(held.message());
            size = JmsMessage.bodySize(held.message());
        } catch (JMSException | RuntimeException unreadable) {
            return new MessageOutcome.Dead(unreadable(unreadable), 0);
        }
        if (size > maxBody) {
            return booked(head, null, tooLarge(size), 0);
        }
        boolean isKeyed = isKeyed(head);
        int deaths = attempts.deaths(held);
        if (deaths > 0 || head.deliveries() > 1) {
            MessageOutcome before = before(head, isKeyed, deaths);
            if (before != null) {
                return before;
            }
        }
        return offer(held, head, isKeyed, deaths);
    }

    /** What is to become of a message that was delivered before; null when it is to be processed again. */
    private @Nullable MessageOutcome before(JmsMessage head, boolean isKeyed, int deaths) {
        while (listener != null) {
            try {
                Object answer = listener.answeredBefore(head);
                if (answer != null) {
                    return new MessageOutcome.Done(replied(head, answer));
                }
                break;
            } catch (Throwable away) {
                LOG.warn("{} waits, as what became of it cannot be looked up: {}", head, away.toString());
                if (!waits(BOOK_WAIT)) {
                    return new MessageOutcome.GivenBack(true);
                }
            }
        }
        if (deaths >= redelivery.attempts() || (deaths > 0 && !isKeyed)) {
            return booked(head, null, died(deaths, isKeyed), deaths);
        }
        return isKeyed ? null : booked(head, null, inDoubt(head), 0);
    }

    private boolean isKeyed(JmsMessage message) {
        return key != null && message.key(key) != null;
    }

    /** Whether it bears no key, so that it must not be sent twice. */
    boolean isKeyless(HeldMessage held) {
        try {
            return key == null || JmsMessage.headOf(held.message()).key(key) == null;
        } catch (JMSException | RuntimeException unreadable) {
            return true;
        }
    }

    private MessageOutcome offer(HeldMessage held, JmsMessage head, boolean isKeyed, int deaths) {
        JmsMessage message = head;
        boolean isRead = false;
        int sent = 0;
        while (true) {
            Unanswered ended;
            try {
                Lock turn = attempts.turn(deaths);
                if (turn != null) {
                    turn.lock();
                }
                try {
                    if ((turn != null && stop.isAsked()) || !begins(held, isKeyed)) {
                        return new MessageOutcome.GivenBack();
                    }
                    if (!isRead) {
                        try {
                            message = held.read();
                        } catch (JMSException | RuntimeException unreadable) {
                            return new MessageOutcome.Dead(unreadable(unreadable), sent);
                        }
                        isRead = true;
                    }
                    // Written down before the next suspect begins, over which this process may die.
                    return booked(message, called(message), null, sent + 1);
                } finally {
                    if (turn != null) {
                        turn.unlock();
                    }
                }
            } catch (Unanswered unanswered) {
                ended = unanswered;
            } catch (InterruptedException interrupted) {
                return new MessageOutcome.GivenBack();
            } catch (Throwable thrown) { // an Error too: it is this message's, and others are carried after it
                ended = unclear(thrown);
            }
            sent += ended instanceof Rejected ? 0 : 1;
            switch (redelivery.after(ended, sent, isKeyed, random)) {
                case Redelivery.Next.Bury _ -> {
                    return booked(message, null, ended, sent);
                }
                case Redelivery.Next.GiveBack _ -> {
                    return new MessageOutcome.GivenBack();
                }
                case Redelivery.Next.Again again -> {
                    if (!waits(again.nanos())) {
                        return new MessageOutcome.GivenBack();
                    }
                    counts.triedAgain.increment();
                }
            }
        }
    }

    /** Notes that this process begins with it; false when the source is stopping before that can be noted. */
    private boolean begins(HeldMessage held, boolean isKeyed) {
        while (true) {
            try {
                attempts.begin(held, !isKeyed);
                return true;
            } catch (IOException failed) {
                LOG.warn("message {} is not begun, as that cannot be noted: {}", held.id(), failed.toString());
                if (!waits(BOOK_WAIT)) {
                    return false;
                }
            }
        }
    }

    private @Nullable Object called(JmsMessage message) throws Exception {
        try {
            return handler.call(message);
        } finally {
            // An interrupt that a handler left behind would end the waits that follow.
            Thread.interrupted();
        }
    }

    /** Waits in hand; false when the source is stopping. */
    private boolean waits(long nanos) {
        prefetchWindow.beginsToWait();
        try {
            return !stop.within(nanos);
        } finally {
            prefetchWindow.waitedEnough();
        }
    }

    /** Has the ending written down before anybody tells the broker: a book that cannot be written is tried again. */
    private MessageOutcome booked(JmsMessage message, @Nullable Object answer, @Nullable Unanswered why, int attempts) {
        while (listener != null) {
            try {
                listener.ended(message, answer, why);
                break;
            } catch (Throwable failed) {
                LOG.warn("the ending of {} cannot be written down, and is tried again: {}", message, failed.toString());
                if (!waits(BOOK_WAIT)) {
                    return new MessageOutcome.GivenBack(true);
                }
            }
        }
        return why == null ? new MessageOutcome.Done(replied(message, answer)) : new MessageOutcome.Dead(why, attempts);
    }

    /** An answer that no message can carry takes nothing back: it was answered. */
    private @Nullable JmsMessage replied(JmsMessage message, @Nullable Object answer) {
        try {
            return reply(message, answer);
        } catch (Throwable unwritable) {
            counts.repliesLost.increment();
            LOG.warn("the answer to {} makes no reply: {}", message, unwritable.toString());
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
                "its body has " + size + " bytes, more than max_body (" + maxBody
                        + "); it was not read: raise max_body");
    }

    private static Unanswered died(int deaths, boolean isKeyed) {
        return new Unknown(
                Unknown.Cause.CLOSED,
                JmsSource.PROCESS_DIED
                        + (deaths == 1 ? "" : ", " + deaths + " times")
                        + (isKeyed ? "" : "; it bears no key by which it could be tried again"));
    }

    private static Unanswered unreadable(Exception thrown) {
        return new Failed(Failed.Cause.REFUSED, "the message cannot be read: " + thrown.getMessage(), thrown);
    }

    private static Unanswered unclear(Throwable thrown) {
        return new Unknown(Unknown.Cause.ERROR, "the target threw what tells nothing: " + thrown, thrown);
    }

    private static Unanswered inDoubt(JmsMessage message) {
        return new Unknown(
                Unknown.Cause.CLOSED,
                "it was delivered before (this is number " + message.deliveries() + "), to a process that ended without"
                        + " saying what became of it; it bears no key by which it could be tried again");
    }
}
