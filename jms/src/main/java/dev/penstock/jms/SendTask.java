package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How far some work at the broker is, which is done on one thread while another waits for it, and may stop waiting. Whoever
 * is first decides: once the caller has left, nothing more is sent; once it is told to be kept, it is in doubt.
 *
 * <p>Safe for both threads.
 */
final class SendTask {
    enum Step {
        /** Nothing was sent. */
        PREPARING,
        /** Sent, and not kept until it is told to. */
        SENDING,
        /** The broker may keep it, whatever happens to the answer. */
        KEEPING,
        /** The caller has left before that. */
        LEFT
    }

    /** Work at the broker. */
    @FunctionalInterface
    interface Work<R> {
        R at(SendTask sendTask) throws JMSException, Unanswered;
    }

    /** Lends a lane. */
    @FunctionalInterface
    interface Lending {
        SenderSession senderSession(@Nullable String queue) throws JMSException;
    }

    private final AtomicReference<Step> step = new AtomicReference<>(Step.PREPARING);
    private final Lending lending;
    private @Nullable SenderSession senderSession;
    private boolean isSpoilt;

    SendTask(Lending lending) {
        this.lending = lending;
    }

    /**
     * The lane to go by. For the thread that works.
     *
     * @param queue null for a producer to which each send names its destination
     */
    SenderSession senderSession(@Nullable String queue) throws JMSException {
        SenderSession lent = lending.senderSession(queue);
        senderSession = lent;
        return lent;
    }

    /** The lane that it went by; null for none yet. For the thread that works. */
    @Nullable
    SenderSession lent() {
        return senderSession;
    }

    /** The lane is not to be used again: something failed on it, although there is an answer. For the thread that works. */
    void spoilt() {
        isSpoilt = true;
    }

    boolean isSpoilt() {
        return isSpoilt;
    }

    /** From now on something is at the broker that it drops unless it is told to keep it. */
    void sending() throws Failed {
        go(Step.PREPARING, Step.SENDING);
    }

    /** From now on the broker may keep it. */
    void keeping() throws Failed {
        Step now = step.get();
        go(now == Step.SENDING ? Step.SENDING : Step.PREPARING, Step.KEEPING);
    }

    private void go(Step from, Step to) throws Failed {
        if (!step.compareAndSet(from, to)) {
            throw new Failed(Failed.Cause.UNDONE, "its caller had left before it was sent");
        }
    }

    /** How far it is. */
    Step step() {
        return step.get();
    }

    /** How it ended for a caller who leaves, since the time is up or it was interrupted. */
    Unanswered leave(boolean interrupted) {
        if (step.compareAndSet(Step.PREPARING, Step.LEFT)) {
            return interrupted
                    ? new Rejected(Rejected.Cause.QUEUE, "the caller was interrupted while a session was opened")
                    : new Rejected(
                            Rejected.Cause.POOL,
                            "no session with the broker was ready within the time left",
                            Duration.ofSeconds(1),
                            null);
        }
        if (step.compareAndSet(Step.SENDING, Step.LEFT)) {
            return new Failed(Failed.Cause.UNDONE, "the time was up before it was told to be kept, so it is undone");
        }
        return interrupted
                ? new Unknown(Unknown.Cause.INTERRUPTED, "the caller was interrupted while the broker had it")
                : new Unknown(Unknown.Cause.TIMEOUT, "the broker did not confirm it within the time left");
    }
}
