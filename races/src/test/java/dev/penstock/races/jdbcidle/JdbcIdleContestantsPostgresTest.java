package dev.penstock.races.jdbcidle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.races.jdbcidle.Bursts.PoolTransaction;
import dev.penstock.races.jdbcidle.JdbcIdleContestants.Pool;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each contestant handles bursts, and failures are counted. Real threads, tiny gaps. */
@Timeout(60)
class JdbcIdleContestantsPostgresTest {
    private static final Bursts THREE =
            new Bursts(Duration.ofMillis(100), List.of(Duration.ofMillis(50), Duration.ofMillis(50)));

    @ParameterizedTest
    @EnumSource
    void handlesBursts(JdbcIdleContestants contestant) throws Exception {
        try (FreshSchema schema = RealPostgres.shared().schema()) {
            schema.execute("CREATE TABLE entry (id bigint)");
            try (Pool pool = contestant.pool(schema.url(), null)) {
                List<BurstTimes> times = THREE.run(new PoolTransaction(pool.source(), "entry"));

                assertThat(times).hasSize(3);
                assertThat(BurstTimes.of(times).errors()).isZero();
                assertThat(BurstTimes.of(times).worstMillis())
                        .isLessThan(10_000)
                        .isPositive();
            }
            assertThat(schema.number("SELECT count(*) FROM entry")).isEqualTo(30);
        }
    }

    @Test
    void countsFailures() throws Exception {
        try (FreshSchema schema = RealPostgres.shared().schema();
                Pool pool = JdbcIdleContestants.HIKARI.pool(schema.url(), null)) {
            List<BurstTimes> times = THREE.run(new PoolTransaction(pool.source(), "entry"));

            assertThat(times).allSatisfy(burst -> assertThat(burst.errors()).isEqualTo(Bursts.SIZE));
        }
    }

    @Test
    void sceneHasTwoPathsToOneTableAndKeepsItsPort() throws Exception {
        int port;
        try (IdleScene scene = new IdleScene(IdleKill.RST, 0, null)) {
            port = scene.port();
            write(scene, IdleScene.URL);
            write(scene, IdleScene.REHEARSAL_URL);
            assertThat(scene.metrics()).containsEntry("killed", 0.0);
            assertThat(scene.metrics().get("connections_opened")).isPositive();
        }
        try (IdleScene again = new IdleScene(IdleKill.RST, port, null)) {
            assertThat(again.port()).isEqualTo(port);
        }
    }

    private static void write(IdleScene scene, String url) throws Exception {
        String table = IdleCourse.required(scene.parameters(), IdleScene.TABLE);
        try (Pool pool = JdbcIdleContestants.INFORMED.pool(IdleCourse.required(scene.parameters(), url), null)) {
            new PoolTransaction(pool.source(), table).run(1);
        } catch (SQLException e) {
            throw new AssertionError(url, e);
        }
    }
}
