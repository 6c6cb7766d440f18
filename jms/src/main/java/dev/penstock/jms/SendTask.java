package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jms.SenderSessions.SenderSession;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The state of a send that runs on one thread while its caller waits on another and may give up. The first transition
 * wins: after the caller gave up, nothing more is sent; once the commit is in flight, the outcome is unknown until it
 * is confirmed.
 *
 * <p>Thread-safe.
 */
final class SendTask {
    enum Step {
        /** Nothing was sent. */
        PREPARING,
        /** Sent, but not committed. */
        SENDING,
        /** The broker may keep the message, even if its answer is lost. */
        COMMITTING,
        /** The caller gave up before that. */
        ABANDONED
    }

    /** Work with a session. */
    @FunctionalInterface
    interface Work<R> {
        R at(SendTask sendTask) throws JMSException, Unanswered;
    }

    /** Provides a session. */
    @FunctionalInterface
    interface SessionProvider {
        SenderSession senderSession(@Nullable JmsDestination to) throws JMSException;
    }

    private final AtomicReference<Step> step = new AtomicReference<>(Step.PREPARING);
    private final SessionProvider sessions;
    private @Nullable SenderSession senderSession;
    private boolean isUnusable;

    SendTask(SessionProvider sessions) {
        this.sessions = sessions;
    }

    /**
     * Borrows a session. For the working thread.
     *
     * @param to null for a producer whose sends name their destination
     */
    SenderSession senderSession(@Nullable JmsDestination to) throws JMSException {
        SenderSession usedSession = sessions.senderSession(to);
        senderSession = usedSession;
        return usedSession;
    }

    /** The borrowed session; null for none yet. For the working thread. */
    @Nullable
    SenderSession usedSession() {
        return senderSession;
    }

    /** Marks the session as unusable: something failed on it, although there is a result. For the working thread. */
    void markUnusable() {
        isUnusable = true;
    }

    boolean isUnusable() {
        return isUnusable;
    }

    /** From now on the broker has something that it drops unless it is committed. */
    void sending() throws Failed {
        advance(Step.PREPARING, Step.SENDING);
    }

    /** From now on the broker may keep it. */
    void committing() throws Failed {
        Step now = step.get();
        advance(now == Step.SENDING ? Step.SENDING : Step.PREPARING, Step.COMMITTING);
    }

    private void advance(Step from, Step to) throws Failed {
        if (!step.compareAndSet(from, to)) {
            throw new Failed(Failed.Cause.UNDONE, "the caller gave up before the message was sent");
        }
    }

    /** The current state. */
    Step step() {
        return step.get();
    }

    /** The caller gives up at its deadline or because it was interrupted; returns the ending. */
    Unanswered abandon(boolean interrupted, String broker) {
        if (step.compareAndSet(Step.PREPARING, Step.ABANDONED)) {
            return interrupted
                    ? new Rejected(Rejected.Cause.QUEUE, "interrupted while opening a session")
                    : new Rejected(
                            Rejected.Cause.POOL,
                            "no session could be opened before the deadline",
                            Duration.ofSeconds(1),
                            null);
        }
        if (step.compareAndSet(Step.SENDING, Step.ABANDONED)) {
            return new Failed(Failed.Cause.UNDONE, "deadline exceeded before the commit, rolled back");
        }
        return interrupted
                ? new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while waiting for the broker's confirmation")
                : new Unknown(
                        Unknown.Cause.TIMEOUT,
                        "no confirmation from " + broker
                                + " before the deadline; check its log, its disk and memory, and whether the queue is full");
    }
}
