package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdleSearchSimulationTest {
    private static final double WHOLE = 80;
    private static final double PATIENCE = 1;
    private static final int CONNECTIONS = 30;

    private static void assertFound(HiddenKill truth, long seed, int connections) {
        IdleFinding finding = truth.search(WHOLE, PATIENCE, connections, seed);
        String said = "seed %d: %s -> %s".formatted(seed, truth, finding);
        assertThat(finding.kind()).as(said).isEqualTo(truth.how());
        assertThat(seconds(finding.killAfter()))
                .as(said)
                .isBetween(0.9 * truth.after(), 1.1 * truth.after() * (1 + truth.jitter()));
        assertThat(finding.lived()).as(said).isLessThanOrEqualTo(Objects.requireNonNull(finding.died()));
    }

    private static double seconds(@Nullable Duration time) {
        return Objects.requireNonNull(time).toNanos() / 1e9;
    }

    @ParameterizedTest
    @EnumSource
    void findsWhenAndHowItKills(KillKind kind) {
        for (long seed = 1; seed <= 20; seed++) {
            double after = Math.pow(60, new SplittableRandom(seed).nextDouble());
            assertFound(HiddenKill.of(after, kind), seed, CONNECTIONS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void findsItWithFewConnections(KillKind kind) {
        for (long seed = 1; seed <= 20; seed++) {
            double after = Math.pow(30, new SplittableRandom(seed).nextDouble());
            assertFound(HiddenKill.of(after, kind), seed, 12);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNotConfusedByConnectionsThatEndForOtherReasons(KillKind kind) {
        for (long seed = 1; seed <= 10; seed++) {
            double after = 10 * Math.pow(4, new SplittableRandom(seed).nextDouble());
            double never = Double.POSITIVE_INFINITY;
            assertFound(new HiddenKill(after, kind, 0.05, Integer.MAX_VALUE, 0.1, never), seed, CONNECTIONS);
            assertFound(new HiddenKill(after, kind, 0, 3, 0, never), seed, CONNECTIONS);
        }
    }

    /** A peer that many use at once is slow for whoever measures it meanwhile. */
    @Test
    void fewAreLeftWhenSilenceIsClosedInOn() {
        IdleSearch search = IdleSearch.within(WHOLE, PATIENCE, 60);
        List<IdleSearch.Trial> lying = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            lying.add(search.begin(0).orElseThrow());
        }
        lying.sort(Comparator.comparingDouble(IdleSearch.Trial::age));
        lying.removeFirst();
        for (int i = 0; i < 3; i++) {
            search.died(lying.removeFirst(), 0.3, KillKind.SILENT, false);
        }
        assertThat(search.hasCapacity(2)).isFalse();
        int closed = 0;
        for (IdleSearch.Trial trial : lying) {
            if (search.isSuperfluous(trial, 2)) {
                search.abandoned(trial);
                closed++;
            }
        }
        assertThat(lying.size() - closed).isBetween(3, 12);
        assertThat(search.isOver(2)).isFalse();
    }

    @Test
    void allStayWhileItIsToldWhoDies() {
        IdleSearch search = IdleSearch.within(WHOLE, PATIENCE, 60);
        List<IdleSearch.Trial> lying = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            lying.add(search.begin(0).orElseThrow());
        }
        search.died(lying.removeFirst(), 1, KillKind.FIN, true);
        search.died(lying.removeFirst(), 1.2, KillKind.FIN, true);
        assertThat(search.hasCapacity(2)).isTrue();
        assertThat(lying).noneMatch(trial -> search.isSuperfluous(trial, 2));
    }

    @Test
    void saysNothingOfAPeerThatKillsNone() {
        IdleFinding finding = HiddenKill.of(1e9, KillKind.FIN).search(WHOLE, PATIENCE, CONNECTIONS, 1);
        assertThat(finding.kind()).isNull();
        assertThat(seconds(finding.lived())).isBetween(0.9 * WHOLE, WHOLE);
        assertThat(finding.why()).contains("survived");
    }

    @Test
    void doesNotTakeAPeerThatClosesAllAtOnceForAnIdleKill() {
        HiddenKill restart = new HiddenKill(1e9, KillKind.FIN, 0, Integer.MAX_VALUE, 0, 20);
        IdleFinding finding = restart.search(WHOLE, PATIENCE, CONNECTIONS, 1);
        assertThat(finding.kind()).as(finding.why()).isNull();
    }

    @Test
    void tellsThatNoConnectionIsKept() {
        HiddenKill once = new HiddenKill(1e9, KillKind.FIN, 0, 1, 0, Double.POSITIVE_INFINITY);
        IdleFinding finding = once.search(WHOLE, PATIENCE, CONNECTIONS, 1);
        assertThat(finding.kind()).isEqualTo(KillKind.FIN);
        assertThat(finding.why()).contains("right after a call");
    }
}
