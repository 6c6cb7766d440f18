package dev.penstock.limit;

import dev.penstock.CallContext;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.kit.StandingTicker;
import dev.penstock.limit.QueueEntry.State;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads at one permit or one place in line, a great many times on real cores: no permit is lost or given twice. {@link
 * dev.penstock.JcstressTest} runs them.
 */
final class PermitStress {
    private PermitStress() {}

    /** One permit, that is out, and one who waits for it. */
    private abstract static class OneWaits {
        final WaitQueue queue;
        final QueueEntry waiter;

        OneWaits(long now) {
            QueuePolicy rules = QueuePolicy.of(QueueSettings.automatic().withLength(1));
            queue = new WaitQueue(new Permits(() -> 1, false), rules, new StandingTicker(now), () -> 0);
            waiter = waiter(7);
            if (!queue.tryAcquire()) {
                throw new IllegalStateException("a new queue has a permit");
            }
            line(waiter);
        }

        QueueEntry waiter(int urgency) {
            return new QueueEntry(queue, 0, QueuePolicy.NO_DEADLINE, urgency);
        }

        void line(QueueEntry one) {
            try {
                queue.enqueue(one);
            } catch (Rejected full) {
                throw new IllegalStateException("a new queue has room", full);
            }
        }

        /** Goes by the place as a call does; 1 when it was sent, and the permit given back. */
        int use(QueueEntry one) {
            if (one.claim(queue)) {
                one.await();
                if (one.transition(State.GRANTED, State.USED)) {
                    queue.release(0);
                    return 1;
                }
            }
            return 0;
        }
    }

    /** A permit comes back while the one who waits for it runs out of time. */
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"0, 0", "1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "sent or not, all permits are back")
    @org.openjdk.jcstress.annotations.Outcome(expect = Expect.FORBIDDEN, desc = "a permit is lost or doubled")
    @org.openjdk.jcstress.annotations.State
    public static class TimesOutWhileServed extends OneWaits {
        public TimesOutWhileServed() {
            super(Long.MAX_VALUE / 8);
        }

        @Actor
        public void giveBack() {
            queue.release(0);
        }

        @Actor
        public void timeOut(II_Result result) {
            result.r1 = use(waiter);
        }

        @Arbiter
        public void count(II_Result result) {
            result.r2 = queue.out() + queue.waiting();
        }
    }

    /** A permit comes back while the one who waits for it is interrupted. */
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"0, 0", "1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "sent or not, all permits are back")
    @org.openjdk.jcstress.annotations.Outcome(expect = Expect.FORBIDDEN, desc = "a permit is lost or doubled")
    @org.openjdk.jcstress.annotations.State
    public static class InterruptedWhileServed extends OneWaits {
        public InterruptedWhileServed() {
            super(0);
        }

        @Actor
        public void giveBack() {
            queue.release(0);
        }

        @Actor
        public void beInterrupted(II_Result result) {
            Thread.currentThread().interrupt();
            result.r1 = use(waiter);
            boolean unused = Thread.interrupted();
        }

        @Arbiter
        public void count(II_Result result) {
            result.r2 = queue.out() + queue.waiting();
        }
    }

    /** A permit comes back while the place of the one who waits for it is given up. */
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"0, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "all permits are back")
    @org.openjdk.jcstress.annotations.Outcome(expect = Expect.FORBIDDEN, desc = "a permit is lost or doubled")
    @org.openjdk.jcstress.annotations.State
    public static class GivenUpWhileServed extends OneWaits {
        public GivenUpWhileServed() {
            super(0);
        }

        @Actor
        public void giveBack() {
            queue.release(0);
        }

        @Actor
        public void cancel() {
            waiter.close();
        }

        @Arbiter
        public void count(II_Result result) {
            result.r1 = queue.out();
            result.r2 = queue.waiting();
        }
    }

    /** A place with its permit is used while it is given up. */
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"0, 0", "1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "used or not, all permits are back")
    @org.openjdk.jcstress.annotations.Outcome(expect = Expect.FORBIDDEN, desc = "a permit is lost or doubled")
    @org.openjdk.jcstress.annotations.State
    public static class GivenUpWhileUsed extends OneWaits {
        public GivenUpWhileUsed() {
            super(0);
            queue.release(0);
        }

        @Actor
        public void use(II_Result result) {
            result.r1 = use(waiter);
        }

        @Actor
        public void cancel() {
            waiter.close();
        }

        @Arbiter
        public void count(II_Result result) {
            result.r2 = queue.out() + queue.waiting();
        }
    }

    /** A permit comes back while a more urgent one sheds who waits for it: one of the two gets it. */
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"1, 0, 1", "0, 1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one is served")
    @org.openjdk.jcstress.annotations.Outcome(expect = Expect.FORBIDDEN, desc = "both are served, or none")
    @org.openjdk.jcstress.annotations.State
    public static class ShedWhileServed extends OneWaits {
        private final QueueEntry urgent = waiter(0);

        public ShedWhileServed() {
            super(0);
        }

        @Actor
        public void giveBack() {
            queue.release(0);
        }

        @Actor
        public void shed() {
            line(urgent);
        }

        @Arbiter
        public void count(III_Result result) {
            result.r1 = waiter.state() == State.GRANTED ? 1 : 0;
            result.r2 = urgent.state() == State.GRANTED ? 1 : 0;
            result.r3 = queue.out();
        }
    }

    /** A permit comes back while somebody steps into the line: it is not overlooked. */
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "whoever comes is served")
    @org.openjdk.jcstress.annotations.Outcome(
            expect = Expect.FORBIDDEN,
            desc = "a permit lies idle while somebody waits")
    @org.openjdk.jcstress.annotations.State
    public static class StepsInWhileFreed extends OneWaits {
        private final QueueEntry next = waiter(7);

        public StepsInWhileFreed() {
            super(0);
            waiter.close();
        }

        @Actor
        public void giveBack() {
            queue.release(0);
        }

        @Actor
        public void tryEnqueue() {
            line(next);
        }

        @Arbiter
        public void count(II_Result result) {
            result.r1 = next.state() == State.GRANTED ? 1 : 0;
            result.r2 = queue.out();
        }
    }

    /** Two call a target that throws, for one permit: it comes back. Nobody waits for it, so that a lost one is no hang. */
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"1, 1, 0", "1, 0, 0", "0, 1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "sent or not, the permit is back")
    @org.openjdk.jcstress.annotations.Outcome(expect = Expect.FORBIDDEN, desc = "a permit is lost or doubled")
    @org.openjdk.jcstress.annotations.State
    public static class ThrownByTarget {
        private final Ticker ticker = new StandingTicker(0);
        private final Limit limit = Limits.fixed(1, 0, Duration.ZERO, ticker);
        private final Service<Boolean, String> target =
                Limits.<Boolean, String>filter(limit).around(ThrownByTarget::misbehave);

        private static String misbehave(boolean error) {
            if (error) {
                throw new StackOverflowError();
            }
            throw new IllegalStateException("a bug");
        }

        /** 1 when the target was called. */
        private int call(boolean error) {
            CallContext callContext = CallContext.begin(ticker);
            try {
                target.call(error);
                return 2;
            } catch (Rejected never) {
                return 0;
            } catch (Throwable thrown) {
                return 1;
            } finally {
                callContext.end();
            }
        }

        @Actor
        public void fail(III_Result result) {
            result.r1 = call(false);
        }

        @Actor
        public void breakDown(III_Result result) {
            result.r2 = call(true);
        }

        @Arbiter
        public void count(III_Result result) {
            result.r3 = limit.queue.out() + limit.queue.waiting();
        }
    }

    /** What would be wrong: a count that two raise without care. It has to be found, or the others prove nothing. */
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"2, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "both are counted")
    @org.openjdk.jcstress.annotations.Outcome(expect = Expect.FORBIDDEN, desc = "one is lost")
    @org.openjdk.jcstress.annotations.State
    public static class Careless {
        private int out;

        /** Yields in between, so that the race shows on busy cores too. */
        private void raise() {
            int seen = out;
            Thread.yield();
            out = seen + 1;
        }

        @Actor
        public void one() {
            raise();
        }

        @Actor
        public void other() {
            raise();
        }

        @Arbiter
        public void count(II_Result result) {
            result.r1 = out;
        }
    }
}
