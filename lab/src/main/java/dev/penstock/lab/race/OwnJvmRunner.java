package dev.penstock.lab.race;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs each block in a fresh JVM of its own, so that no library, no compiled code and no garbage of another contestant is
 * around. The JVM ends with the block, when its time is over, and when the runner's JVM ends, whatever way.
 */
final class OwnJvmRunner implements BlockRunner {
    /** What all contestants' JVMs get: the heap that the origin had. What libraries log is as in the command itself: warnings. */
    static final List<String> OPTIONS =
            List.of("-Xmx1g", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    /** Lines that wait for the runner; a contestant that says more waits itself. */
    private static final int MOST_WAITING = 1024;
    /** Lines of its errors that are kept, to say why it failed. */
    private static final int ERRORS_KEPT = 5;

    private static final String END = "";

    private final String race;
    private final Course course;
    private final List<String> jvmOptions;
    private final Duration patience;

    /**
     * A carrier for one contestant.
     *
     * @param race the race's name
     * @param course its course
     * @param jvmOptions beside {@link #OPTIONS}
     * @param patience how long a block may take in all; then its JVM is ended
     */
    OwnJvmRunner(String race, Course course, List<String> jvmOptions, Duration patience) {
        this.race = race;
        this.course = course;
        this.jvmOptions = jvmOptions;
        this.patience = patience;
    }

    @Override
    public BlockResult run(Block block, Scene scene, Consumer<String> progress)
            throws InterruptedException, BlockFailed {
        Process jvm;
        try {
            jvm = new ProcessBuilder(command()).start();
        } catch (IOException e) {
            throw new BlockFailed("its JVM could not be started: " + e.getMessage(), e);
        }
        Errors errors = new Errors(jvm);
        try (BufferedWriter in = jvm.outputWriter(StandardCharsets.UTF_8)) {
            BlockingQueue<String> said = listen(jvm);
            say(in, BlockProtocol.text(new BlockProtocol.Task(race, course.name(), block, scene.parameters())));
            return converse(said, in, scene, progress, errors);
        } catch (IOException e) {
            jvm.destroyForcibly();
            throw new BlockFailed("its JVM ended before it could be told what to do" + errors.tail(), e);
        } finally {
            jvm.destroyForcibly();
            jvm.onExit().join();
        }
    }

    private BlockResult converse(
            BlockingQueue<String> said, BufferedWriter in, Scene scene, Consumer<String> progress, Errors errors)
            throws InterruptedException, BlockFailed, IOException {
        long until = System.nanoTime() + patience.toNanos();
        while (true) {
            String line = said.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new BlockFailed("it had not ended after " + patience.toSeconds() + " s" + errors.tail());
            } else if (line.equals(END)) {
                throw new BlockFailed("its JVM ended without a result" + errors.tail());
            } else if (line.equals(BlockProtocol.READY)) {
                scene.begin();
                say(in, BlockProtocol.GO);
            } else if (line.startsWith(BlockProtocol.PROGRESS)) {
                progress.accept(line.substring(BlockProtocol.PROGRESS.length()));
            } else if (line.startsWith(BlockProtocol.RESULT)) {
                return BlockProtocol.read(line.substring(BlockProtocol.RESULT.length()), BlockResult.class);
            } else if (line.startsWith(BlockProtocol.FAILED)) {
                throw new BlockFailed(line.substring(BlockProtocol.FAILED.length()));
            }
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ContestantMain.class.getName()));
        return command;
    }

    private static void say(BufferedWriter in, String line) throws IOException {
        in.write(line);
        in.newLine();
        in.flush();
    }

    private static BlockingQueue<String> listen(Process jvm) {
        BlockingQueue<String> said = new ArrayBlockingQueue<>(MOST_WAITING);
        Thread.ofVirtual().name("race-listen").start(() -> {
            try (BufferedReader out = jvm.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (line.startsWith(BlockProtocol.MARK)) {
                        said.put(line.substring(BlockProtocol.MARK.length()));
                    }
                }
            } catch (IOException e) {
                // It ended, which is told below.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            said.offer(END);
        });
        return said;
    }

    /** The last lines that a JVM wrote to its standard error. */
    private static final class Errors {
        private static final Duration LAST_WORDS = Duration.ofSeconds(1);

        private final Deque<String> lines = new ArrayDeque<>();
        private final Process jvm;
        private final Thread reader;

        Errors(Process jvm) {
            this.jvm = jvm;
            reader = Thread.ofVirtual().name("race-errors").start(() -> {
                try (BufferedReader err = jvm.errorReader(StandardCharsets.UTF_8)) {
                    for (@Nullable String line = err.readLine(); line != null; line = err.readLine()) {
                        add(line);
                    }
                } catch (IOException e) {
                    // It ended.
                }
            });
        }

        private synchronized void add(String line) {
            if (lines.size() == ERRORS_KEPT) {
                lines.removeFirst();
            }
            lines.addLast(line);
        }

        String tail() throws InterruptedException {
            if (!jvm.isAlive()) {
                reader.join(LAST_WORDS);
            }
            return joined();
        }

        private synchronized String joined() {
            return lines.isEmpty() ? "" : "; it last said: " + String.join(" | ", lines);
        }
    }
}
