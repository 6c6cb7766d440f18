package dev.penstock.udp.target;

import dev.penstock.Deadline;
import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.udp.target.DatagramCall.Outcome;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Sends a request, once or more often, and waits for its answer on the calling thread. Safe for many threads. */
final class DatagramAttempts {
    /** How long an answer is waited for where no deadline is nearer. */
    static final long MAX_WAIT_NANOS = 30_000_000_000L;

    /** How often room in the send buffer is looked for. */
    private static final long RETRY_SEND_NANOS = 2_000_000;

    private final int most;
    private final String where;
    private final DatagramCounter counter;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final ReentrantLock measuring = new ReentrantLock();
    private final RoundTrip roundTrip;

    DatagramAttempts(UdpTargetBuilder built, String where, DatagramCounter counter, Ticker ticker, RandomGenerator random) {
        this.most = built.attempts();
        this.where = where;
        this.counter = counter;
        this.ticker = ticker;
        this.random = random;
        this.roundTrip = built.roundTrip();
    }

    byte[] execute(DatagramCall call, PeerSocket peerSocket) throws Unanswered {
        long start = ticker.nanos();
        long end = start + timeAllowed();
        int sent = 0;
        try {
            while (true) {
                if (sent == 0 || call.queueAgain()) {
                    sent++;
                    (sent == 1 ? counter.sent : counter.repeated).increment();
                    peerSocket.send(call);
                }
                Outcome outcome = await(call, peerSocket, until(sent, end));
                if (outcome != null) {
                    return read(outcome, call, sent);
                }
                if (call.isStuck()) {
                    counter.sent.decrement();
                    throw new Failed(
                            Failed.Cause.CONNECT,
                            "there is no way to " + where + ", or the request is too large for it");
                }
                if (sent >= most || ticker.nanos() - end >= 0) {
                    throw timedOut(call, sent, ticker.nanos() - start);
                }
                overdue(call);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw stopped(call);
        }
    }

    /**
     * How long the calling thread waits at most, in nanoseconds.
     *
     * @throws Rejected cause {@code DEADLINE}: its time is up
     */
    long timeAllowed() throws Rejected {
        Deadline deadline = Deadline.current();
        long left = deadline == null ? MAX_WAIT_NANOS : deadline.nanosLeft();
        if (left <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "the time was up before the request could be sent to " + where);
        }
        return Math.min(left, MAX_WAIT_NANOS);
    }

    /** A last attempt is waited for as long as there is time, for that costs nothing, unless a person says otherwise. */
    private long until(int attempt, long end) {
        measuring.lock();
        try {
            if (attempt >= most && !roundTrip.isPinned()) {
                return end;
            }
            long overdue = ticker.nanos() + roundTrip.wait(attempt, random);
            return overdue - end < 0 ? overdue : end;
        } finally {
            measuring.unlock();
        }
    }

    private @Nullable Outcome await(DatagramCall call, PeerSocket peerSocket, long until) throws InterruptedException {
        while (call.outcome() == null && !call.isStuck() && ticker.nanos() - until < 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (call.isQueued()) {
                // The send buffer was full: it leaves as soon as there is room, by whoever looks.
                long look = ticker.nanos() + RETRY_SEND_NANOS;
                ticker.parkUntil(look - until < 0 ? look : until);
                peerSocket.sendQueued();
            } else {
                ticker.parkUntil(until);
            }
        }
        return call.outcome();
    }

    private byte[] read(Outcome outcome, DatagramCall call, int sent) throws Unanswered {
        RequestIds.Named answer = outcome.answer();
        if (answer == null) {
            throw closed(call);
        }
        if (outcome.kind() == Outcome.Kind.TRUNCATED) {
            throw new Unknown(Unknown.Cause.GARBLED, "answer longer than max_size, from " + where + "; raise max_size");
        }
        if (sent == 1) {
            recordRoundTrip(outcome.at() - call.sentAt());
        }
        counter.answered.increment();
        return answer.bytes();
    }

    private void recordRoundTrip(long nanos) {
        measuring.lock();
        try {
            roundTrip.answered(nanos);
        } finally {
            measuring.unlock();
        }
    }

    private void overdue(DatagramCall call) {
        measuring.lock();
        try {
            roundTrip.overdue(call.sentAt(), ticker.nanos());
        } finally {
            measuring.unlock();
        }
    }

    private Unanswered timedOut(DatagramCall call, int sent, long nanos) {
        String time = Durations.words(Duration.ofNanos(nanos));
        if (call.withdraw()) {
            counter.sent.decrement();
            return new Rejected(
                    Rejected.Cause.POOL,
                    "the send buffer stayed full for " + time + "; raise net.core.wmem_max, or send less at once");
        }
        return new Unknown(
                Unknown.Cause.TIMEOUT,
                "sent " + (sent == 1 ? "once" : sent + " times") + ", and no answer of " + where + " came in " + time);
    }

    private Unanswered stopped(DatagramCall call) {
        if (call.withdraw()) {
            counter.sent.decrement();
            return new Rejected(Rejected.Cause.QUEUE, "its caller stopped waiting before it was sent");
        }
        return new Unknown(Unknown.Cause.INTERRUPTED, "its caller stopped waiting for the answer of " + where);
    }

    private Unanswered closed(DatagramCall call) {
        if (call.withdraw() || !call.wasSent()) {
            counter.sent.decrement();
            return new Rejected(Rejected.Cause.DRAINING, "the target " + where + " was closed before it was sent");
        }
        return new Unknown(Unknown.Cause.CLOSED, "the target " + where + " was closed before an answer came");
    }

    /** When an answer is overdue now, in nanoseconds; what was measured, and of how many. */
    Measured now() {
        measuring.lock();
        try {
            return new Measured(roundTrip.timeout(), roundTrip.mean(), roundTrip.measured());
        } finally {
            measuring.unlock();
        }
    }

    /** What is known of the round trip. */
    record Measured(long timeout, long mean, long count) {}
}
