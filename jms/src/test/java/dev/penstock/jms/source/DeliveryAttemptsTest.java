package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import dev.penstock.state.AttemptLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveryAttemptsTest {
    private final ManualTicker ticker = new ManualTicker();
    private DeliveryAttempts attempts;

    @TempDir
    Path folder;

    @BeforeEach
    void aProcessDiedDuringAMessage() throws IOException {
        try (AttemptLog died = AttemptLog.open(folder.resolve("attempts"))) {
            died.begin("m-1");
        }
        attempts = new DeliveryAttempts(folder.resolve("attempts"), ticker);
        attempts.open();
        attempts.connecting();
    }

    @AfterEach
    void close() {
        attempts.close();
    }

    @Test
    void othersWaitTenMinutesForSuspectsThatAnotherProcessGot() {
        ticker.advance(Duration.ofMinutes(9));
        assertThat(attempts.lockFor(0)).as("it may still come").isNotNull();
        ticker.advance(Duration.ofMinutes(1));
        assertThat(attempts.lockFor(0)).isNull();
        assertThat(attempts.deaths(new HeldMessage(Blank.MESSAGE, null, false, 1, "m-1", null)))
                .as("it is known if it comes late")
                .isOne();
        attempts.connecting();
        assertThat(attempts.lockFor(0)).as("it may come over this connection").isNotNull();
    }

    @Test
    void othersWaitAsLongAsSuspectsCome() {
        ticker.advance(Duration.ofMinutes(9));
        assertThat(attempts.lockFor(1)).isNotNull();
        ticker.advance(Duration.ofMinutes(9));
        assertThat(attempts.lockFor(0)).isNotNull();
    }

    @Test
    void othersWaitWhileASuspectIsProcessed() {
        Lock alone = Objects.requireNonNull(attempts.lockFor(1));
        alone.lock();
        ticker.advance(Duration.ofMinutes(11));
        assertThat(attempts.lockFor(0)).isNotNull();
        alone.unlock();
        assertThat(attempts.lockFor(0)).isNull();
    }
}
