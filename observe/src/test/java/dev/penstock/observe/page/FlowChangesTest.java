package dev.penstock.observe.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Failed;
import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Setting.Pin;
import dev.penstock.StageReport;
import dev.penstock.kit.ManualTicker;
import dev.penstock.meter.Meter;
import dev.penstock.meter.Timings;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.page.EventLog.FlowEvent;
import dev.penstock.observe.page.EventLog.FlowEvent.News;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class FlowChangesTest {
    private static final Accounting NOTHING = new Meter(new ManualTicker()).accounting();

    private static Setting limit(int value, Pin pin, String reason) {
        Origin origin = pin == Pin.ON ? Origin.PINNED : Origin.LEARNED;
        return new Setting("limit", Integer.toString(value), "1..10000", reason, Instant.EPOCH, origin, pin);
    }

    private static FlowSnapshot look(int limit) {
        return look(limit(limit, Pin.OFF, "measured"), "closed: fine", 0, Map.of(), Map.of());
    }

    private static FlowSnapshot look(
            Setting limit, String breaker, long opened, Map<String, Long> connections, Map<String, Long> lost) {
        StageReport stage = new StageReport("breaker", opened, 0, 0, 0, breaker, Timings.none());
        return Snapshots.of(
                NOTHING,
                List.of(),
                List.of(stage),
                List.of(limit),
                connections,
                Map.of("lost", lost),
                Map.of(),
                List.of(),
                null);
    }

    /** A flow with a number of transactions that failed with the cause connect. */
    private static FlowSnapshot failing(long many, Failed last) {
        Accounting account = new Accounting(many, 0, 0, many, 0, 0, Map.of("failed", Map.of("connect", many)));
        List<Reason.Last> reasons = List.of(new Reason.Last(last.reason(), Instant.EPOCH, many));
        return Snapshots.of(account, reasons, null);
    }

    @Test
    void reportsFailureAgainOnlyAfterQuietOrWithAnotherReason() {
        Failed refused = new Failed(Failed.Cause.CONNECT, "h:80 refused", new ConnectException("refused"));
        Failed unknown = new Failed(Failed.Cause.CONNECT, "no such host h");
        FlowChanges changes = new FlowChanges(failing(0, refused));
        List<News> told = new ArrayList<>();
        long many = 0;
        for (int look = 0; look < 40; look++) {
            many += 2;
            told.addAll(changes.next(failing(many, look < 20 ? refused : unknown)));
        }
        assertThat(texts(told))
                .containsExactly(
                        "2 in the last second ended as failed (connect): h:80 refused [java.net.ConnectException: refused]",
                        "2 in the last second ended as failed (connect): no such host h");
        assertThat(told).allMatch(news -> news.kind().equals("failed"));
        for (int look = 0; look < 20; look++) {
            assertThat(changes.next(failing(many, unknown))).isEmpty();
        }
        assertThat(changes.next(failing(many + 1, unknown))).hasSize(1);
    }

    private static List<String> texts(List<News> news) {
        return news.stream().map(News::text).toList();
    }

    @Test
    void doesNotReportLimitThatOnlyProbes() {
        FlowChanges changes = new FlowChanges(look(200));
        for (int i = 0; i < 60; i++) {
            assertThat(changes.next(look(i % 2 == 0 ? 220 : 180))).isEmpty();
        }
    }

    @Test
    void reportsChangedLimitOnceWithReason() {
        FlowChanges changes = new FlowChanges(look(200));
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            told.addAll(texts(changes.next(look(150))));
        }
        assertThat(told).containsExactly("the limit changed from 200 to 150: measured");
    }

    @Test
    void reportsPinAndUnpinButNotAsAChangedLimit() {
        FlowChanges changes = new FlowChanges(look(200));
        Map<String, Long> none = Map.of();
        FlowSnapshot pinned = look(limit(50, Pin.ON, "pinned by 127.0.0.1 at noon"), "closed: fine", 0, none, none);
        assertThat(texts(changes.next(pinned)))
                .containsExactly("limit is 50, pinned by 127.0.0.1 at noon, before that 200");
        assertThat(changes.next(pinned)).isEmpty();
        FlowSnapshot again = look(limit(50, Pin.ON, "pinned by 127.0.0.1 at one"), "closed: fine", 0, none, none);
        assertThat(texts(changes.next(again))).containsExactly("limit is 50, pinned by 127.0.0.1 at one");
        assertThat(texts(changes.next(look(50)))).containsExactly("limit is unpinned and continues from 50");
        assertThat(changes.next(look(50))).isEmpty();
    }

    @Test
    void reportsBreakerThatWasOpenOnlyBetweenTwoSnapshots() {
        FlowChanges changes = new FlowChanges(look(200));
        Setting limit = limit(200, Pin.OFF, "measured");
        Map<String, Long> none = Map.of();
        assertThat(texts(changes.next(look(limit, "open: 60 % failed", 1, none, none))))
                .containsExactly("the breaker opened: 60 % failed");
        assertThat(changes.next(look(limit, "half-open: trying", 1, none, none)))
                .isEmpty();
        assertThat(texts(changes.next(look(limit, "closed: fine", 1, none, none))))
                .containsExactly("the breaker closed");
        assertThat(texts(changes.next(look(limit, "closed: fine", 2, none, none))))
                .containsExactly("the breaker opened: fine", "the breaker closed");
    }

    @Test
    void reportsRepeatedEventsOnceUntilQuiet() {
        FlowChanges changes = new FlowChanges(look(200));
        Setting limit = limit(200, Pin.OFF, "measured");
        long closed = 0;
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            closed += i < 5 || i == 25 ? 3 : 0;
            Map<String, Long> counts = Map.of("evicted", closed, "found_closed", closed, "leased", (long) i);
            told.addAll(texts(changes.next(look(limit, "closed: fine", 0, counts, Map.of("socket", closed)))));
        }
        String gone = "connections: 3 evicted because a connection idle for as long was found dead, "
                + "3 closed by the peer while idle";
        assertThat(told).containsExactly(gone, "datagrams are lost: socket 3", gone, "datagrams are lost: socket 3");
    }

    @Test
    void logDropsOldestEventsAndContinuesAfterAnId() {
        EventLog log = new EventLog(() -> Instant.EPOCH);
        for (int i = 1; i <= EventLog.MAX + 5; i++) {
            log.add("payments", new News("limit", "event " + i));
        }
        assertThat(log.after(0)).hasSize(EventLog.MAX).first().returns(6L, FlowEvent::id);
        assertThat(log.after(EventLog.MAX + 3)).extracting(FlowEvent::text).containsExactly("event 204", "event 205");
        // An id of another run of the gateway.
        assertThat(log.after(10_000)).hasSize(EventLog.MAX);
        assertThat(new RecentTimes().next(List.of())).isEmpty();
    }

    @Test
    void recentTimesForgetOldOnes() {
        RecentTimes recent = new RecentTimes();
        Timings times = new Timings();
        times.record(Duration.ofMillis(100).toNanos());
        assertThat(lately(recent, times).getValueAtPercentile(50)).isBetween(99_000_000L, 101_000_000L);
        assertThat(lately(recent, times).getTotalCount()).isZero();
        times.record(Duration.ofMillis(2).toNanos());
        for (int look = 0; look < 5; look++) {
            assertThat(lately(recent, times).getValueAtPercentile(50)).isBetween(1_900_000L, 2_100_000L);
        }
        assertThat(lately(recent, times).getTotalCount()).isZero();
    }

    private static Histogram lately(RecentTimes recent, Timings times) {
        StageReport target = new StageReport("target", 1, 0, 0, 0, "", times.snapshot());
        return Objects.requireNonNull(recent.next(List.of(target)).get("target"));
    }
}
