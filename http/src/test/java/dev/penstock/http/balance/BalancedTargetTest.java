package dev.penstock.http.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target.EndpointReport;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.kit.ManualTicker;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which endpoint gets a call. A call made inside of another is a concurrent one. */
class BalancedTargetTest {
    private static final Failed REFUSED = new Failed(Failed.Cause.CONNECT, "connection refused");

    private final ManualTicker ticker = new ManualTicker();
    private final FakeTarget one = new FakeTarget("one");
    private final FakeTarget two = new FakeTarget("two");
    private final FakeTarget three = new FakeTarget("three");

    private static HttpCall call() {
        return HttpCall.get("/");
    }

    private static <R> Service<HttpCall, R> throwing(Exception ending) {
        return call -> {
            throw ending;
        };
    }

    private BalancedTarget over(FakeTarget... targets) {
        BalancedTarget.Builder builder = BalancedTarget.builder();
        for (FakeTarget target : targets) {
            builder.endpoint(target);
        }
        return builder.build(ticker);
    }

    @Test
    void equalsTakeTurns() throws Exception {
        BalancedTarget all = over(one, two, three);
        for (int i = 0; i < 9; i++) {
            assertThat(all.call(call())).isSameAs(FakeTarget.OK);
        }
        assertThat(List.of(one.calls(), two.calls(), three.calls())).containsExactly(3, 3, 3);
    }

    @Test
    void theFewestOutstandingCallsDecide() throws Exception {
        BalancedTarget all = over(one, two);
        one.does(outer -> {
            // One call is outstanding at the first endpoint.
            all.call(call());
            all.call(call());
            all.call(call());
            return FakeTarget.OK;
        });
        all.call(call());
        assertThat(two.calls()).isEqualTo(3);
        assertThat(all.endpoints())
                .extracting(EndpointReport::outstanding, EndpointReport::calls)
                .containsExactly(tuple(0, 1L), tuple(0, 3L));
    }

    @Test
    void aRejectedCallGoesToTheNextEndpointAtOnce() throws Exception {
        BalancedTarget all = over(one, two);
        one.does(throwing(new Rejected(Rejected.Cause.BREAKER, "open")));
        for (int i = 0; i < 4; i++) {
            assertThat(all.call(call())).isSameAs(FakeTarget.OK);
        }
        assertThat(two.calls()).isEqualTo(4);
        assertThat(all.endpoints().getFirst().calls()).isZero();
        assertThat(all.endpoints().getFirst().rejected()).isEqualTo(one.calls());
        assertThat(all.counters().get("endpoint_rejected")).containsEntry("http://one.example/", (long) one.calls());
    }

    @Test
    void whenAllRejectTheLastRejectionIsTheEnding() {
        Rejected last = new Rejected(Rejected.Cause.LIMIT, "full");
        one.does(throwing(new Rejected(Rejected.Cause.BREAKER, "open")));
        two.does(throwing(last));
        assertThatThrownBy(() -> over(one, two).call(call())).isSameAs(last);
        assertThat(one.calls() + two.calls()).isEqualTo(2);
    }

    @Test
    void anInterruptedCallIsNotTriedElsewhere() {
        Rejected first = new Rejected(Rejected.Cause.POOL, "interrupted");
        one.does(call -> {
            Thread.currentThread().interrupt();
            throw first;
        });
        assertThatThrownBy(() -> over(one, two).call(call())).isSameAs(first);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(two.calls()).isZero();
    }

    @Test
    void anythingButARejectionIsFinal() throws Exception {
        BalancedTarget all = over(one, two);
        for (Exception ending :
                List.of(REFUSED, new Unknown(Unknown.Cause.TIMEOUT, "late"), new IllegalStateException("bug"))) {
            one.does(throwing(ending));
            two.does(throwing(ending));
            assertThatThrownBy(() -> all.call(call())).isSameAs(ending);
        }
        one.does(call -> {
            throw new StackOverflowError();
        });
        two.does(one::call);
        assertThatThrownBy(() -> all.call(call())).isInstanceOf(StackOverflowError.class);
        assertThat(all.endpoints()).allMatch(endpoint -> endpoint.outstanding() == 0);
    }

    @Test
    void aRetryPrefersAnotherEndpoint() throws Exception {
        BalancedTarget all = over(one, two, three);
        one.does(throwing(REFUSED));
        two.does(throwing(REFUSED));
        three.does(call -> FakeTarget.OK);
        Flow<HttpCall, HttpAnswer> flow = Flow.named("retried")
                .retry(Retry.whenNotSent().backoff(Duration.ZERO, Duration.ZERO))
                .ticker(ticker)
                .to(all);
        // Failing endpoints have the fewest outstanding calls.
        three.does(outer -> {
            three.does(call -> FakeTarget.OK);
            return flow.call(call());
        });
        for (int i = 0; i < 3; i++) {
            assertThat(flow.call(call())).isSameAs(FakeTarget.OK);
        }
        assertThat(three.calls()).isEqualTo(4);
        assertThat(one.calls()).isLessThanOrEqualTo(5);
    }

    @Test
    void whatFailedEverywhereIsTriedAgainEverywhere() {
        BalancedTarget all = over(one, two);
        one.does(throwing(REFUSED));
        two.does(throwing(REFUSED));
        HttpCall same = call();
        for (int i = 0; i < 4; i++) {
            assertThatThrownBy(() -> all.call(same)).isSameAs(REFUSED);
        }
        assertThat(List.of(one.calls(), two.calls())).containsExactly(2, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {502, 503, 504})
    void gatewayErrorsInARowEjectAnEndpointForATime(int status) throws Exception {
        BalancedTarget all = over(one, two);
        one.does(call -> HttpAnswer.of(status, "no"));
        for (int i = 0; i < 20; i++) {
            all.call(call());
        }
        assertThat(one.calls()).isEqualTo(5);
        assertThat(all.endpoints().getFirst().ejectedFor()).isEqualTo(Duration.ofSeconds(1));
        one.does(call -> FakeTarget.OK);
        ticker.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 20; i++) {
            all.call(call());
        }
        assertThat(one.calls()).isGreaterThanOrEqualTo(14);
        assertThat(all.endpoints().getFirst().ejections()).isEqualTo(1);
    }

    @Test
    void closedConnectionsEjectButTimeoutsAndOtherErrorsDoNot() throws Exception {
        BalancedTarget all = over(one, two);
        for (Exception harmless :
                List.of(new Unknown(Unknown.Cause.TIMEOUT, "late"), new Failed(Failed.Cause.REFUSED, "no"))) {
            one.does(throwing(harmless));
            for (int i = 0; i < 20; i++) {
                callIgnoringEnding(all);
            }
        }
        one.does(call -> HttpAnswer.of(500, "bug"));
        for (int i = 0; i < 20; i++) {
            all.call(call());
        }
        assertThat(all.endpoints().getFirst().ejections()).isZero();
        one.does(throwing(new Unknown(Unknown.Cause.CLOSED, "reset")));
        for (int i = 0; i < 20; i++) {
            callIgnoringEnding(all);
        }
        assertThat(all.endpoints().getFirst().ejections()).isEqualTo(1);
    }

    @Test
    void whatFailsInThisProcessDoesNotEject() {
        BalancedTarget all = over(one, two);
        for (Exception ours : List.of(
                Unknown.ofThisProcess(Unknown.Cause.CLOSED, "the target was closed", null),
                new Failed(Failed.Cause.CONNECT, "no socket", new SocketException("Too many open files")))) {
            one.does(throwing(ours));
            for (int i = 0; i < 40; i++) {
                callIgnoringEnding(all);
            }
        }
        assertThat(all.endpoints().getFirst().ejections()).isZero();
        assertThat(all.endpoints().getFirst().failures()).isZero();
    }

    private static void callIgnoringEnding(BalancedTarget all) {
        try {
            all.call(call());
        } catch (Exception ending) {
            return;
        }
    }

    @Test
    void anEndpointReturnsWithOneCallAtATime() throws Exception {
        BalancedTarget all = over(one, two);
        one.does(throwing(REFUSED));
        for (int i = 0; i < 20; i++) {
            callIgnoringEnding(all);
        }
        ticker.advance(Duration.ofSeconds(1));
        int before = two.calls();
        one.does(outer -> {
            one.does(call -> FakeTarget.OK);
            for (int i = 0; i < 10; i++) {
                all.call(call());
            }
            return FakeTarget.OK;
        });
        all.call(call());
        assertThat(one.calls()).isEqualTo(6);
        assertThat(two.calls() - before).isEqualTo(10);
    }

    @Test
    void anEndpointWithoutAFreePermitIsPassedOver() throws Exception {
        Flow<HttpCall, HttpAnswer> first = Flow.named("one").concurrency(10).to(one);
        Flow<HttpCall, HttpAnswer> second =
                Flow.named("two").concurrency(1).queueLength(100).to(two);
        BalancedTarget all = BalancedTarget.builder()
                .endpoint(one, first)
                .endpoint(two, second)
                .build(ticker);
        List<HttpAnswer> answers = new ArrayList<>();
        two.does(outer -> {
            // The only permit is taken, by a call from elsewhere: another would wait, though none is outstanding.
            for (int i = 0; i < 6; i++) {
                answers.add(all.call(call()));
            }
            return FakeTarget.OK;
        });
        second.call(call());
        assertThat(answers).hasSize(6);
        assertThat(one.calls()).isEqualTo(6);
        assertThat(two.calls()).isEqualTo(1);
    }

    @Test
    void fullEndpointsRejectTogether() throws Exception {
        BalancedTarget all = BalancedTarget.builder()
                .endpoint(one, Flow.named("one").concurrency(1).queueLength(0).to(one))
                .endpoint(two, Flow.named("two").concurrency(1).queueLength(0).to(two))
                .build(ticker);
        List<Throwable> endings = new ArrayList<>();
        Service<HttpCall, HttpAnswer> nested = outer -> {
            try {
                return all.call(call());
            } catch (Rejected rejected) {
                endings.add(rejected);
                return FakeTarget.OK;
            }
        };
        one.does(nested);
        two.does(nested);
        all.call(call());
        assertThat(endings)
                .singleElement()
                .isInstanceOfSatisfying(
                        Rejected.class, ending -> assertThat(ending.why()).isEqualTo(Rejected.Cause.LIMIT));
        assertThat(all.endpoints()).extracting(EndpointReport::rejected).containsExactly(1L, 1L);
        assertThat(all.endpoints()).extracting(EndpointReport::calls).containsExactly(1L, 1L);
    }

    @Test
    void anOpenBreakerIsPassedOverWithoutACall() throws Exception {
        Flow<HttpCall, HttpAnswer> first =
                Flow.named("one").breaker().ticker(ticker).to(one);
        one.does(throwing(REFUSED));
        for (int i = 0; i < 1_000 && first.headroom() > 0; i++) {
            assertThatThrownBy(() -> first.call(call())).isInstanceOf(Failed.class);
            ticker.advance(Duration.ofMillis(100));
        }
        assertThat(first.headroom()).isZero();
        int before = one.calls();
        BalancedTarget all =
                BalancedTarget.builder().endpoint(one, first).endpoint(two).build(ticker);
        for (int i = 0; i < 5; i++) {
            all.call(call());
        }
        assertThat(one.calls()).isEqualTo(before);
        assertThat(all.endpoints().getFirst().rejected()).isZero();
    }

    @Test
    void itIsOneTargetWithTheSettingsAndConnectionsOfAll() throws Exception {
        BalancedTarget all = BalancedTarget.builder()
                .endpoint(one)
                .endpoint(two, Flow.named("two").concurrency(7).to(two))
                .build(ticker);
        all.call(call());
        all.call(call());
        assertThat(all.where()).isEqualTo("http://one.example/, http://two.example/");
        assertThat(all).hasToString(all.where());
        assertThat(all.connections()).containsExactly(entry("opened", 2L));
        assertThat(all.times()).isEmpty();
        assertThat(all.honorsDeadline()).isTrue();
        assertThat(all.settings().stream().map(Setting::name))
                .contains("endpoint.1", "endpoint.1.pool.max", "endpoint.2", "endpoint.2.limit", "endpoint.2.pool.max")
                .doesNotHaveDuplicates();
        assertThat(all.settings()).noneMatch(Setting::pinnable);
        assertThat(all.settings().getFirst().reason()).isEqualTo("in use, 0 failures in a row; 0 calls outstanding");
        all.close();
        assertThat(one.isClosed() && two.isClosed()).isTrue();
    }

    @Test
    void aServiceThatDoesNotHonorDeadlinesIsReported() {
        BalancedTarget all =
                BalancedTarget.builder().endpoint(one, call -> FakeTarget.OK).build(ticker);
        assertThat(all.honorsDeadline()).isFalse();
    }

    @Test
    void balancersOfOneBuilderCountApart() throws Exception {
        BalancedTarget.Builder builder = BalancedTarget.builder().endpoint(one);
        builder.build(ticker).call(call());
        assertThat(builder.build(ticker).endpoints().getFirst().calls()).isZero();
    }

    @Test
    void aBalancerHasOneTo64Endpoints() {
        assertThatThrownBy(() -> over()).isInstanceOf(IllegalArgumentException.class);
        FakeTarget[] many = new FakeTarget[65];
        Arrays.fill(many, one);
        assertThatThrownBy(() -> over(many)).isInstanceOf(IllegalArgumentException.class);
    }
}
