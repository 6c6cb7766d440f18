package dev.penstock.flow;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Accounting;
import dev.penstock.BreakerSettings;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import dev.penstock.Rejected.Cause;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is decided before a transaction begins, and what it counts as. */
@Timeout(120)
class AdmissionTest {
    private static final BreakerSettings TOUCHY = new BreakerSettings(2, 0.5, 2, ofSeconds(5), 3);

    private final ManualTicker ticker = new ManualTicker();

    @Test
    void countsNothingUntilItIsCalledOnWhateverThread() throws Exception {
        Flow<String, String> flow = flow().concurrency(2).to(request -> request + "!");
        Admission<String, String> admission = flow.admit("pay");
        assertThat(flow.accounting().offered()).isZero();
        assertThat(flow.headroom()).isEqualTo(1);

        FutureTask<String> elsewhere = start(() -> admission.call("pay"));

        assertThat(elsewhere.get()).isEqualTo("pay!");
        assertThat(flow.accounting().sentence())
                .isEqualTo("offered 1 = answered 1 + rejected 0 + failed 0 + unknown 0 + in flight 0");
        assertThat(flow.headroom()).isEqualTo(2);
    }

    @Test
    void isGoodForOneCallOrNoneAndThePlaceIsBackEitherWay() throws Exception {
        Flow<String, String> flow = flow().concurrency(1).to(request -> request);
        Admission<String, String> used = flow.admit();
        used.call("q");
        used.close();
        assertThatThrownBy(() -> used.call("q"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("admit each request separately");
        Admission<String, String> unused = flow.admit();
        assertThat(flow.headroom()).isZero();
        unused.close();
        unused.close();
        assertThat(flow.headroom()).isEqualTo(1);
        assertThatThrownBy(() -> unused.call("q")).isInstanceOf(IllegalStateException.class);
        assertThat(flow.accounting().offered()).isEqualTo(1);
    }

    @Test
    void thePlaceIsBackWhateverTheTargetDoes() throws Exception {
        Flow<String, String> flow = flow().concurrency(1)
                .to(ScriptedService.<String, String>on(ticker)
                        .fails(new Failed(Failed.Cause.CONNECT, "refused"))
                        .fails(new IllegalStateException("a bug"))
                        .answers("yes"));
        assertThatThrownBy(() -> flow.admit().call("q")).isInstanceOf(Failed.class);
        assertThatThrownBy(() -> flow.admit().call("q")).isInstanceOf(Unknown.class);
        assertThat(flow.admit().call("q")).isEqualTo("yes");
        assertThat(flow.headroom()).isEqualTo(1);
    }

    @Test
    void aRejectionCountsAsOfferedAndRejected() throws Exception {
        Flow<String, String> flow =
                flow().concurrency(1).queue(ofSeconds(1)).queueLength(0).to(request -> request);
        try (Admission<String, String> only = flow.admit()) {
            assertRejected(flow, Cause.LIMIT).hasMessage("all 1 permits are in use and 0 requests wait");
            assertThat(flow.accounting().sentence())
                    .isEqualTo("offered 1 = answered 0 + rejected 1 + failed 0 + unknown 0 + in flight 0,"
                            + " rejected by limit 1");
            assertThat(only.call("q")).isEqualTo("q");
        }
        assertThat(flow.accounting().isSettled()).isTrue();
    }

    @Test
    void aPlaceInLineWaitsForItsTurnWhenItIsCalled() throws Exception {
        Flow<String, String> flow =
                flow().concurrency(1).queue(ofSeconds(1)).queueLength(1).to(request -> request);
        Admission<String, String> first = flow.admit();
        Admission<String, String> second = flow.admit();
        assertRejected(flow, Cause.LIMIT);
        FutureTask<String> waiting = start(() -> second.call("second"));
        ticker.awaitParked(1);
        assertThat(flow.accounting().inFlight()).isEqualTo(1);
        first.close();
        assertThat(waiting.get()).isEqualTo("second");
    }

    @Test
    void whoClosesItWhileItWaitsTakesItOutOfTheLine() throws Exception {
        Flow<String, String> flow =
                flow().concurrency(1).queue(ofSeconds(1)).queueLength(1).to(request -> request);
        Admission<String, String> first = flow.admit();
        Admission<String, String> second = flow.admit();
        FutureTask<String> waiting = start(() -> second.call("second"));
        ticker.awaitParked(1);
        second.close();
        assertThatThrownBy(waiting::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(Cause.QUEUE));
        first.close();
        assertThat(flow.accounting().isSettled()).isTrue();
        assertThat(flow.headroom()).isEqualTo(1);
    }

    @Test
    void theDeadlineCountsFromTheAdmission() throws Exception {
        Flow<String, Duration> flow = flow().deadline(ofSeconds(1))
                .to(request -> Objects.requireNonNull(Deadline.current()).left());
        Admission<String, Duration> admission = flow.admit();
        ticker.advance(ofMillis(400));
        assertThat(admission.call("q")).isEqualTo(ofMillis(600));

        Admission<String, Duration> late = flow.admit();
        ticker.advance(ofSeconds(1));
        assertThatThrownBy(() -> late.call("q"))
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(Cause.DEADLINE));
    }

    @Test
    void theDeadlineOfTheAdmittingThreadHoldsToo() throws Exception {
        Flow<String, Duration> flow = flow().deadline(ofSeconds(5))
                .concurrency(1)
                .to(request -> Objects.requireNonNull(Deadline.current()).left());
        Admission<String, Duration> admission =
                Deadline.in(ofSeconds(2), ticker).call(() -> flow.admit());
        assertThat(start(() -> admission.call("q")).get()).isEqualTo(ofSeconds(2));

        Deadline.in(Duration.ZERO, ticker).call(() -> assertRejected(flow, Cause.DEADLINE));
        assertThat(flow.accounting().causes()).hasToString("{rejected={deadline=1}}");
        assertThat(flow.headroom()).isEqualTo(1);
    }

    @Test
    void aFlowThatDrainsAdmitsNothingAndRejectsWhatWasNotCalledYet() throws Exception {
        Flow<String, String> flow = flow().concurrency(2).to(request -> request);
        Admission<String, String> early = flow.admit();
        assertThat(flow.drain(Duration.ZERO).isSettled()).isTrue();
        assertThat(flow.headroom()).isZero();
        assertRejected(flow, Cause.DRAINING).hasMessage("the flow payments is shutting down");
        assertThatThrownBy(() -> early.call("q"))
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(Cause.DRAINING));
        assertThat(flow.accounting().sentence())
                .isEqualTo("offered 2 = answered 0 + rejected 2 + failed 0 + unknown 0 + in flight 0,"
                        + " rejected by draining 2");
    }

    @Test
    void anOpenBreakerRejectsAndSpendsNoTrialCallOnIt() throws Exception {
        ScriptedService<String, String> target =
                ScriptedService.<String, String>on(ticker).fails(new Failed(Failed.Cause.CONNECT, "refused"));
        Flow<String, String> flow = opened(target);
        assertThat(flow.headroom()).isZero();
        assertRejected(flow, Cause.BREAKER).hasMessageContaining("trial calls begin in 5 s");

        ticker.advance(ofSeconds(5));

        assertThat(flow.headroom()).as("as many as there are trials").isEqualTo(3);
        for (int unused = 0; unused < 10; unused++) {
            flow.admit().close();
        }
        assertThat(flow.headroom()).isEqualTo(3);
        target.anew().answers("yes");
        for (int trial = 1; trial <= 3; trial++) {
            assertThat(flow.admit().call("trial")).isEqualTo("yes");
        }
        assertThat(state(flow)).startsWith("closed");
        assertThat(flow.headroom()).isGreaterThan(3);
    }

    @Test
    void whileTheTrialCallsAreOutNobodyElseIsAdmitted() throws Exception {
        ScriptedService<String, String> target =
                ScriptedService.<String, String>on(ticker).fails(new Failed(Failed.Cause.CONNECT, "refused"));
        Flow<String, String> flow = opened(target);
        ticker.advance(ofSeconds(5));
        target.anew().answersAfter(ofSeconds(1), "yes");
        FutureTask<String> first = start(() -> flow.admit().call("trial"));
        ticker.awaitParked(1);
        assertThat(flow.headroom()).isEqualTo(2);
        FutureTask<String> second = start(() -> flow.admit().call("trial"));
        FutureTask<String> third = start(() -> flow.admit().call("trial"));
        ticker.awaitParked(3);
        assertThat(flow.headroom()).isZero();
        assertRejected(flow, Cause.BREAKER).hasMessageContaining("half-open");
        ticker.advance(ofSeconds(1));
        assertThat(first.get() + second.get() + third.get()).isEqualTo("yesyesyes");
    }

    @Test
    void aSilenceIsHeardThoughAllAreRejectedBeforeTheyBegin() throws Exception {
        ScriptedService<String, String> target =
                ScriptedService.<String, String>on(ticker).answersAfter(ofMillis(10), "yes");
        Flow<String, String> flow = flow().breaker(TOUCHY)
                .concurrency(2)
                .queue(Duration.ZERO)
                .queueLength(0)
                .to(target);
        for (int call = 0; call < 4; call++) {
            FutureTask<String> answered = start(() -> flow.call("q"));
            ticker.awaitParked(1);
            ticker.advance(ofMillis(10));
            answered.get();
        }
        target.anew().answersAfter(ofSeconds(60), "late");
        FutureTask<String> stuck = start(() -> flow.call("q"));
        FutureTask<String> alsoStuck = start(() -> flow.call("q"));
        ticker.awaitParked(2);
        for (int look = 0; look < 40; look++) {
            ticker.advance(ofMillis(100));
            assertThatThrownBy(flow::admit).isInstanceOf(Rejected.class);
        }
        assertThat(state(flow)).startsWith("open").contains("none was answered");
        assertRejected(flow, Cause.BREAKER);
        ticker.advance(ofSeconds(60));
        assertThat(stuck.get() + alsoStuck.get()).isEqualTo("latelate");
    }

    @Test
    void theLeastUrgentLeavesTheLineToTheMoreUrgent() throws Exception {
        record Order(int urgency) implements Prioritized {}
        Flow<Object, String> flow =
                flow().concurrency(1).queue(ofSeconds(1)).queueLength(1).to(Object::toString);
        assertMoreUrgentIsServed(flow, new Order(6), new Order(0));
    }

    @Test
    void howUrgentARequestIsCanBeToldByAFunction() throws Exception {
        Flow<Object, String> flow = flow().concurrency(1)
                .queue(ofSeconds(1))
                .queueLength(1)
                .priority(request -> request.equals("now") ? 0 : 5)
                .to(Object::toString);
        assertMoreUrgentIsServed(flow, "whenever", "now");
    }

    @Test
    void aFunctionThatKnowsOnlyRequestsIsNotAskedWithoutOne() throws Exception {
        Flow<String, String> flow = flow().concurrency(1)
                .priority(request -> ((String) request).length())
                .to(request -> request);
        try (Admission<String, String> admission = flow.admit()) {
            assertThat(admission.call("q")).isEqualTo("q");
        }
    }

    @Test
    void withoutALimitNothingBoundsWhatIsAdmitted() throws Exception {
        Flow<String, String> flow = flow().to(request -> request);
        assertThat(flow.headroom()).isEqualTo(Integer.MAX_VALUE);
        assertThat(flow.admit("q").call("q")).isEqualTo("q");
    }

    /** In any order of admitting, calling, closing and draining, the accounting balances at every step, and no place is lost. */
    @Property(tries = 200)
    void accountingBalancesWhateverIsDoneWithAdmissions(
            @ForAll @IntRange(min = 1, max = 5) int permits, @ForAll @IntRange(max = 3) int queue, @ForAll long seed)
            throws Exception {
        Random random = new Random(seed);
        ManualTicker clock = new ManualTicker(seed);
        Flow<String, String> flow = Flow.named("payments")
                .ticker(clock)
                .deadline(ofMillis(50))
                .concurrency(permits)
                .queue(Duration.ZERO)
                .queueLength(queue)
                .to(request -> moody(random));
        Deque<Admission<String, String>> held = new ArrayDeque<>();
        long rejected = 0;
        long called = 0;
        int drainAt = random.nextInt(400);
        for (int step = 0; step < 200; step++) {
            if (step == drainAt) {
                flow.drain(Duration.ZERO);
            }
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    try {
                        held.add(flow.admit());
                    } catch (Rejected counted) {
                        rejected++;
                    }
                }
                case 2 -> called += callOne(held);
                default -> closeOne(held, random);
            }
            clock.advance(ofMillis(random.nextInt(4)));
            Accounting now = flow.accounting();
            assertThat(now.isSettled()).as(now.sentence()).isTrue();
            assertThat(now.offered()).isEqualTo(rejected + called);
        }
        held.forEach(Admission::close);
        assertThat(flow.stages().getLast().inFlight()).isZero();
        assertThat(flow.headroom()).isEqualTo(flow.isDraining() ? 0 : permits);
    }

    private static int callOne(Deque<Admission<String, String>> held) throws Exception {
        Admission<String, String> first = held.poll();
        if (first == null) {
            return 0;
        }
        try {
            first.call("q");
        } catch (Unanswered counted) {
            // As the accounting says.
        }
        return 1;
    }

    private static void closeOne(Deque<Admission<String, String>> held, Random random) {
        Admission<String, String> one = random.nextBoolean() ? held.pollFirst() : held.pollLast();
        if (one != null) {
            one.close();
        }
    }

    private static String moody(Random random) throws Exception {
        switch (random.nextInt(4)) {
            case 0 -> throw new Failed(Failed.Cause.REFUSED, "no");
            case 1 -> throw new IllegalStateException("a bug");
            default -> {
                return "yes";
            }
        }
    }

    private void assertMoreUrgentIsServed(Flow<Object, String> flow, Object less, Object more) throws Exception {
        Admission<Object, String> first = flow.admit("first");
        Admission<Object, String> patient = flow.admit(less);
        Admission<Object, String> urgent = flow.admit(more);
        assertThatThrownBy(() -> patient.call(less)).hasMessageContaining("displaced from the queue");
        first.close();
        assertThat(urgent.call(more)).isEqualTo(more.toString());
    }

    private Flow<String, String> opened(ScriptedService<String, String> target) {
        Flow<String, String> flow = flow().breaker(TOUCHY).concurrency(10).to(target);
        for (int call = 0; call < 2; call++) {
            assertThatThrownBy(() -> flow.call("q")).isInstanceOf(Failed.class);
            ticker.advance(call == 0 ? ofSeconds(1) : Duration.ZERO);
        }
        assertThat(state(flow)).startsWith("open");
        return flow;
    }

    private static String state(Flow<?, ?> flow) {
        return flow.stages().stream()
                .filter(stage -> stage.stage().equals("breaker"))
                .findFirst()
                .orElseThrow()
                .note();
    }

    private static AbstractThrowableAssert<?, ?> assertRejected(Flow<?, ?> flow, Cause why) {
        return assertThatThrownBy(flow::admit)
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(why));
    }

    private FlowBuilder<Object> flow() {
        return Flow.named("payments").ticker(ticker);
    }

    private static <T> FutureTask<T> start(java.util.concurrent.Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }
}
