package dev.penstock.races.jdbcbatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.Counts;
import dev.penstock.races.jdbcbatch.JdbcBatchContestants.Inserter;
import dev.penstock.races.jdbcbatch.TableAudit.ReportedOutcomes;
import dev.penstock.races.sql.SqlCounts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each contestant stores every row once, and the audit detects errors. */
@Timeout(60)
class JdbcBatchContestantsPostgresTest {
    private static final int ROWS = 500;
    private static final int CALLERS = 40;

    private static FreshSchema table() throws SQLException {
        FreshSchema schema = RealPostgres.shared().schema();
        schema.execute("CREATE TABLE entry (id bigint NOT NULL, payload text NOT NULL)");
        return schema;
    }

    static List<String> all() {
        return JdbcBatchContestants.ALL.names();
    }

    @ParameterizedTest
    @MethodSource("all")
    void storesEveryRowOnce(String contestant) throws Exception {
        try (FreshSchema schema = table()) {
            ReportedOutcomes books;
            SqlCounts.Snapshot before = SqlCounts.now();
            try (Inserter inserter = JdbcBatchContestants.ALL.named(contestant).apply(schema.url())) {
                books = new ReportedOutcomes(inserter);
                Counts counts = ClosedLoad.of(CALLERS, Duration.ZERO)
                        .count(ROWS)
                        .run(books, number -> number, Boolean::booleanValue)
                        .counts();
                assertThat(counts.right()).isEqualTo(ROWS);
            }
            assertThat(TableAudit.of(schema.url(), books)).isEqualTo(new TableAudit(ROWS, 0, 0, 0));
            assertThat(SqlCounts.now().since(before).commits())
                    .as("a batch has at most one row of each caller")
                    .isBetween((long) ROWS / CALLERS, (long) ROWS);
        }
    }

    @Test
    void auditDetectsErrors() throws Exception {
        try (FreshSchema schema = table()) {
            ReportedOutcomes books = new ReportedOutcomes(id -> {
                if (id == 3) {
                    throw new Failed(Failed.Cause.UNDONE, "or so they say");
                }
                return id != 4;
            });
            for (long id = 1; id <= 4; id++) {
                try {
                    books.call(id);
                } catch (Failed e) {
                    assertThat(id).isEqualTo(3);
                }
            }
            schema.execute("INSERT INTO entry VALUES (2, 'once'), (2, 'twice'), (3, 'denied'), (-1, 'rehearsed')");

            assertThat(TableAudit.of(schema.url(), books)).isEqualTo(new TableAudit(3, 1, 1, 1));
        }
    }
}
