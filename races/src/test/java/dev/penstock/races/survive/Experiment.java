package dev.penstock.races.survive;

import dev.penstock.Accounting;
import dev.penstock.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of a schedule: callers call, faults begin and end, and an oracle checks the results. Not thread-safe. */
final class Experiment {
    /** How long after its deadline a call may end. */
    static final Duration GRACE = Duration.ofSeconds(2);

    /** The time limit after the last fault for a transaction to be answered. */
    private static final Duration RECOVERY = Duration.ofSeconds(10);

    private static final long MAX_CALL_NANOS = FaultPlan.DEADLINE.plus(GRACE).toNanos();
    private static final long POLL_MS = 10;
    private static final int MAX_FRAMES = 20;

    private final FaultPlan schedule;
    private final Oracle oracle = new Oracle();
    private final Ticker ticker = Ticker.SYSTEM;

    private Experiment(FaultPlan schedule) {
        this.schedule = schedule;
    }

    /**
     * The result of a schedule.
     *
     * @param schedule the schedule
     * @param endings the number of calls by ending
     * @param violations the violated rules; empty if the schedule passed
     * @param recovery seconds from the end of the last fault to the first answer
     */
    record Result(
            FaultPlan schedule,
            Map<Oracle.Ending, Integer> endings,
            List<Oracle.Violation> violations,
            double recovery) {
        boolean failed() {
            return !violations.isEmpty();
        }

        long count(Oracle.Rule rule) {
            return violations.stream()
                    .filter(violation -> violation.rule() == rule)
                    .count();
        }
    }

    /**
     * Runs once without faults, so that the peer has started and classes are loaded. This takes seconds and must not be
     * part of a measured run.
     */
    static void warmUp(Subject subject) throws Exception {
        Result _ = run(FaultPlan.of(subject, 0).only(Set.of()));
    }

    /** Runs a schedule against its own system. */
    static Result run(FaultPlan schedule) throws Exception {
        try (SystemUnderTest system = schedule.subject().open(schedule)) {
            return run(schedule, system);
        }
    }

    /** Runs a schedule against the given system. */
    static Result run(FaultPlan schedule, SystemUnderTest system) throws Exception {
        return new Experiment(schedule).run(system);
    }

    private Result run(SystemUnderTest system) throws Exception {
        Director director = new Director(schedule, system);
        CountDownLatch done = new CountDownLatch(FaultPlan.CALLERS);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < FaultPlan.CALLERS; i++) {
            callers.add(Thread.ofVirtual().name("caller").start(() -> {
                try {
                    callUntilTheEnd(system, director);
                } finally {
                    done.countDown();
                }
            }));
        }
        boolean hung = false;
        while (!hung && !done.await(POLL_MS, TimeUnit.MILLISECONDS)) {
            hung = recordHungCalls();
        }
        director.finish();
        // Only now: an interrupted caller could be the one that is restarting the peer.
        callers.forEach(Thread::interrupt);
        double recovery = hung ? Double.NaN : recover(system);
        if (!hung) {
            awaitNoLeaks(system);
        }
        @Nullable Accounting accounting = system.drain(GRACE);
        return new Result(
                schedule, oracle.endings(), oracle.violations(system.received(), hung ? null : accounting), recovery);
    }

    private void callUntilTheEnd(SystemUnderTest system, Director director) {
        int number = director.next();
        while (number >= 0) {
            String id = schedule.seed() + "-" + number;
            Oracle.Ending ending = call(system, id);
            director.ended();
            // Every second caller retries a call that was not answered, as clients with an idempotency key do.
            if (ending != Oracle.Ending.ANSWERED && number % 2 == 0) {
                director.begins();
                Oracle.Ending _ = call(system, id);
                director.ended();
            }
            number = Thread.currentThread().isInterrupted() ? -1 : director.next();
        }
    }

    private Oracle.Ending call(SystemUnderTest system, String id) {
        Oracle.Call call = oracle.begins(id, ticker.nanos());
        try {
            oracle.answered(call, system.call(id));
            return Oracle.Ending.ANSWERED;
        } catch (Throwable ending) {
            return oracle.ended(call, ending);
        }
    }

    private boolean recordHungCalls() {
        List<Oracle.Call> hung = oracle.withoutEndingSince(ticker.nanos() - MAX_CALL_NANOS);
        hung.forEach(call -> oracle.record(Oracle.Rule.HUNG, call + " at " + stack(call.caller())));
        return !hung.isEmpty();
    }

    private static String stack(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .limit(MAX_FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < "));
    }

    /** The time in seconds until a new transaction is answered. */
    private double recover(SystemUnderTest system) {
        long begin = ticker.nanos();
        for (int i = 0; ticker.nanos() - begin < RECOVERY.toNanos(); i++) {
            if (call(system, schedule.seed() + "-after-" + i) == Oracle.Ending.ANSWERED) {
                return (ticker.nanos() - begin) / 1e9;
            }
            ticker.parkUntil(ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(POLL_MS));
        }
        oracle.record(
                Oracle.Rule.NOT_RECOVERED,
                "no answer within " + RECOVERY.toSeconds() + " s; last " + oracle.lastCalls());
        return Double.NaN;
    }

    /** A call releases its resources shortly after its caller has the result, so this polls. */
    private void awaitNoLeaks(SystemUnderTest system) {
        long begin = ticker.nanos();
        List<String> leaks = system.leaks();
        while (!leaks.isEmpty() && ticker.nanos() - begin < GRACE.toNanos()) {
            ticker.parkUntil(ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(POLL_MS));
            leaks = system.leaks();
        }
        leaks.forEach(leak -> oracle.record(Oracle.Rule.LEAKED, leak));
    }
}
