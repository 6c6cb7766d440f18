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

/**
 * The main class of a contestant's JVM: reads the task, runs one block, reports the result, exits. See
 * {@link BlockProtocol}.
 */
final class ContestantMain {
    private final PrintStream out;
    private final CountDownLatch go = new CountDownLatch(1);

    private ContestantMain(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs one block.
     *
     * @param args none; the task arrives on standard input
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
        Thread.ofPlatform().daemon().name("race-runner").start(() -> main.readCommands(in));
        main.run(BlockProtocol.read(task, BlockProtocol.Task.class));
        System.exit(0); // contestants may leave threads running
    }

    /** Ends this JVM when the runner's JVM is gone, so that it does not disturb the next measurement. */
    @SuppressWarnings("SystemExitOutsideMain")
    private void readCommands(BufferedReader in) {
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

    @SuppressWarnings("IllegalCatch") // everything is reported to the runner
    private void run(BlockProtocol.Task task) {
        try {
            Course course = Races.course(task.race(), task.course());
            send(BlockProtocol.RESULT + BlockProtocol.text(course.run(task.block(), new RemoteCue(task.parameters()))));
        } catch (Throwable e) {
            e.printStackTrace();
            send(BlockProtocol.FAILED + BlockRunner.BlockFailed.by(e).getMessage());
        }
    }

    private synchronized void send(String line) {
        out.println(BlockProtocol.MARK + line);
        out.flush();
    }

    private final class RemoteCue implements Cue {
        private final Map<String, String> parameters;

        RemoteCue(Map<String, String> parameters) {
            this.parameters = parameters;
        }

        @Override
        public Map<String, String> parameters() {
            return parameters;
        }

        @Override
        public void ready() throws InterruptedException {
            send(BlockProtocol.READY);
            go.await();
        }

        @Override
        public void progress(Progress progress) {
            send(BlockProtocol.PROGRESS + LoadProgress.line(progress));
        }
    }
}
