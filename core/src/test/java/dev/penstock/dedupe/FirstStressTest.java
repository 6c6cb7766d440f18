package dev.penstock.dedupe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.JcstressRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link FirstStress} under jcstress, each of its tests for a moment in a JVM of its own. */
class FirstStressTest {
    @TempDir
    Path reports;

    /** {@link FirstStress.Careless} has to fail, so that we know that the others could; and nothing else may. */
    @Test
    void oneOfAKeyAtATimeAndNobodyWaitsForEver() throws Exception {
        JcstressRun run = JcstressRun.of(FirstStress.class, 150, 1, reports);
        assertThat(run.output())
                .contains("(Results: 3 planned; 2 passed, 1 failed, 0 soft errs, 0 hard errs)")
                .contains("[FAILED] dev.penstock.dedupe.FirstStress.Careless");
        assertThat(run.exit()).as(run.output()).isEqualTo(1);
    }
}
