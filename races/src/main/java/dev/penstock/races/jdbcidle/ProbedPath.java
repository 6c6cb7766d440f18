package dev.penstock.races.jdbcidle;

import dev.penstock.cli.probe.C3p0Lines;
import dev.penstock.cli.probe.DirectConnections;
import dev.penstock.cli.probe.HikariLines;
import dev.penstock.cli.probe.JdbcPeer;
import dev.penstock.cli.probe.LoadSender;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.Probe;
import dev.penstock.lab.probe.ProbeBudget;
import dev.penstock.lab.probe.ProbeFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Probes a course's path once, and prints the recommended settings for other pools. For one thread. */
final class ProbedPath {
    /** The budget of an administrator without other users on the database. */
    private static final ProbeBudget BUDGET =
            new ProbeBudget(Duration.ofMinutes(1), 20_000, JdbcIdleContestants.Pools.MAX);

    private @Nullable ProbeFindings found;

    /**
     * The printed settings for a contestant, as a file.
     *
     * @return null for a contestant without probed settings
     */
    @Nullable
    Path printed(String contestant, FirstStart scenes) throws Exception {
        boolean hikari =
                contestant.equals(JdbcIdleContestants.HIKARI_PROBED.entry().name());
        if (!hikari
                && !contestant.equals(JdbcIdleContestants.C3P0_PROBED.entry().name())) {
            return null;
        }
        if (found == null) {
            found = find(scenes);
        }
        return file(hikari ? HikariLines.of(found) : C3p0Lines.of(found));
    }

    private static ProbeFindings find(FirstStart scenes) throws Exception {
        try (IdleScene scene = scenes.scene(null)) {
            String url = IdleCourse.required(scene.parameters(), IdleScene.URL);
            String where = "jdbc:postgresql://race";
            DirectConnections connections = DirectConnections.to(url, where);
            JdbcTarget target = JdbcTarget.on(connections).statement("select 1").build();
            try (JdbcPeer peer =
                    new JdbcPeer(url, where, new Calls(target), number -> JdbcRequest.empty(), null, connections)) {
                return Probe.of(peer).budget(BUDGET).run();
            }
        }
    }

    private static Path file(List<String> lines) throws IOException {
        Path file = Files.createTempFile("penstock-probed", ".properties");
        file.toFile().deleteOnExit();
        return Files.write(file, lines);
    }

    /** Sends a load to the database. */
    private record Calls(JdbcTarget target) implements LoadSender {
        @Override
        public LoadResult run(Load<?> load) throws InterruptedException {
            return load.run(target, number -> JdbcRequest.empty());
        }

        @Override
        public void close() {
            target.close();
        }
    }
}
