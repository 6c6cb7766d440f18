package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RisingShareTest {
    private static final long SECOND = 1_000_000_000L;

    private final RisingShare share = new RisingShare(0);
    private long now;

    @Test
    void aTargetThatFailsFromTheStartIsNoticedAtTheFifthAnswer() {
        assertThat(changes(4, 1, 1)).isZero();
        assertThat(changes(1, 1, 1)).isOne();
        assertThat(share.isRisen()).isTrue();
        assertThat(share.share()).isEqualTo(1);
    }

    @Test
    void aSteadyStateIsReportedOnce() {
        assertThat(changes(600, 0, 100)).isZero();
        assertThat(changes(36_000, 100, 100)).isOne();
        assertThat(share.isRisen()).isTrue();
    }

    @Test
    void itFallsWhenTheTargetIsWellAgain() {
        changes(600, 0, 100);
        changes(60, 50, 100);
        assertThat(changes(60, 0, 100)).isOne();
        assertThat(share.isRisen()).isFalse();
    }

    @Test
    void theUsualShareDoesNotRise() {
        assertThat(changes(36_000, 10, 100)).isZero();
        assertThat(changes(600, 20, 100)).isZero();
        assertThat(changes(600, 90, 100)).isOne();
    }

    @Test
    void aFewErrorsAmongManyAnswersAreNotNews() {
        changes(600, 0, 1_000);
        assertThat(changes(600, 40, 1_000)).isZero();
    }

    @Test
    void oneCallAMinuteIsJudgedToo() {
        for (int call = 0; call < 60; call++) {
            now += 60 * SECOND;
            share.add(0, 1, now);
        }
        int changes = 0;
        for (int call = 0; call < 6; call++) {
            now += 60 * SECOND;
            changes += share.add(1, 1, now) ? 1 : 0;
        }
        assertThat(changes).isOne();
    }

    @Test
    void aBorderlineShareDoesNotFlap() {
        changes(3_600, 1, 100);
        int changes = 0;
        for (int second = 0; second < 3_600; second++) {
            changes += changes(1, second % 2 == 0 ? 7 : 4, 100);
        }
        assertThat(changes).isLessThanOrEqualTo(1);
    }

    /** Adds as many results for some seconds, each second; the number of changes. */
    private int changes(int seconds, long ofKind, long all) {
        int changes = 0;
        for (int second = 0; second < seconds; second++) {
            now += SECOND;
            changes += share.add(ofKind, all, now) ? 1 : 0;
        }
        return changes;
    }
}
