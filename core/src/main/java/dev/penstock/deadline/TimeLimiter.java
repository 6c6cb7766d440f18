package dev.penstock.deadline;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unknown;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls of a service that does not {@linkplain Service#honorsDeadline() honor deadlines}: its caller returns by
 * its deadline, whatever the service does. Leaves any other service as it is.
 *
 * <h2>Design note</h2>
 *
 * <p>A caller cannot return while its thread is inside the service. So a call with a deadline runs on a virtual thread of its
 * own, and the caller waits for it until the deadline. Then the caller interrupts the call and leaves it. The thread serves
 * one call, so the interrupt can hit neither the caller nor a later call, and needs no timer thread.
 *
 * <p>A call that its caller has left is a stray call until it ends. It still loads the target, so its permit goes back only
 * when it ends.
 *
 * <p>Safe for many threads.
 */
public final class TimeLimiter {
    private enum State {
        RUNNING,
        ENDED,
        LEFT
    }

    private final Ticker ticker;
    private final ThreadFactory threads;
    private final @Nullable Runnable givesBack;
    private final LongAdder left = new LongAdder();
    private final LongAdder ended = new LongAdder();

    /**
     * A time limiter that has bounded nothing.
     *
     * @param name of the threads of calls
     * @param ticker the clock that deadlines go by
     * @param givesBack gives back what an attempt holds until its call has ended; called once for each stray call, when it
     *     ends. The holder asks {@link CallContext#takeStrayCall()} whether that is still to come. Null when nothing is held
     */
    public TimeLimiter(String name, Ticker ticker, @Nullable Runnable givesBack) {
        this.ticker = ticker;
        this.threads = Thread.ofVirtual().name(name).factory();
        this.givesBack = givesBack;
    }

    /** Puts this limiter around a service, unless the service honors deadlines. */
    public <Q, R> Service<Q, R> around(Service<Q, R> service) {
        return service.honorsDeadline() ? service : new Limited<>(this, service);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Limited<Q, R>(TimeLimiter limiter, Service<Q, R> service) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            return callContext.hasDeadline() ? limiter.callApart(service, request, callContext) : service.call(request);
        }
    }

    private <Q, R> R callApart(Service<Q, R> service, Q request, CallContext callContext) throws Exception {
        long deadline = callContext.deadline();
        Call<Q, R> call = new Call<>(this, service, request, deadline);
        Thread thread = threads.newThread(call);
        thread.start();
        boolean interrupted = false;
        while (call.isRunning()) {
            if (Thread.interrupted()) {
                // The service decides what comes of it, as if it ran on this thread.
                interrupted = true;
                thread.interrupt();
            } else if (ticker.nanos() - deadline < 0) {
                ticker.parkUntil(deadline);
            } else if (call.leave()) {
                left.increment();
                thread.interrupt();
                throw late(callContext, interrupted);
            }
        }
        return call.result();
    }

    private Unknown late(CallContext callContext, boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (givesBack != null) {
            callContext.leaveStrayCall();
        }
        return new Unknown(Unknown.Cause.TIMEOUT, "no answer within the time allowed, so the call was interrupted");
    }

    private void strayEnded() {
        if (givesBack != null) {
            givesBack.run();
        }
        // Last: who subtracts stray calls from permits that are out must not count one twice.
        ended.increment();
    }

    /** How many calls had not ended by their deadline, so that their callers left. */
    public long overran() {
        return left.sum();
    }

    /** How many of them still run. */
    public long stray() {
        long over = ended.sum();
        return Math.max(0, left.sum() - over);
    }

    /** A call on its way: its caller and its thread race for its state. */
    private static final class Call<Q, R> implements Runnable {
        private final TimeLimiter limiter;
        private final Service<Q, R> service;
        private final Q request;
        private final long deadline;
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
                // Nobody waits for it any more, so the thread's handler reports it.
                throw error;
            }
        }

        private R call() throws Exception {
            CallContext callContext = CallContext.begin(limiter.ticker);
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

        boolean leave() {
            return state.compareAndSet(State.RUNNING, State.LEFT);
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
