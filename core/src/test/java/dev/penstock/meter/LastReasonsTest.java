package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.Failed;
import dev.penstock.Reason.Last;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LastReasonsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private Instant wall = NOON;
    private final LastReasons reasons = new LastReasons("payments", () -> wall);

    private static Failed refused(int port) {
        return new Failed(
                Failed.Cause.CONNECT,
                "h:" + port + " refused the connection",
                new ConnectException("Connection refused: /10.0.0." + port % 9 + ":" + port));
    }

    private static Failed nobody() {
        return new Failed(Failed.Cause.CONNECT, "no such host for h:443", new UnknownHostException("h"));
    }

    @Test
    void aNewReasonIsLoggedAtOnceWithItsExceptions() {
        assertThat(reasons.ended(nobody(), 0))
                .isEqualTo("payments: failed (connect): no such host for h:443 [java.net.UnknownHostException: h]");
    }

    @Test
    void theSameReasonIsCountedAtMostOnceAMinute() {
        assertThat(reasons.ended(refused(80), 0)).isNotNull();
        for (int second = 1; second < 60; second++) {
            assertThat(reasons.ended(refused(80), second * SECOND)).isNull();
        }
        assertThat(reasons.ended(refused(80), 60 * SECOND))
                .startsWith("payments: 60 more in 60 s: failed (connect): h:80");
        assertThat(reasons.ended(refused(80), 61 * SECOND)).isNull();
    }

    @Test
    void anotherReasonOfTheSameCauseIsLoggedAtOnce() {
        assertThat(reasons.ended(refused(80), 0)).contains("refused");
        assertThat(reasons.ended(nobody(), 1)).contains("no such host");
        assertThat(reasons.last()).hasSize(1);
    }

    @Test
    void portsAndIdentifiersMakeNoOtherReason() {
        assertThat(reasons.ended(refused(80), 0)).isNotNull();
        for (int port = 1_000; port < 3_000; port++) {
            assertThat(reasons.ended(refused(port), 0)).isNull();
        }
    }

    @Test
    void whatTheResolverSaysMakesNoOtherReason() {
        for (String message : List.of("h: Name or service not known", "h", "h: Temporary failure in name resolution")) {
            reasons.ended(new Failed(Failed.Cause.CONNECT, "no such host", new UnknownHostException(message)), 0);
        }
        assertThat(reasons.last().getFirst().count()).isEqualTo(3);
    }

    @Test
    void durationsMakeNoOtherReasonWhateverTheirUnit() {
        assertThat(reasons.ended(new Unknown(Unknown.Cause.TIMEOUT, "no answer within 980 ms"), 0))
                .isNotNull();
        for (String time : List.of("1.25 s", "12 s", "2 min", "3.5 min", "17 us")) {
            assertThat(reasons.ended(new Unknown(Unknown.Cause.TIMEOUT, "no answer within " + time), 0))
                    .isNull();
        }
    }

    @Test
    void aDrainIsKeptAndNotLogged() {
        Rejected draining = new Rejected(Rejected.Cause.DRAINING, "the flow payments is shutting down");
        assertThat(reasons.ended(draining, 0)).isNull();
        assertThat(reasons.ended(draining, 1)).isNull();
        assertThat(reasons.unlogged(2)).isEmpty();
        assertThat(reasons.last()).hasSize(1);
    }

    @Test
    void statesAndStatusesDo() {
        for (String state : new String[] {"23505", "40001", "28P01"}) {
            SQLException error = new SQLException("no", state);
            assertThat(reasons.ended(new Failed(Failed.Cause.REFUSED, "refused", error), 0))
                    .contains(state);
            Failed words = new Failed(Failed.Cause.REFUSED, "the database refused it (SQLState " + state + ")");
            assertThat(reasons.ended(words, 0)).contains(state);
        }
        for (int status : new int[] {403, 407}) {
            Failed ending = new Failed(Failed.Cause.CONNECT, "no way to h: proxy p:3128 answered " + status);
            assertThat(reasons.ended(ending, 0)).contains("answered " + status);
        }
    }

    @Test
    void ofReasonsWithoutEndOnlySoManyAreKeptAndLogged() {
        int logged = 0;
        for (int i = 0; i < 10_000; i++) {
            String word = Integer.toString(i)
                    .chars()
                    .collect(StringBuilder::new, (b, c) -> b.append((char) (c + 49)), StringBuilder::append)
                    .toString();
            logged += reasons.ended(new Unknown(Unknown.Cause.ERROR, "the target threw " + word), 0) == null ? 0 : 1;
        }
        assertThat(logged).isEqualTo(LastReasons.MAX_REASONS + 1);
        Last last = reasons.last().getFirst();
        assertThat(last.reason().cause()).isEqualTo("error");
    }

    @Test
    void aReasonThatIsLongOverMakesRoomForANewOne() {
        for (int i = 0; i < LastReasons.MAX_REASONS; i++) {
            String word = "x".repeat(i + 1);
            assertThat(reasons.ended(new Unknown(Unknown.Cause.ERROR, word), 0)).isNotNull();
        }
        assertThat(reasons.ended(nobody(), 601 * SECOND)).contains("no such host");
        assertThat(reasons.ended(refused(80), 601 * SECOND)).contains("refused");
        assertThat(reasons.last()).hasSize(1);
    }

    @Test
    void theLastReasonOfEachCauseIsKeptWithItsTimeAndCount() {
        reasons.ended(refused(80), 0);
        reasons.ended(refused(81), 1);
        wall = NOON.plusSeconds(5);
        reasons.ended(nobody(), 5 * SECOND);
        reasons.ended(new Unknown(Unknown.Cause.TIMEOUT, "no answer within 1 s"), 5 * SECOND);
        assertThat(reasons.last())
                .extracting(last -> last.reason().toString(), Last::at, Last::count)
                .containsExactly(
                        tuple(
                                "failed (connect): no such host for h:443 [java.net.UnknownHostException: h]",
                                NOON.plusSeconds(5),
                                1L),
                        tuple("unknown (timeout): no answer within 1 s", NOON.plusSeconds(5), 1L));
    }

    @Test
    void aRejectionMakesNoTextUntilSomebodyReadsIt() {
        AtomicInteger made = new AtomicInteger();
        Rejected rejection = new Rejected(
                Rejected.Cause.LIMIT, () -> "all 100 permits are out, look " + made.incrementAndGet(), SECOND);
        assertThat(reasons.ended(rejection, 0)).contains("all 100 permits are out");
        int logged = made.get();
        for (int i = 0; i < 1_000; i++) {
            assertThat(reasons.ended(rejection, i)).isNull();
        }
        assertThat(made.get()).isEqualTo(logged);
        assertThat(reasons.last().getFirst().count()).isEqualTo(1_001);
        assertThat(made.get()).isGreaterThan(logged);
    }

    @Test
    void aRejectionWithAnExceptionBehindItIsToldByIt() {
        Duration second = Duration.ofSeconds(1);
        String busy = "no connection came free";
        assertThat(reasons.ended(new Rejected(Rejected.Cause.POOL, busy, second, new SQLException("full")), 0))
                .contains("full");
        assertThat(reasons.ended(new Rejected(Rejected.Cause.POOL, busy, second, new SQLException("stopping")), 0))
                .contains("stopping");
    }

    @Test
    void whatWasNotLoggedYetIsToldAtTheEndOnce() {
        reasons.ended(refused(80), 0);
        reasons.ended(refused(80), SECOND);
        reasons.ended(refused(80), 2 * SECOND);
        assertThat(reasons.unlogged(3 * SECOND))
                .singleElement()
                .asString()
                .startsWith("payments: 2 more in 3 s: failed");
        assertThat(reasons.unlogged(4 * SECOND)).isEmpty();
    }
}
