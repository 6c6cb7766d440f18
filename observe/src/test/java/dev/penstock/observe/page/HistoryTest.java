package dev.penstock.observe.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.penstock.Accounting;
import dev.penstock.StageReport;
import dev.penstock.kit.ManualTicker;
import dev.penstock.observe.FlowSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    private static final long START = 1_764_000_000;

    @TempDir
    Path folder;

    private Path file;
    private History history;
    private long wall = START;
    private long nanos;
    private long answered;

    @BeforeEach
    void open() {
        file = folder.resolve("state.history");
        restart();
    }

    /** A process of its own: its counters begin at 0. */
    private void restart() {
        history = new History(file, () -> Instant.ofEpochSecond(wall), new ManualTicker());
        answered = 0;
        history.read();
    }

    private FlowSnapshot flow(long inFlight) {
        Histogram times = new Histogram(3);
        if (answered > 0) {
            times.recordValueWithCount(5_000_000, answered);
        }
        Accounting account = new Accounting(answered + inFlight, answered, 0, 0, 0, inFlight, Map.of());
        StageReport stage = new StageReport("flow", 0, 0, 0, 0, "", times);
        StageReport target = new StageReport("target", 0, 0, inFlight, 200, "", times);
        return Snapshots.of(
                account,
                List.of(),
                List.of(stage, target),
                List.of(),
                Map.of("idle", 3L),
                Map.of(),
                Map.of(),
                List.of(),
                null);
    }

    private void look(long inFlight) {
        history.add(flow(inFlight), 1, nanos);
        history.write();
    }

    private void pass(int seconds) {
        wall += seconds;
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    /** So many points of 20 transactions a second. */
    private void run(int points) {
        look(0);
        for (int i = 0; i < points; i++) {
            pass(10);
            answered += 200;
            look(0);
        }
    }

    private List<Long> times() {
        return history.find("/history?flow=f")
                .replaceFirst(".*\"rows\":\\[", "")
                .lines()
                .flatMap(rows -> Pattern.compile("\\[(\\d+),").matcher(rows).results())
                .map(found -> Long.parseLong(found.group(1)))
                .toList();
    }

    /** A pipe that nobody writes to: to read it waits for ever, and so does the thread. */
    @Test
    void aDiskThatHangsStopsNothing() throws Exception {
        Path pipe = folder.resolve("pipe");
        history = new History(pipe, () -> Instant.ofEpochSecond(wall), new ManualTicker());
        assumeThat(Files.exists(Path.of("/usr/bin/mkfifo"))).isTrue();
        assertThat(new ProcessBuilder("/usr/bin/mkfifo", pipe.toString())
                        .start()
                        .waitFor())
                .isZero();
        Thread keeper = Thread.ofPlatform().daemon().name("keeper").start(this::keep);
        while (keeper.getState() != Thread.State.RUNNABLE || !isReading(keeper)) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < 4; i++) {
            history.add(flow(0), 1, nanos);
            pass(10);
        }
        assertThat(times()).hasSize(3);
    }

    private static boolean isReading(Thread keeper) {
        return Arrays.stream(keeper.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("lines"));
    }

    private void keep() {
        try {
            history.keep();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void pointsHaveRatesTimesAndTheHighestOfOtherNumbers() {
        look(0);
        pass(5);
        look(7);
        pass(5);
        answered = 25;
        look(2);
        assertThat(history.find("/history?flow=f"))
                .isEqualTo(
                        "{\"every\":10,\"columns\":[\"at\",\"offered\",\"answered\",\"rejected\",\"failed\",\"unknown\",\"inFlight\","
                                + "\"waiting\",\"limit\",\"c_leased\",\"c_idle\",\"c_pending\",\"c_source_leased\",\"p50\",\"p90\",\"p99\"],"
                                + "\"rows\":[[1764000010,2.7,2.5,0,0,0,7,null,200,null,3,null,null,5,5,5]]}");
    }

    @Test
    void aRestartKeepsThePoints() {
        run(3);
        String before = history.find("/history?flow=f");
        restart();
        assertThat(history.find("/history?flow=f")).isEqualTo(before);
        pass(40);
        run(1);
        assertThat(times()).containsExactly(START + 10, START + 20, START + 30, START + 80);
        assertThat(history.find("/history?flow=f")).doesNotContain("-");
        assertThat(history.find("/history?flow=f&from=" + (START + 20) + "&to=" + (START + 30)))
                .contains("[" + (START + 20) + ",", "[" + (START + 30) + ",")
                .doesNotContain("[" + (START + 10) + ",", "[" + (START + 80) + ",");
        assertThat(history.find("/history?flow=other")).endsWith("\"rows\":[]}");
    }

    @Test
    void aTornOrForeignLineIsLeftOut() throws Exception {
        run(2);
        String lines = Files.readString(file);
        Files.writeString(file, "\0\0\uFFFF\n[1,\"f\",2]\n{\"at\":1}\n" + lines + lines.substring(0, 30));
        restart();
        assertThat(times()).containsExactly(START + 10, START + 20);
        run(1);
        restart();
        assertThat(times()).containsExactly(START + 10, START + 20, START + 30);
    }

    @Test
    void afterACutEverywhereTheRestIsRead() throws Exception {
        run(2);
        byte[] whole = Files.readAllBytes(file);
        for (int cut = 0; cut < whole.length; cut++) {
            Files.write(file, Arrays.copyOf(whole, cut), StandardOpenOption.TRUNCATE_EXISTING);
            restart();
            assertThat(times().size()).isLessThanOrEqualTo(2);
            pass(100);
            run(1);
            long last = wall;
            restart();
            assertThat(times()).endsWith(last);
        }
    }

    @Test
    void aFileThatCannotBeWrittenOrReadStopsNothing() throws Exception {
        Files.createDirectory(file);
        restart();
        run(3);
        assertThat(times()).hasSize(3);
    }

    @Test
    void laterPointsAreDroppedWhenTheClockIsSetBack() {
        run(3);
        wall += 100_000_000;
        run(2);
        wall = START + 40;
        run(1);
        List<Long> expected = List.of(START + 10, START + 20, START + 30, START + 50);
        assertThat(times()).isEqualTo(expected);
        restart();
        assertThat(times()).isEqualTo(expected);
    }

    @Test
    void thePointsAreBoundedAndManyFlowsGetFewer() {
        history = new History(null, () -> Instant.ofEpochSecond(wall), new ManualTicker());
        run(History.POINTS + 5);
        assertThat(times()).hasSize(History.POINTS).startsWith(START + 60);
        history.add(flow(0), History.FLOWS + 1, nanos);
        assertThat(history.find("/history?flow=f")).startsWith("{\"every\":20,");
    }
}
