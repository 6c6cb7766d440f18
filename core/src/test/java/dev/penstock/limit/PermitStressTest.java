package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.JcstressRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link PermitStress} under jcstress, each of its tests for a moment in a JVM of its own. */
class PermitStressTest {
    @TempDir
    Path reports;

    /** {@link PermitStress.Careless} has to fail, so that we know that the others could; and nothing else may. */
    @Test
    void noPermitIsLostOrDoubled() throws Exception {
        JcstressRun run = JcstressRun.of(PermitStress.class, 200, 2, reports);
        assertThat(run.output())
                .contains("(Results: 8 planned; 7 passed, 1 failed, 0 soft errs, 0 hard errs)")
                .contains("[FAILED] dev.penstock.limit.PermitStress.Careless");
        assertThat(run.exit()).as(run.output()).isEqualTo(1);
    }
}
