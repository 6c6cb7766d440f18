package dev.penstock.lab.race;

import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.report.LoadProgress;
import java.util.Map;
import java.util.function.Consumer;

/** Runs blocks in this JVM, on the calling thread. */
record InProcessRunner(Course course) implements BlockRunner {
    @Override
    @SuppressWarnings("IllegalCatch") // an exception of a contestant fails its block, not the race
    public BlockResult run(Block block, Scene scene, Consumer<String> progress)
            throws InterruptedException, BlockFailed {
        try {
            return course.run(block, new LocalCue(scene, progress));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | LinkageError e) {
            throw BlockFailed.by(e);
        }
    }

    private record LocalCue(Scene scene, Consumer<String> listener) implements Cue {
        @Override
        public Map<String, String> parameters() {
            return scene.parameters();
        }

        @Override
        public void ready() throws InterruptedException {
            scene.begin();
        }

        @Override
        public void progress(Progress progress) {
            listener.accept(LoadProgress.line(progress));
        }
    }
}
