package dev.penstock.dedupe;

import dev.penstock.Answered;
import dev.penstock.CallContext;
import dev.penstock.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Those of one key that come at once, a great many times on real cores. Run by {@link dev.penstock.JcstressTest}. */
final class InFlightKeyStress {
    private InFlightKeyStress() {}

    private static int await(InFlightKey first) {
        CallContext callContext = CallContext.begin(Ticker.SYSTEM);
        try {
            return first.await(callContext, Ticker.SYSTEM) instanceof Answered<?> ? 1 : 0;
        } finally {
            callContext.end();
        }
    }

    /** One waits while the first is over: he is woken, and sees how. Were he not, this would not end. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "he has the ending")
    @Outcome(expect = Expect.FORBIDDEN, desc = "he has none")
    @State
    public static class AwaitedWhileOver {
        private final InFlightKey first = new InFlightKey("");

        @Actor
        public void end() {
            first.complete(new Answered<>("answer"));
        }

        @Actor
        public void await(I_Result result) {
            result.r1 = InFlightKeyStress.await(first);
        }
    }

    /** Two come in at once: one is the first, and the other waits for him or comes after. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one after the other")
    @Outcome(
            id = {"1, 10", "10, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one waited for the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "two at once")
    @State
    public static class TwoAtOnce {
        private final InFlightKeys inFlightKeys = new InFlightKeys();
        private int sent;

        private int come() {
            InFlightKey mine = new InFlightKey("");
            InFlightKey first = inFlightKeys.enter("key", mine);
            if (first != mine) {
                return InFlightKeyStress.await(first) * 10;
            }
            int turn = ++sent;
            inFlightKeys.leave("key", mine, new Answered<>("answer"));
            return turn;
        }

        @Actor
        public void one(II_Result result) {
            result.r1 = come();
        }

        @Actor
        public void two(II_Result result) {
            result.r2 = come();
        }
    }

    /** Has to fail: looks, and then comes in. Yields in between, so that the race shows on busy cores too. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one is the first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both are")
    @State
    public static class Careless {
        private final Map<String, InFlightKey> inFlightKeys = new ConcurrentHashMap<>();

        private int come() {
            if (inFlightKeys.get("key") == null) {
                Thread.yield();
                inFlightKeys.put("key", new InFlightKey(""));
                return 1;
            }
            return 0;
        }

        @Actor
        public void one(II_Result result) {
            result.r1 = come();
        }

        @Actor
        public void two(II_Result result) {
            result.r2 = come();
        }
    }
}
