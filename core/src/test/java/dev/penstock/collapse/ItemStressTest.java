package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.JcstressRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link ItemStress} under jcstress, each of its tests for a moment in a JVM of its own. */
class ItemStressTest {
    @TempDir
    Path reports;

    /** {@link ItemStress.Careless} has to fail, so that we know that the others could; and nothing else may. */
    @Test
    void noItemIsLostOrDoubled() throws Exception {
        JcstressRun run = JcstressRun.of(ItemStress.class, 150, 1, reports);
        assertThat(run.output())
                .contains("(Results: 5 planned; 4 passed, 1 failed, 0 soft errs, 0 hard errs)")
                .contains("[FAILED] dev.penstock.collapse.ItemStress.Careless");
        assertThat(run.exit()).as(run.output()).isEqualTo(1);
    }
}
