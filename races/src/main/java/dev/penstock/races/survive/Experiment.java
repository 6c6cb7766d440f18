package dev.penstock.races.survive;

import dev.penstock.Ticker;
import dev.penstock.meter.Accounting;
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

/** One run of a schedule: callers call, faults begin and end, and an oracle judges. For one thread. */
final class Experiment {
    /** How long after its deadline a call may end. */
    static final Duration GRACE = Duration.ofSeconds(2);

    /** How soon after the last fault a transaction is answered, at the latest. */
    private static final Duration RECOVERY = Duration.ofSeconds(10);

    private static final long MOST_NANOS = FaultPlan.DEADLINE.plus(GRACE).toNanos();
    private static final long LOOK_MS = 10;
    private static final int FRAMES = 20;

    private final FaultPlan schedule;
    private final Oracle oracle = new Oracle();
    private final Ticker ticker = Ticker.SYSTEM;

    private Experiment(FaultPlan schedule) {
        this.schedule = schedule;
    }

    /**
     * What came of a schedule.
     *
     * @param schedule which
     * @param endings how many calls were told what
     * @param violations the rules that did not hold; empty when all is well
     * @param recovery seconds from the end of the last fault to the first answer
     */
    record Result(
            FaultPlan schedule, Map<Oracle.Told, Integer> endings, List<Oracle.Violation> violations, double recovery) {
        boolean failed() {
            return !violations.isEmpty();
        }

        long count(Oracle.Rule rule) {
            return violations.stream().filter(seen -> seen.rule() == rule).count();
        }
    }

    /** Runs without faults, so that the peer is up and classes are loaded: that takes seconds, and counts for nobody. */
    static void rehearse(Subject subject) throws Exception {
        Result _ = run(FaultPlan.of(subject, 0).only(Set.of()));
    }

    /** Runs a schedule against a system of its own. */
    static Result run(FaultPlan schedule) throws Exception {
        try (SystemUnderTest system = schedule.subject().open(schedule)) {
            return run(schedule, system);
        }
    }

    /** Runs a schedule against a system. */
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
        while (!hung && !done.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
            hung = noteHung();
        }
        director.finish();
        // Not before: it may be a caller that starts the peer again.
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
            Oracle.Told told = call(system, id);
            director.ended();
            // Every other caller asks again for what it had no answer to, as clients with an idempotency key do.
            if (told != Oracle.Told.ANSWERED && number % 2 == 0) {
                director.begins();
                Oracle.Told _ = call(system, id);
                director.ended();
            }
            number = Thread.currentThread().isInterrupted() ? -1 : director.next();
        }
    }

    private Oracle.Told call(SystemUnderTest system, String id) {
        Oracle.Call call = oracle.begins(id, ticker.nanos());
        try {
            oracle.answered(call, system.call(id));
            return Oracle.Told.ANSWERED;
        } catch (Throwable ending) {
            return oracle.ended(call, ending);
        }
    }

    private boolean noteHung() {
        List<Oracle.Call> hung = oracle.withoutEndingSince(ticker.nanos() - MOST_NANOS);
        hung.forEach(call -> oracle.saw(Oracle.Rule.HUNG, call + " at " + stack(call.caller())));
        return !hung.isEmpty();
    }

    private static String stack(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .limit(FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < "));
    }

    /** Seconds until a new transaction is answered. */
    private double recover(SystemUnderTest system) {
        long begin = ticker.nanos();
        for (int i = 0; ticker.nanos() - begin < RECOVERY.toNanos(); i++) {
            if (call(system, schedule.seed() + "-after-" + i) == Oracle.Told.ANSWERED) {
                return (ticker.nanos() - begin) / 1e9;
            }
            ticker.parkUntil(ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
        }
        oracle.saw(
                Oracle.Rule.NOT_RECOVERED,
                "no answer within " + RECOVERY.toSeconds() + " s; last " + oracle.lastCalls());
        return Double.NaN;
    }

    /** What a call holds is given back a moment after its caller was told. */
    private void awaitNoLeaks(SystemUnderTest system) {
        long begin = ticker.nanos();
        List<String> leaks = system.leaks();
        while (!leaks.isEmpty() && ticker.nanos() - begin < GRACE.toNanos()) {
            ticker.parkUntil(ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
            leaks = system.leaks();
        }
        leaks.forEach(leak -> oracle.saw(Oracle.Rule.LEAKED, leak));
    }
}
