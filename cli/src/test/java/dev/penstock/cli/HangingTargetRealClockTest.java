package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.HttpSource;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A load waits 30 s for its last answers: beside other tests, not between them. */
@Timeout(120)
class HangingTargetRealClockTest {
    @TempDir
    private Path folder;

    private final AtomicInteger hung = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);

    @Test
    void aTargetThatHangsForSomeHasNoFastPercentile() throws Exception {
        Path json = folder.resolve("load.json");
        Service<HttpCall, HttpAnswer> hangs = call -> {
            if (hung.incrementAndGet() % 20 == 0) {
                released.await();
            }
            return HttpAnswer.of(200, "ok");
        };
        try (HttpSource server = HttpSource.on(0).route("/", "payments", hangs).build()) {
            server.start();
            Ran ran = Ran.run(
                    new LoadCommand(),
                    "http://127.0.0.1:" + server.port(),
                    "--quiet",
                    "--rate=400",
                    "--for=1s",
                    "--json=" + json,
                    "--fail-if=p99>4s",
                    "--fail-if=p50>4s");
            Map<String, Double> block =
                    ResultFile.read(json).contestants().getFirst().blocks().getFirst();

            assertThat(ran.out())
                    .contains("failed: p99>4s\n")
                    .doesNotContain("failed: p50")
                    .contains("load: times are of right answers (380), and of those never answered (20)");
            assertThat(block).containsEntry("unanswered", 20.0);
            assertThat(LoadResult.isLowerBound(block, "p99_ms")).isTrue();
            assertThat(LoadResult.isLowerBound(block, "p50_ms")).isFalse();
        } finally {
            released.countDown();
        }
    }
}
