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
 * Runs each block in a fresh JVM, so that no library, compiled code or garbage of another contestant affects it. The
 * JVM ends with the block, on timeout, and when the runner's JVM ends.
 *
 * @param race the race's name
 * @param course the course
 * @param jvmOptions in addition to {@link #OPTIONS}
 * @param patience maximum time until it is ready, and from its start to its end; then its JVM is killed
 */
record OwnJvmRunner(String race, Course course, List<String> jvmOptions, Duration patience) implements BlockRunner {
    /**
     * Common options of contestants' JVMs: the heap is as large as the original service's. Libraries log warnings, as
     * in the command itself.
     */
    static final List<String> OPTIONS =
            List.of("-Xmx1g", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    /** The maximum number of unread protocol lines; beyond it the contestant blocks. */
    private static final int MAX_WAITING = 1024;
    /** The number of last error lines kept for the failure message. */
    private static final int ERRORS_KEPT = 5;

    private static final String END = "";

    @Override
    public BlockResult run(Block block, Scene scene, Consumer<String> progress)
            throws InterruptedException, BlockFailed {
        Process jvm;
        try {
            jvm = new ProcessBuilder(command()).start();
        } catch (IOException e) {
            throw new BlockFailed("its JVM did not start: " + e.getMessage(), e);
        }
        Errors errors = new Errors(jvm);
        try (BufferedWriter in = jvm.outputWriter(StandardCharsets.UTF_8)) {
            BlockingQueue<String> lines = listen(jvm);
            send(in, BlockProtocol.text(new BlockProtocol.Task(race, course.name(), block, scene.parameters())));
            return exchange(lines, in, scene, progress, errors);
        } catch (IOException e) {
            jvm.destroyForcibly();
            throw new BlockFailed("its JVM ended before it received its task" + errors.tail(), e);
        } finally {
            jvm.destroyForcibly();
            jvm.onExit().join();
        }
    }

    private BlockResult exchange(
            BlockingQueue<String> lines, BufferedWriter in, Scene scene, Consumer<String> progress, Errors errors)
            throws InterruptedException, BlockFailed, IOException {
        long until = System.nanoTime() + patience.toNanos();
        while (true) {
            String line = lines.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new BlockFailed("it did not end within " + patience.toSeconds() + " s" + errors.tail());
            } else if (line.equals(END)) {
                throw new BlockFailed("its JVM ended without a result" + errors.tail());
            } else if (line.equals(BlockProtocol.READY)) {
                scene.begin();
                until = System.nanoTime() + patience.toNanos();
                send(in, BlockProtocol.GO);
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

    private static void send(BufferedWriter in, String line) throws IOException {
        in.write(line);
        in.newLine();
        in.flush();
    }

    private static BlockingQueue<String> listen(Process jvm) {
        BlockingQueue<String> lines = new ArrayBlockingQueue<>(MAX_WAITING);
        // Platform threads: a blocked read of a pipe holds the carrier of a virtual thread.
        Thread.ofPlatform().daemon().name("race-listen").start(() -> {
            try (BufferedReader out = jvm.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (line.startsWith(BlockProtocol.MARK)) {
                        lines.put(line.substring(BlockProtocol.MARK.length()));
                    }
                }
            } catch (IOException e) {
                // The process ended; the end is reported below.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            lines.offer(END);
        });
        return lines;
    }

    /** The last lines of a JVM's standard error. */
    private static final class Errors {
        private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);

        private final Deque<String> lines = new ArrayDeque<>();
        private final Process jvm;
        private final Thread reader;

        Errors(Process jvm) {
            this.jvm = jvm;
            reader = Thread.ofPlatform().daemon().name("race-errors").start(() -> {
                try (BufferedReader err = jvm.errorReader(StandardCharsets.UTF_8)) {
                    for (@Nullable String line = err.readLine(); line != null; line = err.readLine()) {
                        add(line);
                    }
                } catch (IOException e) {
                    // The process ended.
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
                reader.join(READ_TIMEOUT);
            }
            return joined();
        }

        private synchronized String joined() {
            return lines.isEmpty() ? "" : "; its last errors: " + String.join(" | ", lines);
        }
    }
}
