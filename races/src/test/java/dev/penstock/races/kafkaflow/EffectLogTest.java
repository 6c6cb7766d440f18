package dev.penstock.races.kafkaflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EffectLogTest {
    private static void append(Path file, byte[]... entries) throws IOException {
        for (byte[] entry : entries) {
            Files.write(file, entry, StandardOpenOption.APPEND);
        }
    }

    private static void handle(Path file, int number) throws IOException {
        append(file, EffectLog.beginning(number), EffectLog.effect(number));
    }

    @Test
    void distinguishesWhatWasInAHandlerAtAKill(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("effects"));
        try (EffectLog log = new EffectLog(file)) {
            handle(file, 0);
            handle(file, 1);
            append(file, EffectLog.beginning(2), EffectLog.beginning(3), new byte[] {0, 0});
            log.read();
            log.killed();
            append(file, new byte[] {0, 4});
            append(file, EffectLog.effect(4));
            handle(file, 1);
            handle(file, 2);
            log.read();
            assertThat(log.isRecovered()).as("3 was in a handler").isFalse();

            handle(file, 3);
            handle(file, 3);
            log.read();

            assertThat(log.isRecovered()).isTrue();
            assertThat(log.done()).isEqualTo(5);
            assertThat(log.metrics(7, left -> left == 6))
                    .isEqualTo(Map.of(
                            "kills", 1.0,
                            "count", 7.0,
                            "lost", 1.0,
                            "duplicates", 2.0,
                            "redelivered", 4.0,
                            "beyond_in_flight", 2.0));
        }
    }

    @Test
    void whatEndsWhileTheBrokerIsKilledMayComeAgain(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("effects"));
        try (EffectLog log = new EffectLog(file)) {
            append(file, EffectLog.beginning(0));
            log.read();
            log.interrupt();
            append(file, EffectLog.effect(0));
            log.read();
            log.killed();
            handle(file, 0);
            log.read();

            assertThat(log.isRecovered()).as("nothing else took effect").isFalse();
            assertThat(log.metrics(1, _ -> false))
                    .containsEntry("redelivered", 1.0)
                    .containsEntry("duplicates", 1.0)
                    .containsEntry("beyond_in_flight", 0.0);
        }
    }
}
