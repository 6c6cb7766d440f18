package dev.penstock.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kafka.source.CommitMetadata.Attempts;
import dev.penstock.kafka.source.CommitMetadata.Encoded;
import dev.penstock.kafka.source.CommitMetadata.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class CommitMetadataTest {
    @Property(tries = 300)
    void holdsAsMuchAsFitsAndNothingElse(
            @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 4) long base,
            @ForAll @IntRange(min = 0, max = 5_000) int ranges,
            @ForAll @IntRange(min = 1, max = 2_000) int longest,
            @ForAll @IntRange(min = 0, max = 3_000) int tried,
            @ForAll long seed) {
        CommitMetadata metadata = random(base, ranges, longest, tried, seed);
        Encoded encoded = metadata.encode(base);
        assertThat(encoded.text()).hasSizeLessThanOrEqualTo(CommitMetadata.MAX_LENGTH);
        CommitMetadata read = CommitMetadata.decode(base, encoded.text());
        assertThat(read.isClosed()).isEqualTo(metadata.isClosed());
        assertThat(metadata.attempts().entrySet()).containsAll(read.attempts().entrySet());
        assertThat(read.completed())
                .allSatisfy(range -> assertThat(metadata.completed())
                        .anyMatch(whole -> whole.from() == range.from() && range.to() <= whole.to()));
        assertThat(read.completed().equals(metadata.completed())
                        && read.attempts().equals(metadata.attempts()))
                .isEqualTo(encoded.isWhole());
    }

    private static CommitMetadata random(long base, int ranges, int longest, int tried, long seed) {
        Random random = new Random(seed);
        List<Range> completed = new ArrayList<>();
        long end = base;
        for (int n = 0; n < ranges; n++) {
            long from = end + 1 + random.nextInt(longest);
            end = from + 1 + random.nextInt(longest);
            completed.add(new Range(from, end));
        }
        TreeMap<Long, Attempts> attempts = new TreeMap<>();
        for (int n = 0; n < tried; n++) {
            attempts.put(base + random.nextInt(100_000), new Attempts(1 + random.nextInt(9), random.nextBoolean()));
        }
        return new CommitMetadata(random.nextBoolean(), completed, attempts);
    }

    @Test
    void fiveHundredInFlightFit() {
        List<Range> completed = new ArrayList<>();
        TreeMap<Long, Attempts> attempts = new TreeMap<>();
        for (long n = 0; n < 500; n++) {
            attempts.put(2 * n, new Attempts(1, true));
            completed.add(new Range(2 * n + 1, 2 * n + 2));
        }
        assertThat(new CommitMetadata(false, completed, attempts).encode(0).isWhole())
                .isTrue();
    }

    @Test
    void millionCompletedBehindOneFit() {
        CommitMetadata metadata = new CommitMetadata(false, List.of(new Range(1, 1_000_000)), new TreeMap<>());
        assertThat(metadata.encode(0)).satisfies(encoded -> {
            assertThat(encoded.isWhole()).isTrue();
            assertThat(encoded.text()).hasSizeLessThan(32);
        });
    }

    @Test
    void ignoresWhatItDidNotWrite() {
        CommitMetadata nothing = new CommitMetadata(false, List.of(), new TreeMap<>());
        String own = new CommitMetadata(true, List.of(new Range(7, 9)), new TreeMap<>())
                .encode(5)
                .text();
        assertThat(CommitMetadata.decode(5, own).completed()).containsExactly(new Range(7, 9));
        assertThat(CommitMetadata.decode(6, own)).as("another offset").isEqualTo(nothing);
        assertThat(CommitMetadata.decode(5, null)).isEqualTo(nothing);
        assertThat(CommitMetadata.decode(5, "")).isEqualTo(nothing);
        assertThat(CommitMetadata.decode(5, "bQAg")).isEqualTo(nothing);
        for (int length = 0; length < own.length(); length++) {
            CommitMetadata.decode(5, own.substring(0, length));
        }
        assertThat(CommitMetadata.decode(5, "penstock1 ???")).isEqualTo(nothing);
    }
}
