package dev.penstock.races.jdbcidle;

import dev.penstock.lab.simulate.tcp.IdleKill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first start before a second one: learns once for a course how its path kills, and gives each second start a copy of what
 * it wrote down. The middlebox keeps its port for the whole course. For one thread.
 */
final class FirstStart {
    private static final Bursts LESSON = Bursts.of(1, 3, 7, 7, 12);

    private final IdleKill how;
    private int port;
    private @Nullable Path learnt;

    FirstStart(IdleKill how) {
        this.how = how;
    }

    /**
     * The scene of a block.
     *
     * @param state a file that its contestant is given; null for none
     */
    IdleScene scene(@Nullable Path state) throws Exception {
        IdleScene scene = new IdleScene(how, port, state);
        port = scene.port();
        return scene;
    }

    /** What a second start is given. */
    Path copy() throws Exception {
        if (learnt == null) {
            learnt = learn();
        }
        Path copy = fresh();
        if (Files.exists(learnt)) {
            Files.copy(learnt, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy;
    }

    private Path learn() throws Exception {
        Path state = fresh();
        try (IdleScene scene = scene(null)) {
            Map<String, String> said = scene.parameters();
            String table = IdleCourse.said(said, IdleScene.TABLE);
            new PoolRehearsal(JdbcIdleContestants.PENSTOCK, table).through(IdleCourse.said(said, IdleScene.REHEARSAL_URL));
            try (Pool pool = JdbcIdleContestants.PENSTOCK_SECOND_START.pool(IdleCourse.said(said, IdleScene.URL), state)) {
                LESSON.run(new PoolTransaction(pool.source(), table));
            }
        }
        return state;
    }

    /** A name that no file has yet. */
    private static Path fresh() throws IOException {
        Path folder = Files.createTempDirectory("penstock-jdbc-idle");
        folder.toFile().deleteOnExit();
        Path state = folder.resolve("state");
        state.toFile().deleteOnExit();
        return state;
    }
}
