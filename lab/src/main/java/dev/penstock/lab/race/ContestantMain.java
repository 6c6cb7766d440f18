package dev.penstock.lab.race;

import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.report.LoadProgress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What runs in a contestant's own JVM: reads its task, runs one block, tells its figures, ends. See {@link BlockProtocol}. */
final class ContestantMain {
    private final PrintStream out;
    private final CountDownLatch go = new CountDownLatch(1);

    private ContestantMain(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs one block.
     *
     * @param args none; the task comes by standard input
     */
    public static void main(String[] args) throws Exception {
        Locale.setDefault(Locale.ROOT);
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String task = in.readLine();
        if (task == null) {
            return;
        }
        ContestantMain main = new ContestantMain(out);
        Thread.ofPlatform().daemon().name("race-runner").start(() -> main.obey(in));
        main.run(BlockProtocol.read(task, BlockProtocol.Task.class));
        System.exit(0); // contestants may leave threads behind
    }

    /** Ends this JVM when the runner's is gone: nothing may be left to disturb what is measured next. */
    @SuppressWarnings("SystemExitOutsideMain")
    private void obey(BufferedReader in) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals(BlockProtocol.GO)) {
                    go.countDown();
                }
            }
        } catch (IOException e) {
            // The runner is gone.
        }
        Runtime.getRuntime().halt(0);
    }

    @SuppressWarnings("IllegalCatch") // whatever it throws is told to the runner
    private void run(BlockProtocol.Task task) {
        try {
            Course course = Races.course(task.race(), task.course());
            say(BlockProtocol.RESULT + BlockProtocol.text(course.run(task.block(), new FarCue(task.parameters()))));
        } catch (Throwable e) {
            e.printStackTrace();
            say(BlockProtocol.FAILED + BlockRunner.BlockFailed.by(e).getMessage());
        }
    }

    private synchronized void say(String line) {
        out.println(BlockProtocol.MARK + line);
        out.flush();
    }

    private final class FarCue implements Cue {
        private final Map<String, String> parameters;

        FarCue(Map<String, String> parameters) {
            this.parameters = parameters;
        }

        @Override
        public Map<String, String> parameters() {
            return parameters;
        }

        @Override
        public void ready() throws InterruptedException {
            say(BlockProtocol.READY);
            go.await();
        }

        @Override
        public void progress(Progress progress) {
            say(BlockProtocol.PROGRESS + LoadProgress.line(progress));
        }
    }
}
