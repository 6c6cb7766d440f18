package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counts that the course promises of Penstock, beside a target that closes connections and is otherwise healthy. */
@Tag("full-only")
@Timeout(120)
class ClosingsRealClockTest {
    @Test
    void nothingIsRejectedLostOrDoubled() throws Exception {
        ClosingsCourse course = ClosingsCourse.ofConnections();
        Block block = new Block("penstock", Effort.QUICK, 1, 1);
        try (Scene scene = course.open(block)) {
            BlockResult result = course.run(block, new SceneCue(scene));

            assertThat(result.metrics()).containsEntry("rejected", 0.0).containsEntry("errors", 0.0);
            assertThat(scene.metrics()).containsEntry("duplicates", 0.0);
        }
    }

    private record SceneCue(Scene scene) implements Cue {
        @Override
        public Map<String, String> parameters() {
            return scene.parameters();
        }

        @Override
        public void ready() throws InterruptedException {
            scene.begin();
        }

        @Override
        public void progress(Progress progress) {}
    }
}
