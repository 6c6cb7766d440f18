package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Collapse;
import dev.penstock.collapse.CallTimeModel.Fit;
import org.junit.jupiter.api.Test;

class BatchPlanTest {
    private static final double MS = 1e6;
    private static final double PER_NANO = 500 / 1e9;
    private static final Fit COSTLY = new Fit(20 * MS, 2 * MS, 0);
    private static final Fit SATURATED = new Fit(20 * MS, 2 * MS, 6 * MS);
    private static final Fit FREE = new Fit(500 * MS, 0, 0);

    private static BatchPlan plan(Fit fit) {
        return BatchPlan.of(fit, PER_NANO, 0.1, -1);
    }

    @Test
    void whileNothingIsKnownThereAreNoBounds() {
        assertThat(plan(new CallTimeModel().fit())).isEqualTo(BatchPlan.ANY);
        assertThat(BatchPlan.of(COSTLY, 0, 0.1, -1)).isEqualTo(BatchPlan.ANY);
    }

    @Test
    void whatCostsMoreThanTheBudgetGoesAlone() {
        assertThat(plan(COSTLY)).isEqualTo(new BatchPlan(1, 1, 1));
        assertThat(BatchPlan.of(COSTLY, PER_NANO, 0.5, -1)).isEqualTo(new BatchPlan(1, 2, 3));
        assertThat(BatchPlan.of(COSTLY, PER_NANO, 0.1, 20 * (long) MS)).isEqualTo(new BatchPlan(1, 4, 6));
    }

    @Test
    void whatCostsNothingMayBeJoinedByAll() {
        assertThat(plan(FREE)).isEqualTo(new BatchPlan(1, 26, Collapse.LARGEST_BATCH));
    }

    @Test
    void whereCallsWaitForEachOtherThereIsALeast() {
        BatchPlan plan = plan(SATURATED);
        assertThat(plan.minSize()).isBetween(6, 12).isLessThan(plan.maxWaitSize());
        assertThat(plan.maxWaitSize()).isLessThanOrEqualTo(plan.maxSize());
    }
}
