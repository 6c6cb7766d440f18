package dev.penstock.lab.compare.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.lab.compare.ResultComparison;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our own output satisfies the invariants: short real loads of a service in this process. */
@Timeout(180)
class OwnOutputRealClockTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path folder;

    static Stream<Load<?>> loads() {
        return Stream.of(
                OpenLoad.at(Arrivals.constant(1_000)).lasting(Duration.ofMillis(500)),
                OpenLoad.at(Arrivals.poisson(2_000, 5))
                        .lasting(Duration.ofMillis(500))
                        .warmUp(Duration.ofMillis(100)),
                ClosedLoad.of(20, Duration.ZERO).lasting(Duration.ofMillis(500)),
                ClosedLoad.of(5, Duration.ofMillis(1))
                        .lasting(Duration.ofMillis(400))
                        .warmUp(Duration.ofMillis(50)));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void whatWePrintCanBeTrue(Load<?> load) throws Exception {
        LoadResult result = load.run(
                (Long number) -> {
                    Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + (number % 10 == 0 ? 20 : 2) * MS);
                    return number;
                },
                number -> number,
                answer -> answer % 50 != 0);
        ResultFile file = ResultFile.ofLoad("1", "c", 1, "here", Map.of("load", result.load()), result);
        ResultTable table = new ResultTable().add("here", result);

        assertThat(check(file.json())).isEmpty();
        assertThat(check(table.markdown())).isEmpty();
        assertThat(check(
                        ResultComparison.of(file, file, false).file("1", "c", 1).json()))
                .isEmpty();
    }

    /** More samples than the window for which tables of other tools are excused. */
    @Test
    void manySamplesNeedNoExcuse() throws Exception {
        LoadResult result = ClosedLoad.of(4, Duration.ZERO)
                .count(30_000)
                .run((Long number) -> number, number -> number, answer -> true);

        assertThat(result.counts().offered()).isEqualTo(30_000);
        assertThat(check(ResultFile.ofLoad("1", "c", 1, "here", Map.of("load", result.load()), result)
                        .json()))
                .isEmpty();
    }

    private List<Finding> check(String text) throws IOException {
        Path file = folder.resolve("results");
        Files.writeString(file, text);
        TableFile checked = TableFile.check(file, null);
        assertThat(checked.rows()).isPositive();
        return checked.findings();
    }
}
