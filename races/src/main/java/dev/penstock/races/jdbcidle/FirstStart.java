package dev.penstock.races.jdbcidle;

import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.races.jdbcidle.Bursts.PoolTransaction;
import dev.penstock.races.jdbcidle.IdleCourse.PoolRehearsal;
import dev.penstock.races.jdbcidle.JdbcIdleContestants.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first start before a restart: learns once per course when its path kills connections, and gives each restart a
 * copy of the learned state. The middlebox keeps its port for the whole course. For one thread.
 */
final class FirstStart {
    private static final Bursts LEARNING_BURSTS = Bursts.of(1, 3, 7, 7, 12);

    private final IdleKill how;
    private int port;
    private @Nullable Path learned;

    FirstStart(IdleKill how) {
        this.how = how;
    }

    /**
     * The scene of a block.
     *
     * @param state a file for its contestant; null for none
     */
    IdleScene scene(@Nullable Path state) throws Exception {
        IdleScene scene = new IdleScene(how, port, state);
        port = scene.port();
        return scene;
    }

    /** The file for a restart. */
    Path copy() throws Exception {
        if (learned == null) {
            learned = learn();
        }
        Path copy = fresh();
        if (Files.exists(learned)) {
            Files.copy(learned, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy;
    }

    private Path learn() throws Exception {
        Path state = fresh();
        try (IdleScene scene = scene(null)) {
            Map<String, String> parameters = scene.parameters();
            String table = IdleCourse.required(parameters, IdleScene.TABLE);
            new PoolRehearsal(JdbcIdleContestants.PENSTOCK, table)
                    .through(IdleCourse.required(parameters, IdleScene.REHEARSAL_URL));
            try (Pool pool = JdbcIdleContestants.PENSTOCK_SECOND_START.pool(
                    IdleCourse.required(parameters, IdleScene.URL), state)) {
                LEARNING_BURSTS.run(new PoolTransaction(pool.source(), table));
            }
        }
        return state;
    }

    /** A file name that does not exist yet. */
    private static Path fresh() throws IOException {
        Path folder = Files.createTempDirectory("penstock-jdbc-idle");
        folder.toFile().deleteOnExit();
        Path state = folder.resolve("state");
        state.toFile().deleteOnExit();
        return state;
    }
}
