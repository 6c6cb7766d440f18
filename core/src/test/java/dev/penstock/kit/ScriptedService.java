package dev.penstock.kit;

import dev.penstock.Deadline;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A service that does what its script says, call by call; when the script is at its end, it repeats its last step. Like a
 * real target it honors the deadline of its thread.
 *
 * <p>Safe for many threads; which of several concurrent calls takes which step is not defined.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class ScriptedService<Q, R> implements Service<Q, R> {
    private final Ticker ticker;
    private final Deque<Step<Q, R>> script = new ArrayDeque<>();
    private final List<Q> received = new ArrayList<>();

    private ScriptedService(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * A service with an empty script.
     *
     * @param ticker the clock that its delays go by
     */
    public static <Q, R> ScriptedService<Q, R> on(Ticker ticker) {
        return new ScriptedService<>(ticker);
    }

    /** Next: answer at once. */
    public ScriptedService<Q, R> answers(R answer) {
        return step(request -> answer);
    }

    /** Next: answer after some time by the ticker; when the deadline comes first, throw {@link Unknown}, cause timeout. */
    public ScriptedService<Q, R> answersAfter(Duration time, R answer) {
        return step(request -> {
            Deadline deadline = Deadline.current();
            boolean inTime = deadline == null || time.compareTo(deadline.left()) <= 0;
            Duration wait = inTime || deadline == null ? time : deadline.left();
            long until = ticker.nanos() + wait.toNanos();
            while (ticker.nanos() - until < 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while the scripted service worked");
                }
                ticker.parkUntil(until);
            }
            if (!inTime) {
                throw new Unknown(Unknown.Cause.TIMEOUT, "the scripted service had no answer within the time allowed");
            }
            return answer;
        });
    }

    /** Next: throw. */
    public ScriptedService<Q, R> fails(Exception exception) {
        return step(request -> {
            throw exception;
        });
    }

    /** Next: do what another service does, on the caller's thread. */
    public synchronized ScriptedService<Q, R> step(Service<Q, R> service) {
        script.addLast(service::call);
        return this;
    }

    @Override
    public R call(Q request) throws Exception {
        return next(request).take(request);
    }

    @Override
    public boolean honorsDeadline() {
        return true;
    }

    /** Drops what is left of the script, so that the next step added is the next one taken. */
    public synchronized ScriptedService<Q, R> anew() {
        script.clear();
        return this;
    }

    /** Every request received so far, in order. */
    public synchronized List<Q> received() {
        return List.copyOf(received);
    }

    private synchronized Step<Q, R> next(Q request) {
        received.add(request);
        if (script.isEmpty()) {
            throw new IllegalStateException("the script of this service is empty: add a step before you call it");
        }
        return script.size() > 1 ? script.removeFirst() : script.getFirst();
    }

    @FunctionalInterface
    private interface Step<Q, R> {
        R take(Q request) throws Exception;
    }
}
