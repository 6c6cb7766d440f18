package dev.penstock.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kafka.source.CommitMetadata.Attempts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {
    /** Receives, completes in any order, and restarts from what is committed, at random. */
    @Property(tries = 500)
    void restartDeliversExactlyWhatIsNotCompleted(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 1, max = 3) Integer> gaps, @ForAll long seed) {
        List<Long> offsets = new ArrayList<>();
        long last = 99;
        for (int gap : gaps) {
            last += gap;
            offsets.add(last);
        }
        Random random = new Random(seed);
        PartitionProgress progress = new PartitionProgress(100, null);
        Set<Long> completed = new HashSet<>();
        List<Long> open = new ArrayList<>();
        int next = 0;
        for (int step = 0; step < 300; step++) {
            int what = random.nextInt(20);
            if (what < 10 && next < offsets.size()) {
                long offset = offsets.get(next++);
                assertThat(progress.received(offset)).isNotEqualTo(completed.contains(offset));
                if (!completed.contains(offset)) {
                    open.add(offset);
                }
            } else if (what < 19 && !open.isEmpty()) {
                long offset = open.remove(random.nextInt(open.size()));
                progress.completed(offset);
                completed.add(offset);
            } else if (what == 19) {
                long from = progress.lowestUnfinished();
                progress = new PartitionProgress(
                        from, progress.metadata(false).encode(from).text());
                open.clear();
                next = (int) offsets.stream().filter(offset -> offset < from).count();
            }
            long lowest = progress.lowestUnfinished();
            assertThat(completed)
                    .containsAll(
                            offsets.stream().filter(offset -> offset < lowest).toList());
        }
    }

    @Test
    void commitsBelowTheLowestUnfinished() {
        PartitionProgress progress = new PartitionProgress(5, null);
        assertThat(progress.lowestUnfinished()).isEqualTo(5);
        for (long offset = 5; offset < 9; offset++) {
            assertThat(progress.received(offset)).isTrue();
        }
        progress.completed(6);
        progress.completed(8);
        assertThat(progress.lowestUnfinished()).isEqualTo(5);
        progress.completed(5);
        assertThat(progress.lowestUnfinished()).isEqualTo(7);
        progress.completed(7);
        assertThat(progress.lowestUnfinished()).isEqualTo(9);
    }

    @Test
    void skipsOffsetsThatAreNotThere() {
        PartitionProgress progress = new PartitionProgress(5, null);
        progress.received(5);
        progress.received(900);
        progress.completed(5);
        assertThat(progress.lowestUnfinished()).isEqualTo(900);
    }

    @Test
    void keepsAttemptsOverARestart() {
        PartitionProgress progress = new PartitionProgress(0, null);
        for (long offset = 0; offset < 5; offset++) {
            progress.received(offset);
            progress.began(offset);
        }
        progress.completed(0);
        progress.tried(2, true);
        progress.began(3);
        progress.tried(4, false);
        long from = progress.lowestUnfinished();
        PartitionProgress next = new PartitionProgress(
                from, progress.metadata(false).encode(from).text());
        assertThat(next.attempts(1)).isEqualTo(new Attempts(1, true));
        assertThat(next.attempts(2)).isEqualTo(new Attempts(1, false));
        assertThat(next.attempts(3)).isEqualTo(new Attempts(2, true));
        assertThat(next.attempts(4)).isEqualTo(new Attempts(0, false));
        next.received(1);
        next.began(1);
        assertThat(next.attempts(1)).isEqualTo(new Attempts(2, true));
    }

    @Test
    void beginsAnewWhenTheTopicWasCreatedAgain() {
        PartitionProgress progress = new PartitionProgress(1_000, null);
        assertThat(progress.received(1_000)).isTrue();
        assertThat(progress.received(0)).isTrue();
        assertThat(progress.lowestUnfinished()).isZero();
        progress.completed(0);
        assertThat(progress.lowestUnfinished()).isEqualTo(1);
    }

    @Test
    void recordCompletedBeforeItsDeliveryIsNotDelivered() {
        PartitionProgress progress = new PartitionProgress(10, null);
        progress.completed(11);
        progress.completed(12);
        progress.completed(9);
        assertThat(progress.received(10)).isTrue();
        assertThat(progress.isCompleted(10)).isFalse();
        assertThat(progress.isCompleted(12)).isTrue();
        assertThat(progress.received(11)).isFalse();
        progress.completed(10);
        assertThat(progress.lowestUnfinished()).isEqualTo(13);
        assertThat(progress.received(12)).isFalse();
        assertThat(progress.received(13)).isTrue();
    }
}
