package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Not in the short build, whose JVMs have no optimizing compiler. */
@Tag("full")
@Tag("full-only")
@EnabledOnOs(OS.LINUX)
class IdleCompilerTest {
    /** The fields after the name in /proc/PID/task/TID/stat; the policy is field 41, see proc_pid_stat(5). */
    private static final int POLICY = 41 - 3;

    @Test
    void onlyTheOptimizingCompilerYieldsToAllOthers() throws IOException {
        List<Path> c2 = threads("C2 Compiler");
        assertThat(c2).isNotEmpty();

        IdleCompiler.lower();

        assertThat(c2).allSatisfy(thread -> assertThat(policy(thread)).isEqualTo("5"));
        assertThat(threads("C1 Compiler"))
                .allSatisfy(thread -> assertThat(policy(thread)).isEqualTo("0"));
    }

    private static List<Path> threads(String name) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.filter(thread -> read(thread.resolve("comm")).startsWith(name))
                    .toList();
        }
    }

    private static String policy(Path thread) {
        String stat = read(thread.resolve("stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[POLICY];
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException ended) {
            return "";
        }
    }
}
