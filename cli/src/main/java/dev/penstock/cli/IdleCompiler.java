package dev.penstock.cli;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets the optimizing compiler of this JVM run only when a core is idle: SCHED_IDLE, see sched(7). It still compiles for a
 * while after a {@link Rehearsal}, 1 to 20 ms each time, and on two cores each of them delays some transactions. Code that
 * waits for it was compiled by the fast compiler before.
 */
final class IdleCompiler {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String NAME = "C2 Compiler";
    private static final int SCHED_IDLE = 5;

    private IdleCompiler() {}

    /** Does nothing where the system is not Linux or does not permit it. */
    @SuppressWarnings("restricted") // the start script permits native access
    static void lower() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS);
                Arena memory = Arena.ofConfined()) {
            Linker linker = Linker.nativeLinker();
            MethodHandle schedule = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("sched_setscheduler"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
            for (Path thread : threads) {
                if (Files.readString(thread.resolve("comm")).startsWith(NAME)) {
                    int id = Integer.parseInt(thread.getFileName().toString());
                    if ((int) schedule.invokeExact(id, SCHED_IDLE, memory.allocate(ValueLayout.JAVA_INT)) != 0) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // Not Linux, or a thread has just ended.
        } catch (Throwable e) {
            throw new IllegalStateException("cannot lower the priority of the compiler", e);
        }
    }
}
