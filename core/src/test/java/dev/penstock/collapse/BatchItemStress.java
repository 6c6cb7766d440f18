package dev.penstock.collapse;

import dev.penstock.Answered;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A caller and a batch at one item, or two callers at one batch, a great many times on real cores. {@link
 * dev.penstock.JcstressTest} runs them.
 */
final class BatchItemStress {
    private BatchItemStress() {}

    private static int number(String ending) {
        return switch (ending) {
            case "rejected" -> 1;
            case "unknown" -> 2;
            default -> 3;
        };
    }

    /** Its batch takes an item along while its caller gives up: it is sent, or was never. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "rejected, and not sent")
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "sent, and unknown")
    @Outcome(expect = Expect.FORBIDDEN, desc = "rejected and sent, or unknown and not")
    @State
    public static class TakenWhileGivenUp {
        private final BatchItem<String, String> item = Pure.item("q", 10);

        @Actor
        public void take(II_Result result) {
            result.r1 = item.markSent(0, Pure.UNKNOWN) ? 1 : 0;
        }

        @Actor
        public void giveUp(II_Result result) {
            result.r2 = number(Pure.giveUp(item));
        }
    }

    /** An item that was sent is answered while its caller gives up: it has one ending, whoever asks. */
    @JCStressTest
    @Outcome(
            id = {"2, 2", "3, 3"},
            expect = Expect.ACCEPTABLE,
            desc = "unknown or answered, for good")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it has two endings")
    @State
    public static class EndedWhileGivenUp {
        private final BatchItem<String, String> item = Pure.item("q", 10);

        public EndedWhileGivenUp() {
            item.markSent(0, Pure.UNKNOWN);
        }

        @Actor
        public void end() {
            item.end(new Answered<>("answer"));
        }

        @Actor
        public void giveUp(II_Result result) {
            result.r1 = number(Pure.giveUp(item));
        }

        @Arbiter
        public void askAgain(II_Result result) {
            result.r2 = number(Pure.giveUp(item));
        }
    }

    /** Somebody joins a batch while it is sealed: he is in it exactly when he was let in. */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 1", "1, 2, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "in it, or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or sealed twice")
    @State
    public static class JoinsWhileSealed {
        private final Batch<String, String> batch = Pure.batchOfThree(Pure.item("first", 10));
        private final BatchItem<String, String> next = Pure.item("next", 10);

        @Actor
        public void join(III_Result result) {
            result.r1 = batch.join(next) ? 1 : 0;
        }

        @Actor
        public void seal(III_Result result) {
            result.r2 = Pure.sealed(batch).size();
        }

        @Arbiter
        public void count(III_Result result) {
            result.r3 = Pure.sealed(batch).size();
        }
    }

    /** Two join a batch that has room for one. */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 2", "1, 0, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them is in it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it has too many, or one is lost")
    @State
    public static class TwoForOnePlace {
        private final Batch<String, String> batch = Pure.batchOfTwo(Pure.item("first", 10));
        private final BatchItem<String, String> one = Pure.item("one", 10);
        private final BatchItem<String, String> other = Pure.item("other", 10);

        @Actor
        public void one(III_Result result) {
            result.r1 = batch.join(one) ? 1 : 0;
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = batch.join(other) ? 1 : 0;
        }

        @Arbiter
        public void count(III_Result result) {
            result.r3 = Pure.sealed(batch).size();
        }
    }

    /** What would be wrong: a count that two raise without care. It has to be found, or the others prove nothing. */
    @JCStressTest
    @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "both are counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one is lost")
    @State
    public static class Careless {
        private int joined;

        /** Yields in between, so that the race shows on busy cores too. */
        private void raise() {
            int seen = joined;
            Thread.yield();
            joined = seen + 1;
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
            result.r1 = joined;
        }
    }
}
