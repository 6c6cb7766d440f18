package dev.penstock.collapse;

import dev.penstock.Answered;
import dev.penstock.BatchCounts;
import dev.penstock.Deadline;
import dev.penstock.Ending;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Callers who travel together: the one permit of their flow is held by a call of its own until all of them wait.
 *
 * @param flow with a limit of 1
 * @param batchTarget its target, which holds batches
 */
record Together<A>(Ticker ticker, Flow<String, String> flow, ManualBatchTarget<A> batchTarget) {
    private static final Set<Thread.State> STILL =
            EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);
    private static final String FIRST = "first";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** A caller, and what he will have got. */
    record Caller(Thread thread, FutureTask<String> answer) {
        static Caller of(Callable<String> call) {
            FutureTask<String> answer = new FutureTask<>(call);
            return new Caller(Thread.ofVirtual().start(answer), answer);
        }

        /** Until it stands still: then it is in a batch, or in line, or has ended. */
        void awaitWaiting() {
            await(() -> STILL.contains(thread.getState()) && !isAtALock(), "the caller waits");
        }

        /** Who waits for a lock goes on as soon as another thread, kept from running for a moment, lets go of it. */
        private boolean isAtALock() {
            Object blocker = LockSupport.getBlocker(thread);
            return blocker != null && blocker.getClass().getEnclosingClass() == ReentrantLock.class;
        }

        Ending ending() throws Exception {
            try {
                return new Answered<>(answer.get(60, TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Unanswered ending) {
                    return ending;
                }
                throw new AssertionError("a flow throws endings only", e.getCause());
            }
        }

        String answered() throws Exception {
            return answer.get(60, TimeUnit.SECONDS);
        }
    }

    /** Somebody asks, and waits for nobody here. */
    Caller ask(String request) {
        return Caller.of(() -> flow.call(request));
    }

    /** Somebody asks who has to be answered within some time. */
    Caller ask(String request, Duration within) {
        return Caller.of(() -> Deadline.in(within, ticker).call(() -> flow.call(request)));
    }

    /** Takes the permit. */
    ManualBatchTarget.Call<A> hold() throws InterruptedException {
        ask(FIRST);
        return batchTarget.next();
    }

    /** Callers come one after the other, and wait. */
    List<Caller> come(String... requests) {
        List<Caller> callers = new ArrayList<>();
        for (String request : requests) {
            callers.add(ask(request));
            callers.getLast().awaitWaiting();
        }
        return callers;
    }

    /** One more comes, who has to be answered within some time, and waits. */
    Caller come(String request, Duration within) {
        Caller caller = ask(request, within);
        caller.awaitWaiting();
        return caller;
    }

    /** Callers come one after the other, travel, and are answered; which batches they made, in any order. */
    List<List<String>> travel(String... requests) throws Exception {
        hold();
        List<Caller> callers = come(requests);
        batchTarget.open();
        for (Caller caller : callers) {
            caller.ending();
        }
        return batchTarget.seen().subList(1, batchTarget.seen().size());
    }

    /** What batches a flow that collapses has made. */
    static BatchCounts batches(Flow<?, ?> flow) {
        return Objects.requireNonNull(flow.batches());
    }

    /** Callers are answered before their batch has left the count of those that wait. */
    void awaitNobodyWaits() {
        await(() -> batches(flow).waiting() == 0, "nobody waits");
    }

    /** Waits, in real time, for what threads are about to do. */
    static void await(BooleanSupplier come, String what) {
        long start = System.nanoTime();
        while (!come.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("not so in 60 s: " + what);
            }
            Thread.yield();
        }
    }
}
