package dev.penstock.bottleneck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.penstock.Accounting;
import dev.penstock.Bottleneck;
import dev.penstock.Bottleneck.StageLoad;
import dev.penstock.Failed;
import dev.penstock.bottleneck.FlowCounts.Bound;
import dev.penstock.bottleneck.FlowCounts.Connecting;
import dev.penstock.bottleneck.FlowCounts.Sum;
import dev.penstock.limit.LimitController.LimitingFactor;
import dev.penstock.limit.LimitController.Plateau;
import dev.penstock.meter.AttemptMeter.ConnectFailure;
import java.security.cert.CertificateExpiredException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BottleneckFinderTest {
    private static final double MS = 1e6;
    private static final FlowCounts START =
            new FlowCounts(0, account(0, 0, 0), List.of(), Map.of(), Map.of(), null, null, null, "");

    private final List<Sum> stages = new ArrayList<>();
    private Map<String, Long> parts = Map.of();
    private Map<String, Long> connections = Map.of();
    private @Nullable Connecting connecting;
    private String errors = "";

    private static Accounting account(long offered, long inFlight, long refused) {
        Map<String, Map<String, Long>> causes = refused == 0 ? Map.of() : Map.of("rejected", Map.of("limit", refused));
        return new Accounting(offered, offered - inFlight - refused, refused, 0, 0, inFlight, causes);
    }

    /** So many passed in the 10 s, and took so long each. */
    private void stage(String name, long passed, double millis, long inFlight, long capacity) {
        stages.add(new Sum(name, passed + inFlight, passed, passed * millis * MS, inFlight, capacity));
    }

    private Bottleneck found(long offered, long refused, @Nullable Bound limit) {
        long inFlight = stages.isEmpty() ? 0 : stages.getFirst().inFlight();
        return BottleneckFinder.between(
                START,
                new FlowCounts(
                        10_000_000_000L,
                        account(offered, inFlight, refused),
                        stages,
                        parts,
                        connections,
                        limit,
                        null,
                        connecting,
                        errors));
    }

    /** So many attempts got no connection, the last one 2 s ago. */
    private void unconnected(long failed) {
        Failed last = new Failed(
                Failed.Cause.CONNECT, "no TLS with gw:443", new CertificateExpiredException("NotAfter: yesterday"));
        connecting = new Connecting(failed, new ConnectFailure(last, 8_000_000_000L));
    }

    @Test
    void whileConnectingFailsThePoolIsNotToBlame() {
        stage("flow", 1_000, 100, 10, 0);
        stage("target", 1_000, 100, 10, 0);
        parts = Map.of("waiting", (long) (71_000 * MS), "securing", (long) (29_000 * MS), "count", 1_000L);
        connections = Map.of("leased", 12L, "pending", 34L);
        unconnected(1_000);
        Bottleneck found = found(1_010, 0, null);
        assertEquals("target", found.stage());
        assertEquals(
                "connecting fails: 1000 of 1010 attempts got no connection; the last failure to connect, 2 s ago: no TLS with"
                        + " gw:443 [java.security.cert.CertificateExpiredException: NotAfter: yesterday]",
                found.sentence());
    }

    @Test
    void whileConnectingFailsIdleKillsAreNotToBlameEvenWhenMostCallsAreAnswered() {
        stage("flow", 1_000, 100, 10, 0);
        stage("target", 1_000, 100, 10, 0);
        parts = Map.of("connecting", (long) (10_000 * MS), "securing", (long) (20_000 * MS));
        unconnected(20);
        assertTrue(found(1_010, 0, null).sentence().startsWith("connecting fails: 20 of 1010"));
    }

    @Test
    void aFailureToConnectAmongManyCallsHoldsNothingBack() {
        stage("flow", 1_000, 100, 10, 0);
        stage("target", 1_000, 100, 10, 0);
        unconnected(1);
        assertTrue(found(1_010, 0, null).sentence().startsWith("the target takes"));
    }

    @Test
    void aFullLimitIsNotToBlameWhileConnectingFails() {
        queued();
        unconnected(900);
        Bottleneck found =
                found(1_220, 0, new Bound(180, 180, LimitingFactor.UPPER_BOUND, "10 % more gives 9 %", null));
        assertTrue(found.sentence().startsWith("connecting fails: 900 of 1180"), found.sentence());
    }

    @Test
    void anAttemptThatWasOfferedLongAgoAndFailsNowIsToldToo() {
        unconnected(1);
        FlowCounts before = new FlowCounts(1, account(1, 1, 0), List.of(), Map.of(), Map.of(), null, null, null, "");
        FlowCounts now = new FlowCounts(
                10_000_000_000L, account(1, 0, 0), List.of(), Map.of(), Map.of(), null, null, connecting, "");
        assertTrue(BottleneckFinder.between(before, now).sentence().startsWith("connecting fails: 1 of 1"));
    }

    @Test
    void failuresThatAreOverAreNotTold() {
        stage("flow", 1_000, 100, 10, 0);
        stage("target", 1_000, 100, 10, 0);
        unconnected(500);
        FlowCounts before = new FlowCounts(
                8_500_000_000L, account(500, 0, 0), List.of(), Map.of(), Map.of(), null, null, connecting, "");
        FlowCounts now = new FlowCounts(
                10_000_000_000L, account(1_010, 10, 0), stages, parts, connections, null, null, connecting, "");
        assertTrue(BottleneckFinder.between(before, now).sentence().startsWith("the target takes"));
    }

    @Test
    void anOpenBreakerTellsWhyNoConnectionIsHad() {
        queued();
        unconnected(5);
        FlowCounts now = new FlowCounts(
                10_000_000_000L,
                account(1_220, 220, 0),
                stages,
                parts,
                connections,
                null,
                "5 in a row",
                connecting,
                "");
        String sentence = BottleneckFinder.between(START, now).sentence();
        assertTrue(sentence.startsWith("breaker is open: 5 in a row;"), sentence);
        assertTrue(sentence.contains("the last failure to connect, 2 s ago: no TLS with gw:443"), sentence);
    }

    private void queued() {
        stage("flow", 1_000, 300, 220, 0);
        stage("queue", 900, 200, 40, 500);
        stage("target", 1_000, 100, 180, 180);
    }

    @Test
    void aLimitThatWasMeasuredToBeEnoughSaysFromWhereOnItIsFlat() {
        queued();
        Bottleneck found =
                found(1_220, 0, new Bound(180, 180, LimitingFactor.MEASURED, "as it is", new Plateau(170, 190, 0.031)));
        assertEquals("queue", found.stage());
        assertEquals(
                "limit 180 is the bottleneck: waiting for a permit takes 60 % of latency; throughput is flat from 170, and at 190 the target"
                        + " answers 3 % slower, so only a faster target or fewer calls (collapse) would help",
                found.sentence());
    }

    @Test
    void aLimitSetByHandIsToBeSetHigher() {
        queued();
        Bottleneck found = found(1_300, 80, new Bound(180, 180, LimitingFactor.PINNED, "given", null));
        assertTrue(found.sentence().contains("8.0/s are rejected; it is set by hand"), found.sentence());
    }

    @Test
    void aLimitAtItsBoundIsToHaveAHigherOne() {
        queued();
        Bottleneck found =
                found(1_220, 0, new Bound(180, 180, LimitingFactor.UPPER_BOUND, "10 % more gives 9 %", null));
        assertTrue(found.sentence().endsWith("raise limit.max, or pool.max if that is lower"), found.sentence());
    }

    @Test
    void aLimitThatIsFullAndForWhichNobodyWaitsHoldsNothingBack() {
        stage("flow", 1_000, 100, 180, 0);
        stage("queue", 0, 0, 0, 500);
        stage("target", 1_000, 100, 180, 180);
        Bottleneck found = found(1_180, 0, new Bound(180, 180, LimitingFactor.MEASURED, "as it is", null));
        assertEquals("target", found.stage());
        assertTrue(found.sentence().startsWith("the target takes 100 % of the 100 ms"), found.sentence());
    }

    @Test
    void waitingForAConnectionIsThePoolsAndNotTheTargets() {
        stage("flow", 1_000, 100, 10, 0);
        stage("target", 1_000, 100, 10, 0);
        parts = Map.of("waiting", (long) (71_000 * MS), "answering", (long) (29_000 * MS), "count", 1_000L);
        connections = Map.of("leased", 12L, "pending", 34L);
        Bottleneck found = found(1_010, 0, null);
        assertEquals("target", found.stage());
        assertEquals(
                "waiting for a connection takes 71 % of latency, with 12 connections in use and 34 calls waiting for one: raise pool.max",
                found.sentence());
        assertEquals(34, found.loads().getLast().queued());
    }

    @Test
    void openingConnectionsIsToldOnItsOwn() {
        stage("flow", 1_000, 100, 10, 0);
        stage("target", 1_000, 100, 10, 0);
        parts = Map.of("connecting", (long) (10_000 * MS), "securing", (long) (20_000 * MS));
        assertTrue(found(1_010, 0, null).sentence().startsWith("opening connections takes 30 % of latency"));
    }

    @Test
    void repeatsAreToldWhenTheyAreMany() {
        stage("flow", 1_000, 100, 0, 0);
        stage("retry", 400, 0, 0, 0);
        stage("target", 1_400, 70, 0, 0);
        Bottleneck found = found(1_000, 0, null);
        assertEquals("retry", found.stage());
        assertTrue(found.sentence().startsWith("retries add 40 %"), found.sentence());
    }

    @Test
    void aWindowThatTakesMostOfTheTimeIsTheBottleneck() {
        stage("flow", 1_000, 12, 0, 0);
        stage("collapse", 1_000, 0, 0, 100);
        stage("target", 50, 2, 0, 0);
        Bottleneck found = found(1_000, 0, null);
        assertEquals("collapse", found.stage());
        assertTrue(found.sentence().contains("83 % of latency"), found.sentence());
    }

    @Test
    void aBatchThatWaitsForAPermitMakesAllWaitThatTravelInIt() {
        stage("flow", 1_000, 500, 0, 0);
        stage("collapse", 1_000, 0, 0, 50);
        stage("queue", 20, 400, 0, 10);
        stage("target", 20, 100, 0, 2);
        Bottleneck found = found(1_000, 0, new Bound(2, 2, LimitingFactor.UPPER_BOUND, "10 % more gives 10 %", null));
        assertEquals("queue", found.stage());
        assertTrue(found.sentence().contains("waiting for a permit takes 80 % of latency"), found.sentence());
        assertEquals(0.2, found.loads().getLast().ofLatency(), 0.001);
    }

    @Test
    void errorsThatTheTargetAnswersAreToldBeforeWhatTakesTime() {
        stage("flow", 1_000, 100, 10, 0);
        stage("target", 1_000, 100, 10, 0);
        errors = "the target answers 100 % of calls with 5xx";
        Bottleneck found = found(1_010, 0, null);
        assertEquals("target", found.stage());
        assertTrue(found.sentence().startsWith(errors + "; the target takes"), found.sentence());
    }

    @Test
    void anOpenBreakerIsToldFirst() {
        queued();
        FlowCounts now = new FlowCounts(
                10_000_000_000L,
                account(1_220, 220, 0),
                stages,
                parts,
                connections,
                null,
                "all failed for 1 s",
                null,
                "");
        Bottleneck found = BottleneckFinder.between(START, now);
        assertEquals("breaker", found.stage());
        assertTrue(found.sentence().startsWith("breaker is open: all failed for 1 s;"), found.sentence());
    }

    @Test
    void beforeTheFirstTransactionItSaysWhatWouldBindFirst() {
        stage("flow", 0, 0, 0, 0);
        assertEquals(
                "nothing was measured yet: limit 200 would be the first bottleneck, at 200/s when an answer takes 1 s",
                found(0, 0, new Bound(200, 200, LimitingFactor.MEASURING, "to begin with", null))
                        .sentence());
    }

    @Test
    void aTargetThatAnswersNothingIsTheBottleneck() {
        stage("flow", 0, 0, 50, 0);
        stage("target", 0, 0, 50, 200);
        Bottleneck found = found(50, 0, new Bound(200, 200, LimitingFactor.MEASURING, "to begin with", null));
        assertEquals("target", found.stage());
        assertEquals(
                "the target is the bottleneck: 50 calls are in flight, and none was answered recently",
                found.sentence());
    }

    @Test
    void reportsTheLoadOfEachStage() {
        stage("flow", 1_000, 100, 10, 0);
        stage("target", 1_000, 90, 9, 20);
        StageLoad target = found(1_010, 0, null).loads().getLast();
        assertEquals(100.9, target.arrivalsPerSecond(), 0.01);
        assertEquals(90, target.serviceMillis(), 0.01);
        assertEquals(0.45, target.utilisation(), 0.001); // 100/s x 90 ms = 9 of 20
        assertEquals(0.9, target.ofLatency(), 0.001);
    }
}
