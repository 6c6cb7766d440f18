package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.ResultFile;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HtmlReportRealClockTest {
    private static final Duration MOST = Duration.ofSeconds(2);

    @Test
    void aLargeRaceIsMadeInTwoSeconds() {
        HtmlReport.of(SampleRace.file());
        ResultFile file = SampleRace.noisy();

        long start = System.nanoTime();
        String page = HtmlReport.of(file);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(MOST);
        assertThat(page).isNotEmpty();
    }
}
