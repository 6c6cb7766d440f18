package dev.penstock.races.machine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who runs where: who sends on one core and the server on another, by {@code taskset}, so that neither is moved into the
 * other's way. Without it, or with one core, the system decides.
 */
public final class Cores {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path THREAD = Path.of("/proc/thread-self");
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final long PATIENCE_SECONDS = 5;
    private static final int ATTEMPTS = 20;

    private final List<Integer> cores;

    private Cores(List<Integer> cores) {
        this.cores = cores;
    }

    /** Those of this machine that this process may use. */
    public static Cores here() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            List<Integer> allowed = lines.filter(line -> line.startsWith(ALLOWED))
                    .findFirst()
                    .map(line -> read(line.substring(ALLOWED.length())))
                    .orElse(List.of());
            return new Cores(Tools.has("taskset") ? allowed : List.of());
        } catch (IOException e) {
            return new Cores(List.of()); // no Linux
        }
    }

    /** A list such as {@code 0-1,4}. */
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

    /** Whether it is decided here. */
    public boolean arePinned() {
        return cores.size() > 1;
    }

    /** For people. */
    public String words() {
        return arePinned()
                ? "sender and server each have a core of their own (taskset)"
                : "the system decides which core has the sender and which the server (no taskset, or one core)";
    }

    /** What to put before a server's command. */
    public List<String> ofServer() {
        return arePinned() ? on(cores.getLast()) : List.of();
    }

    /** What to put before the command of what stands on the sender's side. */
    public List<String> ofSender() {
        return arePinned() ? on(cores.getFirst()) : List.of();
    }

    private static List<String> on(int core) {
        return List.of("taskset", "-c", String.valueOf(core));
    }

    /** Keeps the calling thread, a platform one, where the sender belongs; threads that it starts stay there too. */
    public void keepSender() throws IOException, InterruptedException {
        if (arePinned()) {
            String thread = Files.readSymbolicLink(THREAD).getFileName().toString();
            taskset("-p", "-c", String.valueOf(cores.getFirst()), thread);
        }
    }

    /**
     * Keeps this whole process, what compiles and what collects garbage too, where the sender belongs, until that is closed:
     * else these threads get in the way of a server that is measured.
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

    /** A time on one core. */
    @FunctionalInterface
    public interface Stay extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    private static void taskset(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("taskset"));
        command.addAll(List.of(words));
        // It gives up when a thread that it has listed ends before its turn.
        for (int attempt = 1; !succeeds(command); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IOException("it could not be decided which core has what: " + String.join(" ", command));
            }
        }
    }

    private static boolean succeeds(List<String> command) throws IOException, InterruptedException {
        Process taskset = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return taskset.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && taskset.exitValue() == 0;
    }
}
