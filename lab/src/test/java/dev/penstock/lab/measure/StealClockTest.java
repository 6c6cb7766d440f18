package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StealClockTest {
    private static final StealClock UNKNOWN = new StealClock(-1, -1);

    @TempDir
    private Path proc;

    private StealClock read(String text) throws IOException {
        return StealClock.in(Files.writeString(proc.resolve("stat"), text));
    }

    @Test
    void whatRanAndWhatWasStolenWasWanted() throws IOException {
        String stat = """
                cpu  100 20 30 9000 400 5 6 70 40 3
                cpu0 50 10 15 4500 200 2 3 35 20 1
                intr 5
                """;
        assertThat(read(stat)).isEqualTo(new StealClock(100 + 20 + 30 + 5 + 6 + 70, 70));
    }

    @Test
    void theShareIsOfWhatWasWantedSinceThen() {
        StealClock earlier = new StealClock(1_000, 10);
        assertThat(new StealClock(1_400, 14).percentSince(earlier)).hasValue(1);
        assertThat(new StealClock(1_400, 10).percentSince(earlier)).hasValue(0);
        assertThat(earlier.percentSince(earlier)).isEmpty();
    }

    @Test
    void aSystemThatDoesNotTellIsNoError() throws IOException {
        assertThat(StealClock.in(proc.resolve("none"))).isEqualTo(UNKNOWN);
        assertThat(StealClock.in(proc)).isEqualTo(UNKNOWN);
        Path stat = Files.write(proc.resolve("stat"), new byte[] {'c', 'p', 'u', ' ', (byte) 0xff});
        assertThat(StealClock.in(stat)).isEqualTo(UNKNOWN);
        assertThat(read("")).isEqualTo(UNKNOWN);
        assertThat(read("cpu 1 2 3 4 5 6 7")).isEqualTo(UNKNOWN);
        assertThat(read("cpu 1 2 3 4 5 6 7 many")).isEqualTo(UNKNOWN);
        assertThat(read("intr 1 2 3 4 5 6 7 8")).isEqualTo(UNKNOWN);
        assertThat(new StealClock(10, 1).percentSince(UNKNOWN)).isEmpty();
        assertThat(UNKNOWN.percentSince(new StealClock(10, 1))).isEmpty();
    }
}
