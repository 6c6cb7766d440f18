package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.StateFile;
import dev.penstock.flow.Flow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a limit learned is kept in the state file, and the next process starts from it. */
class LearnedLimitTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    private final StateFile state = StateFile.none();
    private final List<Runnable> writes = new ArrayList<>();
    private final LearnedLimit learned = limit();

    private LearnedLimit limit() {
        return new LearnedLimit(state.value("limit:pay"), value -> state.keep("limit:pay", value), writes::add);
    }

    private void write() {
        List.copyOf(writes).forEach(Runnable::run);
        writes.clear();
    }

    @Test
    void nothingIsKnownAtFirst() {
        assertThat(learned.permits()).isZero();
    }

    @Test
    void whatIsLearnedIsKeptAtOnceAndThenAtMostEverySecond() {
        learned.offer(300, 5);
        write();
        learned.offer(400, SECOND);
        assertThat(writes).isEmpty();
        assertThat(state.value("limit:pay")).isEqualTo("300");
        learned.offer(400, SECOND + 5);
        write();
        assertThat(state.value("limit:pay")).isEqualTo("400");
    }

    @Test
    void smallChangesAndNothingAreNotWritten() {
        learned.offer(0, 0);
        assertThat(writes).isEmpty();
        learned.offer(400, 0);
        write();
        learned.offer(419, 2 * SECOND);
        learned.offer(381, 2 * SECOND);
        learned.offer(0, 2 * SECOND);
        assertThat(writes).isEmpty();
        learned.keep(419);
        learned.keep(0);
        assertThat(state.value("limit:pay")).isEqualTo("419");
    }

    @Test
    void aSlowDiskHasOneWriteAtATime() {
        learned.offer(300, 0);
        learned.offer(600, 2 * SECOND);
        assertThat(writes).hasSize(1);
        write();
        learned.offer(600, 3 * SECOND);
        assertThat(writes).hasSize(1);
    }

    @Test
    void whatIsGarbledCountsAsNothing() {
        for (String value : List.of("many", "0", "-3", "1000001", "99999999999", "1.5")) {
            state.keep("limit:pay", value);
            assertThat(limit().permits()).as(value).isZero();
        }
    }

    @Test
    void aFlowStartsFromWhatWasLearnedAndSaysSo() {
        StateFile file = StateFile.at(folder.resolve("state"));
        file.keep("limit:pay", "424");
        Setting limit = limit(file, 1, 10_000);
        assertThat(limit.value()).isEqualTo("424");
        assertThat(limit.origin()).isEqualTo(Origin.LEARNED);
        assertThat(limit.reason()).isEqualTo("learned before the last restart, until throughput has been measured");
        assertThat(limit(file, 1, 100).value()).isEqualTo("100");
        assertThat(limit(file, 500, 1_000).value()).isEqualTo("500");
    }

    @Test
    void withoutAStoredValueItStartsAsEver() {
        Setting limit = limit(StateFile.at(folder.resolve("none")), 1, 10_000);
        assertThat(limit.value()).isEqualTo("200");
        assertThat(limit.origin()).isEqualTo(Origin.DEFAULT);
        assertThat(limit.reason()).isEqualTo("initial value, until throughput has been measured");
    }

    private static Setting limit(StateFile file, int least, int most) {
        return Flow.named("pay").adaptiveConcurrency(least, most).state(file).to(request -> request).settings().stream()
                .filter(setting -> setting.name().equals("limit"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsMeasuredIsLearned() {
        AdaptiveLimit limit = new AdaptiveLimit(200, 1, 10_000, Duration.ZERO);
        assertThat(limit.learned()).isZero();
        new SaturatedTarget(limit, inFlight -> SECOND / 10.0).runFor(3 * SECOND);
        assertThat(limit.learned()).isGreaterThan(250);
    }

    /** A kill must not cost what the limit found in its first second, even if nobody needs more than that from then on. */
    @Test
    void aLimitThatOnlyDoubledIsLearnedOnceAnswersCome() {
        AdaptiveLimit limit = new AdaptiveLimit(200, 1, 10_000, Duration.ZERO);
        SaturatedTarget target = new SaturatedTarget(limit, inFlight -> SECOND);
        target.runFor(9 * SECOND / 100);
        assertThat(limit.permits()).isEqualTo(400);
        assertThat(limit.learned()).isZero();
        target.runFor(2 * SECOND);
        assertThat(limit.learned()).isGreaterThanOrEqualTo(400);
    }

    @Test
    void whatSomebodyPinnedIsNotLearned() {
        List<String> kept = new ArrayList<>();
        SharedLimit limit = SharedLimit.adaptive(1, 10_000, Duration.ZERO, new LearnedLimit(null, kept::add), false);
        limit.pin(5_000, 0);
        for (long now = 0; now < SECOND; now += 1_000_000) {
            assertThat(limit.turn(now)).isNull();
            limit.update(now);
        }
        assertThat(limit.permits()).isEqualTo(5_000);
        limit.keepLearned();
        assertThat(kept).isEmpty();
    }

    @Test
    void aTargetThatFallsSilentLeavesWhatWasLearned() {
        AdaptiveLimit limit = AdaptiveLimit.restored(400, 1, 10_000, Duration.ZERO);
        assertThat(limit.permits()).isEqualTo(400);
        SaturatedTarget target = new SaturatedTarget(limit, inFlight -> SECOND);
        target.outcome = LimitController.Outcome.DROPPED;
        target.runFor(60 * SECOND);
        assertThat(limit.permits()).isLessThan(10);
        assertThat(limit.learned()).isZero();
    }
}
