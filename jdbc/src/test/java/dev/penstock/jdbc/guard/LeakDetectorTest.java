package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.ManualTicker;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LeakDetectorTest {
    private static final Duration AFTER = Duration.ofSeconds(5);

    private final ManualTicker ticker = new ManualTicker();
    private final List<String> lines = new ArrayList<>();
    private final List<Throwable> traces = new ArrayList<>();
    private final LeakDetector detector = new LeakDetector(AFTER, (line, trace) -> {
        lines.add(line);
        traces.add(trace);
    });

    private void after(Duration time) {
        ticker.advance(time);
        detector.check(ticker.nanos());
    }

    @Test
    void reportsALeakOnceWithItsBorrower() {
        LeakDetector.Loan loan = new Borrower().borrow();
        after(AFTER.minusNanos(1));
        assertThat(lines).isEmpty();
        after(Duration.ofNanos(1));
        after(Duration.ofHours(1));
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("apparent connection leak: borrowed 5 s ago by Thread[");
        assertThat(traces.getFirst()).hasStackTraceContaining("Borrower.borrow");
        assertThat(detector.overdue()).isOne();
        loan.returned(ticker.nanos());
        loan.returned(ticker.nanos());
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains("was closed, 60.08 min after it was borrowed");
        assertThat(detector.overdue()).isZero();
    }

    private final class Borrower {
        LeakDetector.Loan borrow() {
            return Objects.requireNonNull(detector.borrowed(ticker.nanos()));
        }
    }

    @Test
    void doesNotReportConnectionsReturnedInTime() {
        LeakDetector.Loan loan = new Borrower().borrow();
        after(AFTER.minusNanos(1));
        loan.returned(ticker.nanos());
        after(AFTER);
        assertThat(lines).isEmpty();
    }

    /** Advances the clock until the condition holds, since a check may only be due then. */
    private Map<String, Long> await(GuardedDataSource database, long leaked) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (database.connections().getOrDefault("leaked", -1L) != leaked) {
            assertThat(System.nanoTime() - end)
                    .as(() -> database.connections().toString())
                    .isNegative();
            ticker.advance(Duration.ofMillis(100));
            LockSupport.parkNanos(1_000_000);
        }
        return database.connections();
    }

    @Test
    void dataSourceCountsLeakedConnections() throws Exception {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:leaks");
        try (GuardedDataSource database = GuardedDataSource.over(h2, "leaks")
                .max(2)
                .leakAfter(AFTER)
                .ticker(ticker)
                .build()) {
            Connection leaked = database.getConnection();
            try (Connection other = database.getConnection()) {
                assertThat(other.isClosed()).isFalse();
            }
            ticker.advance(AFTER);
            assertThat(await(database, 1)).containsEntry("leased", 1L);
            leaked.close();
            assertThat(await(database, 0)).containsEntry("leased", 0L);
            Connection aborted = database.getConnection();
            ticker.advance(AFTER);
            assertThat(await(database, 1)).containsEntry("leased", 1L);
            aborted.abort(Runnable::run);
            assertThat(await(database, 0)).containsEntry("leaked", 0L);
        }
    }

    @Test
    void isOffByDefault() throws Exception {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:leaks-off");
        try (GuardedDataSource database = GuardedDataSource.over(h2, "off").build();
                Connection held = database.getConnection()) {
            assertThat(held.isClosed()).isFalse();
            assertThat(database.connections()).doesNotContainKey("leaked");
        }
        assertThatThrownBy(() -> GuardedDataSource.over(h2, "off").leakAfter(Duration.ofMillis(1_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("leakAfter must be 2s to 24h, but is 1999ms");
    }
}
