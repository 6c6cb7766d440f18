package dev.penstock.races.jdbcidle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.races.jdbcidle.Bursts.PoolTransaction;
import dev.penstock.races.jdbcidle.JdbcIdleContestants.Pool;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
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
            try (Pool pool = contestant.pool(schema.url())) {
                List<BurstTimes> times = THREE.run(new PoolTransaction(pool.source(), "entry"));

                assertThat(times).hasSize(3);
                assertThat(BurstTimes.of(times).errors()).isZero();
                assertThat(BurstTimes.of(times).worstMillis())
                        .isLessThan(40_000)
                        .isPositive();
            }
            assertThat(schema.number("SELECT count(*) FROM entry")).isEqualTo(15);
        }
    }

    @Test
    void countsFailures() throws Exception {
        try (FreshSchema schema = RealPostgres.shared().schema();
                Pool pool = JdbcIdleContestants.HIKARI.pool(schema.url())) {
            List<BurstTimes> times = THREE.run(new PoolTransaction(pool.source(), "entry"));

            assertThat(times).allSatisfy(burst -> assertThat(burst.errors()).isEqualTo(Bursts.SIZE));
        }
    }

    @Test
    void sceneHasTwoPathsToOneTable() throws Exception {
        try (IdleScene scene = new IdleScene(Duration.ofMinutes(1), THREE)) {
            write(scene, IdleScene.URL);
            write(scene, IdleScene.REHEARSAL_URL);
            assertThat(scene.metrics()).containsEntry("killed", 0.0);
            assertThat(scene.metrics().get("connections_opened")).isPositive();
        }
    }

    /** A quick course in the build: connections die after 20 s, and a burst follows 15 s later. */
    @ParameterizedTest
    @EnumSource(names = {"HIKARI", "PENSTOCK"})
    @Tag("full-only")
    @Timeout(240)
    void burstAfterAKillSucceeds(JdbcIdleContestants contestant) throws Exception {
        Bursts one = Bursts.of(1, Duration.ofSeconds(35));
        try (IdleScene scene = new IdleScene(Duration.ofSeconds(20), one)) {
            String table = IdleCourse.required(scene.parameters(), IdleScene.TABLE);
            try (Pool pool = contestant.pool(IdleCourse.required(scene.parameters(), IdleScene.URL))) {
                List<BurstTimes> times = one.run(new PoolTransaction(pool.source(), table));

                assertThat(BurstTimes.of(times).errors()).isZero();
                if (contestant == JdbcIdleContestants.HIKARI) {
                    // Ours pings idle connections, which keeps one alive when the ping comes within the 20 s.
                    assertThat(scene.metrics().get("killed")).isPositive();
                }
            }
        }
    }

    private static void write(IdleScene scene, String url) throws Exception {
        String table = IdleCourse.required(scene.parameters(), IdleScene.TABLE);
        try (Pool pool = JdbcIdleContestants.HIKARI.pool(IdleCourse.required(scene.parameters(), url))) {
            new PoolTransaction(pool.source(), table).run(1);
        } catch (SQLException e) {
            throw new AssertionError(url, e);
        }
    }
}
