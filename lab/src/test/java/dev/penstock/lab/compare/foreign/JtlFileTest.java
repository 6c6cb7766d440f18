package dev.penstock.lab.compare.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.compare.check.TableCheck;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ResultFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JtlFileTest {
    private static final String HEADER =
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
                    + "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n";
    private static final long START = 1_700_000_000_000L;

    @TempDir
    private Path folder;

    @Test
    void sumsUpEverySample() throws IOException {
        ResultFile file = read(HEADER + run(1_000));

        assertThat(file.experiment()).isEqualTo("load");
        assertThat(file.valid()).isTrue();
        assertThat(ForeignResult.generator(file)).isEqualTo("JMeter");
        Contestant contestant = file.contestants().getFirst();
        Map<String, Double> block = contestant.blocks().getFirst();
        // 1,000 samples, one each 10 ms, of 1 to 100 ms; each 50th failed.
        assertThat(block)
                .containsEntry("count", 1_000.0)
                .containsEntry("errors", 20.0)
                .containsEntry("users_max", 5.0)
                .containsEntry("min_ms", 2.0)
                .containsEntry("failures", 20.0)
                .doesNotContainKey("p999_ms");
        assertThat(block.get("seconds")).isEqualTo(10.09);
        assertThat(block.get("tps")).isCloseTo(980 / 10.09, within(1e-9));
        assertThat(block.get("mean_ms")).isCloseTo(51, within(0.05));
        assertThat(block.get("p50_ms")).isCloseTo(50, within(0.1));
        assertThat(block.get("p95_ms")).isCloseTo(96, within(0.1));
        assertThat(block.get("p99_ms")).isCloseTo(100, within(0.1));
        assertThat(block.get("max_ms")).isCloseTo(100, within(0.1));
        assertThat(contestant.percentiles()).containsKeys("50.0", "99.0");
    }

    @Test
    void theOrderOfRowsDoesNotMatterForRowsAreWrittenWhenSamplesEnd() throws IOException {
        String[] lines = run(300).split("\n");
        Collections.reverse(Arrays.asList(lines));

        assertThat(read(HEADER + String.join("\n", lines)).contestants())
                .isEqualTo(read(HEADER + run(300)).contestants());
    }

    @Test
    void columnsMayStandElsewhereAndBeMissing() throws IOException {
        Map<String, Double> block = block("elapsed;timeStamp\n5;" + START + "\n15;" + (START + 1_000) + "\n");

        assertThat(block)
                .containsEntry("count", 2.0)
                .containsEntry("errors", 0.0)
                .doesNotContainKey("users_max");
        assertThat(block.get("mean_ms")).isCloseTo(10, within(0.02));
    }

    @Test
    void quotedFieldsMayHoldCommasQuotesAndLineFeeds() throws IOException {
        Map<String, Double> block = block(HEADER
                + START
                + ",10,\"pay, \"\"now\"\"\",500,\"Oops,\nagain\",t 1-1,text,false,\"expected: a\nbut: b\",1,1,1,1,u,9,0,1\n"
                + sample(START + 10, 20, "b", true));

        assertThat(block).containsEntry("count", 2.0).containsEntry("errors", 1.0);
    }

    @Test
    void transactionControllersSumUpWhatIsThereAlready() throws IOException {
        String text = HEADER
                + sample(START, 10, "step", true)
                + START
                + ",10,whole,,\"Number of samples in transaction : 1, number of failing samples : 0\",t 1-1,,true,,1,1,1,1,null,0,0,0\n";

        ResultFile all = read(text);
        assertThat(all.contestants().getFirst().blocks().getFirst()).containsEntry("count", 1.0);
        assertThat(all.contestants().getFirst().settings().get("left_out")).startsWith("1 rows");
        assertThat(read(text, "whole").contestants().getFirst().name()).isEqualTo("whole");
    }

    @Test
    void failuresAreNotInTheTimesAndWaitsWithoutAnAnswerAre() throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        for (int i = 0; i < 380; i++) {
            text.append(sample(START + 1_000 * i, 50, "a", true));
        }
        for (int i = 0; i < 20; i++) {
            text.append(START + i)
                    .append(",5000,a,Non HTTP response code: java.net.SocketTimeoutException,")
                    .append("Non HTTP response message: Read timed out,t 1-1,text,false,,0,0,1,1,u,0,0,1\n")
                    .append(START + i)
                    .append(",1,a,Non HTTP response code: org.apache.http.conn.HttpHostConnectException,")
                    .append("Non HTTP response message: Connection refused,t 1-1,text,false,,0,0,1,1,u,0,0,1\n");
        }
        Map<String, Double> block = block(text.toString());

        assertThat(block)
                .containsEntry("count", 420.0)
                .containsEntry("errors", 40.0)
                .containsEntry("unanswered", 20.0)
                .containsEntry("failures", 20.0)
                .containsEntry("min_ms", 50.0);
        assertThat(block.get("p50_ms")).isCloseTo(50, within(0.1));
        assertThat(block.get("p99_ms")).isCloseTo(5_000, within(5.0));
        assertThat(block.get("failure_max_ms")).isCloseTo(1, within(0.01));
        assertThat(LoadResult.isLowerBound(block, "p99_ms")).isTrue();
        assertThat(LoadResult.isLowerBound(block, "p90_ms")).isFalse();
        assertThat(TableCheck.of(read(text.toString()))).isEmpty();
    }

    @Test
    void oneLabelCanBeAskedFor() throws IOException {
        String text =
                HEADER + sample(START, 10, "a", true) + sample(START, 30, "b", false) + sample(START, 10, "a", true);

        assertThat(read(text, "a").contestants().getFirst().blocks().getFirst())
                .containsEntry("count", 2.0)
                .containsEntry("errors", 0.0);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> read(text, "c"))
                .withMessageEndingWith("it contains no samples with the label 'c'; its labels are a, b");
    }

    @Test
    void aFileThatWasAppendedToHasItsHeaderTwice() throws IOException {
        assertThat(read(HEADER + run(50) + HEADER + run(50))
                        .contestants()
                        .getFirst()
                        .settings())
                .containsEntry("broken", "1 row that is not a sample was left out, on line 52");
    }

    @Test
    void aRowThatWasCutOffIsLeftOutAndTold() throws IOException {
        Contestant contestant =
                read(HEADER + run(200) + START + ",1").contestants().getFirst();

        assertThat(contestant.blocks().getFirst()).containsEntry("count", 200.0);
        assertThat(contestant.settings())
                .containsEntry("broken", "1 row that is not a sample was left out, on line 202");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024/01/02 10:00:00.000,5", "-1,5", START + ",-5", START + ",x"})
    void aFileOfRowsThatAreNoSamplesIsRefused(String row) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> read("timeStamp,elapsed\n" + START + ",5\n" + row + "\n"))
                .withMessageContaining(
                        "cannot be read as a JTL file: line 3 is not a sample, and 1 of 2 rows are malformed")
                .withMessageContaining("jmeter.save.saveservice.timestamp_format=ms");
    }

    @Test
    void aQuoteThatIsNeverClosedDoesNotTakeAllMemory() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> read(HEADER + START + ",1,\"" + "b".repeat(1 << 21)))
                .withMessageContaining("cannot be read as a JTL file: ")
                .withMessageEndingWith("perhaps a double quote is not closed");
    }

    @Test
    void aFileWithoutSamplesIsRefused() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> read(HEADER))
                .withMessageEndingWith("it contains no samples");
    }

    @Test
    void xmlIsToldApart() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> read("<?xml version=\"1.0\"?>\n<testResults version=\"1.2\"/>"))
                .withMessageContaining("is XML: let JMeter write its results as CSV");
    }

    @Test
    void manySamplesAreReadRowByRow() throws IOException {
        Path file = folder.resolve("large.jtl");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(HEADER);
            for (int i = 0; i < 200_000; i++) {
                out.write(sample(START + i, i % 100 + 1, "a", true));
            }
        }
        assertThat(ResultSource.read(file, null)
                        .contestants()
                        .getFirst()
                        .blocks()
                        .getFirst())
                .containsEntry("count", 200_000.0)
                .containsKey("p999_ms");
    }

    private static String run(int samples) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < samples; i++) {
            text.append(sample(START + 10L * i, i % 100 + 1, "pay", i % 50 != 0));
        }
        return text.toString();
    }

    private static String sample(long start, long elapsed, String label, boolean success) {
        return start + "," + elapsed + "," + label + ",200,OK,t 1-1,text," + success + ",,1430,0,1,5,http://x,4,0,1\n";
    }

    private Map<String, Double> block(String text) throws IOException {
        return read(text).contestants().getFirst().blocks().getFirst();
    }

    private ResultFile read(String text) throws IOException {
        return read(text, null);
    }

    private ResultFile read(String text, @Nullable String label) throws IOException {
        Path file = folder.resolve("results.jtl");
        Files.writeString(file, text);
        return ResultSource.read(file, label);
    }
}
