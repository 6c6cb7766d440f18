package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.PgBouncer;
import dev.penstock.jdbc.kit.RealPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a pooler between us and PostgreSQL does with statements, whoever is answered has his row. */
@Timeout(300)
class PgBouncerTest {
    private final FreshSchema schema;
    private final String table;

    PgBouncerTest() throws SQLException {
        schema = RealPostgres.shared().schema();
        table = schema.name() + ".payment";
        schema.execute("create table payment(id bigint, amount int)");
    }

    @AfterEach
    void drop() throws SQLException {
        schema.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoeverIsAnsweredHasHisRow(boolean collapse) throws Exception {
        try (PgBouncer bouncer = PgBouncer.before(
                        RealPostgres.shared().address(), "transaction", Map.of("server_idle_timeout", "1"));
                JdbcTarget target = JdbcTarget.on(GuardedDataSource.at(
                                        RealPostgres.shared().urlThrough(bouncer.address()))
                                .build())
                        .statement("insert into " + table + "(id, amount) values (:id, :amount)")
                        .closesDataSource()
                        .build()) {
            FlowBuilder builder = Flow.named("payments").deadline(Duration.ofSeconds(20));
            Flow<JdbcRequest, JdbcAnswer> flow = collapse
                    ? builder.to(JdbcBatch.over(target).collapse())
                    : builder.to(target);
            Inserts inserts = new Inserts(flow, 100, 4_000);
            inserts.run(() -> {});

            Inserts.Audit audit = inserts.audit(ids());
            assertThat(audit.isClean()).as("%s", audit).isTrue();
            assertThat(audit.answered()).as("%s", audit).isEqualTo(4_000);
        }
    }

    private List<Long> ids() throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = schema.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select id from payment")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
