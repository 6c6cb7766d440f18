package dev.penstock.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptLogTest {
    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-23T10:00:00Z"));
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("attempts");
    }

    private AttemptLog open() throws IOException {
        return AttemptLog.open(file, now::get);
    }

    @Test
    void whatHasNotEndedIsCountedByTheNextProcess() throws IOException {
        try (AttemptLog log = open()) {
            assertThat(log.hasLeft()).isFalse();
            log.end("done", log.begin("done"));
            log.begin("died");
            log.sync();
            assertThat(log.deaths("died")).isZero();
        }
        for (int deaths = 1; deaths <= 3; deaths++) {
            try (AttemptLog log = open()) {
                assertThat(log.deaths("died")).isEqualTo(deaths);
                assertThat(log.deaths("done")).isZero();
                log.begin("died");
            }
        }
        try (AttemptLog log = open()) {
            log.end("died", log.begin("died"));
            assertThat(log.hasLeft()).isFalse();
        }
        try (AttemptLog log = open()) {
            assertThat(log.hasLeft()).isFalse();
        }
        assertThat(Files.size(file)).isEqualTo(AttemptLog.SLOT);
    }

    @Test
    void whatWasNotTriedAgainKeepsItsCount() throws IOException {
        try (AttemptLog log = open()) {
            log.begin("died");
        }
        open().close();
        try (AttemptLog log = open()) {
            assertThat(log.deaths("died")).isEqualTo(1);
        }
    }

    @Test
    void keepsTheLatestOfTooMany() throws IOException {
        try (AttemptLog log = open()) {
            log.begin("older");
            now.set(now.get().plusSeconds(2));
            for (int n = 1; n < AttemptLog.MAX_UNFINISHED; n++) {
                log.begin("m-" + n);
            }
            now.set(now.get().minusSeconds(1));
            log.begin("old");
        }
        try (AttemptLog log = open()) {
            assertThat(log.deaths("older")).isZero();
            assertThat(log.deaths("old")).isOne();
            assertThat(log.deaths("m-1")).isOne();
            assertThat(log.begin("new")).as("its slot is free").isZero();
        }
    }

    @Test
    void longIdsAreTold() throws IOException {
        String id = "x".repeat(1_000);
        try (AttemptLog log = open()) {
            log.begin(id);
            log.begin(id + "y");
        }
        try (AttemptLog log = open()) {
            assertThat(log.deaths(id)).isEqualTo(1);
            assertThat(log.deaths(id + "y")).isEqualTo(1);
            assertThat(log.deaths(id + "z")).isZero();
        }
    }

    @Test
    void aSecondOwnerHasAFileOfItsOwn() throws IOException {
        try (AttemptLog first = open();
                AttemptLog second = open()) {
            first.begin("a");
            second.begin("b");
        }
        try (AttemptLog first = open();
                AttemptLog second = open()) {
            assertThat(first.deaths("a")).isEqualTo(1);
            assertThat(first.deaths("b")).isZero();
            assertThat(second.deaths("b")).isEqualTo(1);
        }
    }

    @Test
    void aTornSlotIsFree() throws IOException {
        try (AttemptLog log = open()) {
            log.begin("torn");
            log.begin("whole");
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[21] ^= 1;
        Files.write(file, bytes);
        try (AttemptLog log = open()) {
            assertThat(log.deaths("torn")).isZero();
            assertThat(log.deaths("whole")).isEqualTo(1);
        }
    }

    @Test
    void onlyThirtyDaysForgetAndNotAClockThatJumpsByADay() throws IOException {
        try (AttemptLog log = open()) {
            log.begin("died");
        }
        for (int days : new int[] {1, -1, 29}) {
            now.set(Instant.parse("2026-11-23T10:00:00Z").plus(Duration.ofDays(days)));
            try (AttemptLog log = open()) {
                assertThat(log.deaths("died")).isEqualTo(1);
            }
        }
        now.set(Instant.parse("2026-11-23T10:00:00Z").plus(Duration.ofDays(31)));
        try (AttemptLog log = open()) {
            assertThat(log.hasLeft()).isFalse();
        }
    }
}
