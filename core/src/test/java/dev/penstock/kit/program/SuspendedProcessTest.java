package dev.penstock.kit.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@EnabledOnOs(OS.LINUX) // states of processes are read from /proc
class SuspendedProcessTest {
    @Test
    void aProcessAndItsChildrenAreSuspendedUntilItIsClosed() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & sleep 600; :").start();
        try {
            awaitFamily(parent, 3);
            try (SuspendedProcess _ = SuspendedProcess.suspend(parent)) {
                awaitState(parent, "T");
            }
            awaitState(parent, "S");
        } finally {
            Programs.kill(parent);
        }
    }

    private static void awaitFamily(Process parent, int size) {
        while (family(parent).size() < size) {
            Thread.onSpinWait();
        }
    }

    private static void awaitState(Process parent, String state) throws IOException {
        List<ProcessHandle> family = family(parent);
        assertThat(family).hasSize(3);
        for (ProcessHandle process : family) {
            while (!stateOf(process).equals(state)) {
                Thread.onSpinWait();
            }
        }
    }

    private static List<ProcessHandle> family(Process parent) {
        return Stream.concat(Stream.of(parent.toHandle()), parent.descendants()).toList();
    }

    private static String stateOf(ProcessHandle process) throws IOException {
        String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    }
}
