package dev.penstock.kit.program;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process and its children after SIGSTOP. They get SIGCONT when this is closed, and also when this JVM ends, whatever way. */
public final class SuspendedProcess implements AutoCloseable {
    private static final long TO_SIGNAL_S = 60;

    private final Process resumer;

    private SuspendedProcess(Process resumer) {
        this.resumer = resumer;
    }

    /** Suspends a process with its children; returns when all of them have the signal. */
    public static SuspendedProcess suspend(Process program) throws IOException {
        Set<Long> suspended = Set.of();
        for (Set<Long> all = family(program); !suspended.containsAll(all); all = family(program)) {
            // One that ran until now may have started another meanwhile.
            await(shell("kill -STOP \"$@\"", all));
            suspended = all;
        }
        return new SuspendedProcess(shell("read -r _; kill -CONT \"$@\"", suspended));
    }

    private static Set<Long> family(Process program) {
        return Stream.concat(Stream.of(program.toHandle()), program.descendants())
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    private static Process shell(String script, Collection<Long> pids) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of("sh", "-c", script, "sh"), pids.stream().map(String::valueOf))
                .toList();
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Lets it go on; does nothing the second time. */
    @Override
    public void close() throws IOException {
        resumer.getOutputStream().close();
        await(resumer);
    }

    private static void await(Process shell) throws IOException {
        try {
            if (!shell.waitFor(TO_SIGNAL_S, TimeUnit.SECONDS)) {
                throw new IOException("a signal was not sent within " + TO_SIGNAL_S + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a signal was sent", e);
        }
    }
}
