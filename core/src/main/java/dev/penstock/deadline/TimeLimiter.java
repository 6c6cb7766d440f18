package dev.penstock.deadline;

import dev.penstock.CallContext;
import dev.penstock.Observation;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the deadline of a call: the caller returns by the deadline whatever the service does.
 *
 * <h2>Design note</h2>
 *
 * <p>A caller cannot return while its thread is inside the service. So a call with a deadline runs on a separate virtual
 * thread, and the caller waits for it until the deadline. Then the caller interrupts the call and abandons it. The thread
 * runs one call only, so the interrupt can hit neither the caller nor a later call. No timer thread is needed.
 *
 * <p>An abandoned call is a stray call until it ends. It still loads the target, so its permit is only released when it ends.
 *
 * <p>Thread-safe.
 */
public final class TimeLimiter {
    private enum State {
        RUNNING,
        ENDED,
        ABANDONED
    }

    private final Ticker ticker;
    private final ThreadFactory threads;
    private final @Nullable Runnable onStrayEnd;
    private final LongAdder abandoned = new LongAdder();
    private final LongAdder ended = new LongAdder();

    /**
     * A time limiter.
     *
     * @param name the name of the threads that run calls
     * @param ticker the clock
     * @param onStrayEnd releases the permit of a stray call; called once for each stray call, when it ends. {@link
     *     CallContext#takeStrayCall()} shows the owner of the permit that this will happen. Null when no permit is held
     */
    public TimeLimiter(String name, Ticker ticker, @Nullable Runnable onStrayEnd) {
        this.ticker = ticker;
        this.threads = Thread.ofVirtual().name(name).factory();
        this.onStrayEnd = onStrayEnd;
    }

    <Q, R> R callOnSeparateThread(Service<Q, R> service, Q request, CallContext callContext) throws Exception {
        long deadline = callContext.deadline();
        Call<Q, R> call = new Call<>(this, service, request, deadline);
        Thread thread = threads.newThread(call);
        thread.start();
        boolean interrupted = false;
        while (call.isRunning()) {
            if (Thread.interrupted()) {
                // The service handles the interrupt as if it ran on this thread.
                interrupted = true;
                thread.interrupt();
            } else if (ticker.nanos() - deadline < 0) {
                ticker.parkUntil(deadline);
            } else if (call.abandon()) {
                abandoned.increment();
                thread.interrupt();
                throw timeout(callContext, interrupted);
            }
        }
        return call.result();
    }

    private Unknown timeout(CallContext callContext, boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (onStrayEnd != null) {
            callContext.leaveStrayCall();
        }
        return new Unknown(Unknown.Cause.TIMEOUT, "no answer within the time allowed, so the call was interrupted");
    }

    private void strayEnded() {
        if (onStrayEnd != null) {
            onStrayEnd.run();
        }
        // Last: a reader that subtracts stray calls from permits in use must not subtract one twice.
        ended.increment();
    }

    /** What became of calls that exceeded their deadline, to append to a sentence; empty when there were none. */
    public String note() {
        long late = abandoned.sum();
        return late == 0
                ? ""
                : "; %d exceeded the deadline and were interrupted, %d of these still run".formatted(late, stray());
    }

    /** The number of abandoned calls that still run. */
    public long stray() {
        long over = ended.sum();
        return Math.max(0, abandoned.sum() - over);
    }

    /** A call in progress: its caller and its thread race to set its state. */
    private static final class Call<Q, R> implements Runnable {
        private final TimeLimiter limiter;
        private final Service<Q, R> service;
        private final Q request;
        private final long deadline;
        private final @Nullable Observation observation = CallContext.currentObservation();
        private final Thread caller = Thread.currentThread();
        private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
        private @Nullable R answer;
        private @Nullable Throwable thrown;
        private boolean interrupted;

        Call(TimeLimiter limiter, Service<Q, R> service, Q request, long deadline) {
            this.limiter = limiter;
            this.service = service;
            this.request = request;
            this.deadline = deadline;
        }

        @Override
        public void run() {
            try {
                answer = call();
            } catch (Throwable any) {
                thrown = any;
            }
            interrupted = Thread.currentThread().isInterrupted();
            if (state.compareAndSet(State.RUNNING, State.ENDED)) {
                LockSupport.unpark(caller);
                return;
            }
            limiter.strayEnded();
            if (thrown instanceof Error error) {
                // No caller is left to receive it, so the uncaught-exception handler reports it.
                throw error;
            }
        }

        private R call() throws Exception {
            CallContext callContext =
                    observation == null ? CallContext.begin(limiter.ticker) : CallContext.beginObserved(limiter.ticker);
            callContext.observe(observation);
            try {
                callContext.allowAtMost(deadline - callContext.now());
                return service.call(request);
            } finally {
                callContext.end();
            }
        }

        boolean isRunning() {
            return state.get() == State.RUNNING;
        }

        boolean abandon() {
            return state.compareAndSet(State.RUNNING, State.ABANDONED);
        }

        @SuppressWarnings("NullAway") // a service answers null only where R allows it
        R result() throws Exception {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return switch (thrown) {
                case null -> answer;
                case Error error -> throw error;
                case Exception exception -> throw exception;
                case Throwable other -> throw new IllegalStateException("the target threw " + other, other);
            };
        }
    }
}
