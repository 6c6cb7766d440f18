package dev.penstock.udp.target;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.text.Durations;
import dev.penstock.udp.target.DatagramCall.Outcome;
import dev.penstock.udp.target.UdpTarget.DatagramCounter;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Sends a request, repeats it if needed, and waits for its answer on the calling thread. Safe for many threads. */
final class DatagramAttempts {
    /** The maximum wait for an answer, if the deadline is not earlier. */
    static final long MAX_WAIT_NANOS = 30_000_000_000L;

    /** How often a caller retries to send while the send buffer is full. */
    private static final long RETRY_SEND_NANOS = 2_000_000;

    private final int most;
    private final String where;
    private final DatagramCounter counter;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final RoundTrip roundTrip;

    DatagramAttempts(
            int most,
            RoundTrip roundTrip,
            String where,
            DatagramCounter counter,
            Ticker ticker,
            RandomGenerator random) {
        this.most = most;
        this.where = where;
        this.counter = counter;
        this.ticker = ticker;
        this.random = random;
        this.roundTrip = roundTrip;
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
                            Failed.Cause.CONNECT, "no route to " + where + ", or the request is too large for it");
                }
                if (sent >= most || ticker.nanos() - end >= 0) {
                    throw timedOut(call, sent, ticker.nanos() - start);
                }
                roundTrip.overdue(call.sentAt(), ticker.nanos());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw stopped(call);
        }
    }

    /**
     * The maximum wait of the calling thread, in nanoseconds.
     *
     * @throws Rejected cause {@code DEADLINE}: its deadline has passed
     */
    long timeAllowed() throws Rejected {
        Deadline deadline = Deadline.current();
        long left = deadline == null ? MAX_WAIT_NANOS : deadline.nanosLeft();
        if (left <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "the deadline passed before the request was sent to " + where);
        }
        return Math.min(left, MAX_WAIT_NANOS);
    }

    /** When to stop waiting for an attempt. The last attempt waits until the end, unless the timeout is pinned. */
    private long until(int attempt, long end) {
        if (attempt >= most && !roundTrip.isPinned()) {
            return end;
        }
        long overdue = ticker.nanos() + roundTrip.wait(attempt, random);
        return overdue - end < 0 ? overdue : end;
    }

    private @Nullable Outcome await(DatagramCall call, PeerSocket peerSocket, long until) throws InterruptedException {
        while (call.outcome() == null && !call.isStuck() && ticker.nanos() - until < 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (call.isQueued()) {
                // The send buffer was full: the first thread that retries and finds room sends it.
                long retryAt = ticker.nanos() + RETRY_SEND_NANOS;
                ticker.parkUntil(retryAt - until < 0 ? retryAt : until);
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
        if (outcome.isTruncated()) {
            throw new Unknown(
                    Unknown.Cause.GARBLED, "the answer from " + where + " is longer than max_size; raise max_size");
        }
        if (sent == 1) {
            roundTrip.answered(outcome.at() - call.sentAt());
        }
        counter.answered.increment();
        return answer.bytes();
    }

    private Unanswered timedOut(DatagramCall call, int sent, long nanos) {
        String time = Durations.format(Duration.ofNanos(nanos));
        if (call.withdraw()) {
            counter.sent.decrement();
            return new Rejected(
                    Rejected.Cause.POOL,
                    "the send buffer stayed full for " + time + "; raise net.core.wmem_max, or send less at once");
        }
        return new Unknown(
                Unknown.Cause.TIMEOUT,
                "sent " + (sent == 1 ? "once" : sent + " times") + ", and no answer from " + where + " arrived in "
                        + time);
    }

    private Unanswered stopped(DatagramCall call) {
        if (call.withdraw()) {
            counter.sent.decrement();
            return new Rejected(Rejected.Cause.QUEUE, "the caller was interrupted before the request was sent");
        }
        return new Unknown(
                Unknown.Cause.INTERRUPTED, "the caller was interrupted while it waited for the answer from " + where);
    }

    private Unanswered closed(DatagramCall call) {
        if (call.withdraw() || !call.wasSent()) {
            counter.sent.decrement();
            return new Rejected(
                    Rejected.Cause.DRAINING, "the target " + where + " was closed before the request was sent");
        }
        return Unknown.ofThisProcess(
                Unknown.Cause.CLOSED, "the target " + where + " was closed before an answer arrived", null);
    }
}
