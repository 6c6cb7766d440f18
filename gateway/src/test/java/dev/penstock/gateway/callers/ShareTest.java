package dev.penstock.gateway.callers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.rate.BoundedTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rates of callers, and the table of them. */
class ShareTest {
    private static final long SECOND = 1_000_000_000;
    private static final Caller CALLER = Caller.ANY.with(List.of("rate=10/s", "burst=5"));

    private static int taken(Share share, Caller caller, long now) {
        int taken = 0;
        while (share.take(caller, now) == 0) {
            taken++;
        }
        return taken;
    }

    @Test
    void theBurstComesBackAtTheRate() {
        long start = Long.MAX_VALUE - 5; // readings overflow
        Share share = new Share(start);
        assertThat(taken(share, CALLER, start)).isEqualTo(5);
        assertThat(share.take(CALLER, start)).isEqualTo(SECOND / 10);
        assertThat(taken(share, CALLER, start + SECOND / 10)).isEqualTo(1);
        assertThat(taken(share, CALLER, start + 3 * SECOND / 10)).isEqualTo(2);
        assertThat(share.isLikeNew(start + SECOND)).isTrue();
        assertThat(taken(share, CALLER, start + 60 * SECOND)).isEqualTo(5);
    }

    @Test
    void aHigherRateAppliesAtOnce() {
        Share share = new Share(0);
        taken(share, Caller.ANY.with(List.of("rate=0.01/s", "burst=100")), 0);
        assertThat(share.take(CALLER, 0)).isEqualTo(SECOND / 10);
        assertThat(taken(share, CALLER, SECOND / 10)).isEqualTo(1);
    }

    @Test
    void withoutABurstItIsThatOfASecond() {
        assertThat(Caller.ANY.with(List.of("rate=2.5/s")).atOnce()).isEqualTo(3);
        assertThat(CALLER.with(List.of("rate=0.1/s")).atOnce())
                .as("not that of another rate")
                .isEqualTo(1);
        assertThat(CALLER.with(List.of("burst=7", "concurrency=2")).atOnce()).isEqualTo(7);
    }

    @Test
    void aFullTableForgetsOnlyWhatIsLikeNew() {
        BoundedTable<String, Share> table = new BoundedTable<>(2, () -> new Share(0), Share::isLikeNew, 0);
        Share used = table.get("a", 0);
        used.take(CALLER, 0);
        table.get("b", 0).take(CALLER, 0);
        Share ofOthers = table.get("c", 0);
        assertThat(table.get("d", 0)).as("both are in use").isSameAs(ofOthers);
        used.begin(CALLER.with(List.of("concurrency=1")));
        assertThat(table.get("c", SECOND)).isNotSameAs(ofOthers);
        assertThat(table.get("a", SECOND)).as("a request is in progress").isSameAs(used);
    }
}
