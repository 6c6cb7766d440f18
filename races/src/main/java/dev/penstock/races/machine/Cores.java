package dev.penstock.races.machine;

import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pins processes to cores with {@code taskset}: the sender on one core, the server on another, so that they do not
 * disturb each other. Without taskset, or with one core, the operating system schedules.
 */
public final class Cores {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path THREAD = Path.of("/proc/thread-self");
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final long TIMEOUT_SECONDS = 5;
    private static final int ATTEMPTS = 20;

    private final List<Integer> cores;

    private Cores(List<Integer> cores) {
        this.cores = cores;
    }

    /** The cores that this process may use. */
    public static Cores here() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            List<Integer> allowed = lines.filter(line -> line.startsWith(ALLOWED))
                    .findFirst()
                    .map(line -> read(line.substring(ALLOWED.length())))
                    .orElse(List.of());
            return new Cores(Programs.find("taskset").isPresent() ? allowed : List.of());
        } catch (IOException e) {
            return new Cores(List.of()); // not Linux
        }
    }

    /** Parses a list such as {@code 0-1,4}. */
    static List<Integer> read(String list) {
        return Stream.of(list.strip().split(",", -1))
                .flatMap(part -> {
                    int dash = part.indexOf('-');
                    int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
                    int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
                    return Stream.iterate(from, core -> core <= to, core -> core + 1);
                })
                .toList();
    }

    /** Whether processes are pinned. */
    public boolean arePinned() {
        return cores.size() > 1;
    }

    /** A readable description. */
    public String describe() {
        return arePinned()
                ? "sender and server pinned to separate cores (taskset)"
                : "sender and server not pinned to cores (no taskset, or one core)";
    }

    /** The command prefix of a server. */
    public List<String> ofServer() {
        return arePinned() ? on(cores.getLast()) : List.of();
    }

    /** The command prefix of processes on the sender's side. */
    public List<String> ofSender() {
        return arePinned() ? on(cores.getFirst()) : List.of();
    }

    private static List<String> on(int core) {
        return List.of("taskset", "-c", String.valueOf(core));
    }

    /**
     * Works on a thread that is pinned to the sender's core; threads that it starts inherit that.
     *
     * @throws IOException when the work failed
     */
    public <T> T onSender(Callable<T> work) throws IOException, InterruptedException {
        try (ExecutorService thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("sender").daemon().factory())) {
            Future<T> running = thread.submit(() -> {
                if (arePinned()) {
                    String self = Files.readSymbolicLink(THREAD).getFileName().toString();
                    taskset("-p", "-c", String.valueOf(cores.getFirst()), self);
                }
                return work.call();
            });
            try {
                return running.get();
            } catch (ExecutionException e) {
                Throwable why = Objects.requireNonNullElse(e.getCause(), e);
                throw new IOException("the sender: " + why.getMessage(), why);
            } finally {
                running.cancel(true);
            }
        }
    }

    /**
     * Pins this whole process, including compiler and GC threads, to the sender's core until the result is closed:
     * otherwise these threads disturb the measured server.
     */
    public Stay keepProcess() throws IOException, InterruptedException {
        if (!arePinned()) {
            return () -> {};
        }
        String process = String.valueOf(ProcessHandle.current().pid());
        taskset("-a", "-p", "-c", String.valueOf(cores.getFirst()), process);
        String all = cores.stream().map(String::valueOf).collect(Collectors.joining(","));
        return () -> release(all, process);
    }

    private static void release(String cores, String process) throws IOException {
        try {
            taskset("-a", "-p", "-c", cores, process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the race is over");
        }
    }

    /** A pinning that ends when closed. */
    @FunctionalInterface
    public interface Stay extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    private static void taskset(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("taskset"));
        command.addAll(List.of(arguments));
        // taskset gives up when a thread that it has listed ends before its turn.
        for (int attempt = 1; !succeeds(command); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IOException("pinning to cores failed: " + String.join(" ", command));
            }
        }
    }

    private static boolean succeeds(List<String> command) throws IOException, InterruptedException {
        Process taskset = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return taskset.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && taskset.exitValue() == 0;
    }
}
