package dev.penstock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final int KB = 1 << 10;
    private static final int MB = 1 << 20;

    private final MemoryBudget budget = MemoryBudget.of(4 * MB);

    @Test
    void aLeaseGivesAllBack() {
        try (MemoryBudget.Lease lease = budget.lease()) {
            assertThat(lease.tryTake(100 * KB)).isTrue();
            assertThat(lease.tryTake(1)).isTrue();
            assertThat(lease.held()).isEqualTo(101 * KB);
            assertThat(budget.used()).isEqualTo(101 * KB);
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void largeBodiesLeaveMemoryForSmallOnes() {
        List<MemoryBudget.Lease> large = new ArrayList<>();
        while (large.isEmpty() || large.getLast().held() > 0) {
            large.add(budget.lease());
            boolean _ = large.getLast().tryTake(MB);
        }
        assertThat(large).hasSize(4);
        try (MemoryBudget.Lease small = budget.lease()) {
            assertThat(small.tryTake(MemoryBudget.SMALL_BYTES)).isTrue();
            assertThat(small.tryTake(MB)).isFalse();
        }
        large.forEach(MemoryBudget.Lease::close);
        assertThat(budget.used()).isZero();
    }

    @Test
    void whatCannotBeHadIsRefusedAndCounted() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Runnable remove = budget.whenScarce(asked::incrementAndGet);
        try (MemoryBudget.Lease lease = budget.lease()) {
            assertThat(lease.tryTake(5L * MB, 1)).isFalse();
            assertThat(lease.held()).isZero();
            remove.run();
            assertThat(lease.tryTake(Long.MAX_VALUE / 2, 1)).isFalse();
        }
        assertThat(asked).hasValue(1);
        assertThat(budget.refused()).isEqualTo(2);
        assertThat(budget.used()).isZero();
    }

    @Test
    void whoeverEndsOthersGetsTheirMemory() throws Exception {
        MemoryBudget.Lease stalled = budget.lease();
        assertThat(stalled.tryTake(3L * MB)).isTrue();
        budget.whenScarce(stalled::close);
        try (MemoryBudget.Lease next = budget.lease()) {
            assertThat(next.tryTake(2L * MB, 1)).isTrue();
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void whatIsThereAlreadyIsCountedBeyondTheLimit() {
        MemoryBudget.Lease lease = budget.lease();
        lease.holdAtLeast(6L * MB);
        lease.holdAtLeast(MB);
        assertThat(budget.used()).isEqualTo(6L * MB);
        try (MemoryBudget.Lease next = budget.lease()) {
            assertThat(next.tryTake(MB)).isFalse();
        }
        lease.close();
        assertThat(budget.used()).isZero();
        lease.holdAtLeast(MB);
        assertThat(lease.tryTake(1)).isFalse();
        assertThat(budget.used()).isZero();
    }

    @Test
    void aBudgetHasALeastSize() {
        assertThatThrownBy(() -> MemoryBudget.of(MB - 1)).hasMessageContaining("too few");
        assertThat(MemoryBudget.auto().limit())
                .isBetween((long) MB, Runtime.getRuntime().maxMemory());
    }

    @Property
    void neverMoreThanTheLimitAndNothingLeftAtTheEnd(
            @ForAll @Size(max = 50) List<@IntRange(max = 3 * MB) Integer> sizes, @ForAll @IntRange(min = 1) int each) {
        List<MemoryBudget.Lease> leases = new ArrayList<>(List.of(budget.lease()));
        for (int size : sizes) {
            long before = budget.used();
            boolean taken = leases.getLast().tryTake(size);
            assertThat(budget.used() - before).isEqualTo(taken ? (size + KB - 1) / KB * KB : 0);
            assertThat(budget.used()).isLessThanOrEqualTo(budget.limit());
            if (size % (each % 5 + 1) == 0) {
                leases.add(budget.lease());
            }
        }
        leases.forEach(MemoryBudget.Lease::close);
        assertThat(budget.used()).isZero();
    }
}
