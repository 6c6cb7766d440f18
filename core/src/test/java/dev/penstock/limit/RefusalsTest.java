package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.World;
import dev.penstock.limit.LimitController.Outcome;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A target that takes about 50 ms for a call, or refuses it at once. More requests wait than it takes. */
class RefusalsTest {
    private long usual = 50 * World.MILLI;
    private final World world = new World();
    private final SplittableRandom random = new SplittableRandom(3);
    private final Turn.Totals totals = new Turn.Totals();
    private final RateBound rate = new RateBound();
    private final Refusals refusals = new Refusals(totals, rate, 0);
    private BooleanSupplier accepts = () -> true;
    private int permits = 200;
    private Turn turn = newTurn();
    private boolean settling;
    private int inFlight;
    private int atTarget;
    private long freeAt;
    private double saved;
    private double spread = 1;
    private int trying;

    private Turn newTurn() {
        return new Turn(totals, world.now(), permits, usual, 0);
    }

    private boolean takesUpTo(int most) {
        return atTarget < most;
    }

    /** One call in each interval, as of a limiter without bursts. */
    private boolean takesPerSecond(int most) {
        if (world.now() < freeAt) {
            return false;
        }
        freeAt = world.now() + World.SECOND / most;
        return true;
    }

    /** As {@code limit_req} of nginx with a burst: refuses while it has taken so many more than its rate. */
    private boolean takesPerSecond(int most, int burst) {
        double more = Math.max(0, saved - (world.now() - freeAt) * most / (double) World.SECOND);
        if (more > burst) {
            return false;
        }
        saved = more + 1;
        freeAt = world.now();
        return true;
    }

    private void run(double seconds) {
        long end = world.now() + (long) (seconds * World.SECOND);
        while (world.now() < end) {
            fill();
            decide();
            world.runUntil(world.now() + World.MILLI);
        }
    }

    private void fill() {
        while (inFlight < permits) {
            inFlight++;
            world.in(rate.reserve(world.now(), Long.MAX_VALUE), this::begin);
        }
    }

    private void decide() {
        if (settling && inFlight <= permits) {
            settling = false;
            turn = newTurn();
        }
        if (settling) {
            return;
        }
        int next = refusals.next(world.now(), inFlight, turn, permits, true, usual);
        settling = next != permits;
        permits = next;
        trying += refusals.isTrying() ? 1 : 0;
    }

    private void begin() {
        Turn of = turn;
        long start = world.now();
        of.start(start);
        boolean accepted = accepts.getAsBoolean();
        atTarget += accepted ? 1 : 0;
        long took = (long) (usual * (1 + spread * (random.nextDouble() - 0.5)));
        world.in(accepted ? took : World.MILLI, () -> {
            inFlight--;
            atTarget -= accepted ? 1 : 0;
            of.end(start, world.now(), accepted ? Outcome.SUCCESS : Outcome.FAILED);
            fill();
        });
    }

    /** The share of calls refused from now on. */
    private double refusedIn(double seconds) {
        long refusedBefore = totals.refused();
        long startedBefore = totals.started();
        run(seconds);
        return (double) (totals.refused() - refusedBefore) / (totals.started() - startedBefore);
    }

    private double answeredPerSecond(double seconds) {
        long before = totals.answered();
        run(seconds);
        return (totals.answered() - before) / seconds;
    }

    @Test
    void nothingIsTriedWhileNothingIsRefused() {
        run(10);
        assertThat(permits).isEqualTo(200);
        assertThat(trying).isZero();
        assertThat(refusals.decide()).isFalse();
        assertThat(refusals.cap()).isInfinite();
    }

    @Test
    void capsTheNumberInFlightWhereMoreAreRefused() {
        accepts = () -> takesUpTo(30);
        run(3);
        assertThat(refusals.cap()).isBetween(28.0, 32.0);
        assertThat(refusals.isPaced()).isFalse();
        assertThat(refusals.decide()).isTrue();
        assertThat(refusals.reason()).matches("the target refused \\d+ % of calls with 200 in flight");
        assertThat(refusedIn(10)).isLessThan(0.05);
        assertThat(answeredPerSecond(10)).isGreaterThan(0.9 * 30 * 20);
    }

    @Test
    void raisesTheCapWhenTheTargetTakesMore() {
        accepts = () -> takesUpTo(30);
        run(5);
        accepts = () -> takesUpTo(100);
        run(15);
        assertThat(refusals.cap()).isBetween(95.0, 102.0);
    }

    @Test
    void lowersTheCapWhenTheTargetTakesFewer() {
        accepts = () -> takesUpTo(100);
        run(5);
        accepts = () -> takesUpTo(20);
        run(10);
        assertThat(refusals.cap()).isBetween(18.0, 22.0);
        assertThat(refusedIn(10)).isLessThan(0.05);
    }

    @Test
    void boundsTheRateWhereMoreAreRefusedWhateverTheNumberInFlight() {
        accepts = () -> takesPerSecond(400);
        run(10);
        assertThat(refusals.isPaced()).isTrue();
        assertThat(rate.perSecond()).isBetween(360.0, 420.0);
        assertThat(refusals.reason()).matches("the target takes \\d+\\.\\d calls/s, and refuses more .*");
        assertThat(refusedIn(10)).isLessThan(0.08);
        assertThat(answeredPerSecond(10)).isGreaterThan(0.85 * 400);
        assertThat(permits).isLessThan(60);
    }

    /**
     * Calls of equal length that began together come back together, so a cap keeps its bunches. With a larger burst the cap can stay,
     * where one more is not refused but two are.
     */
    @ParameterizedTest
    @ValueSource(ints = {3, 6})
    void boundsTheRateOfCallsThatComeInBunches(int burst) {
        spread = 0;
        usual = 500 * World.MILLI;
        accepts = () -> takesPerSecond(300, burst);
        run(10);
        assertThat(answeredPerSecond(10)).isGreaterThan(0.95 * 300);
        assertThat(refusedIn(10)).isLessThan(0.05);
    }

    @Test
    void raisesAndLowersTheRateWithTheTarget() {
        accepts = () -> takesPerSecond(400);
        run(10);
        accepts = () -> takesPerSecond(800);
        run(30);
        assertThat(answeredPerSecond(10)).isGreaterThan(0.8 * 800);
        accepts = () -> takesPerSecond(200);
        run(10);
        assertThat(answeredPerSecond(10)).isGreaterThan(0.8 * 200);
        assertThat(refusedIn(10)).isLessThan(0.1);
    }

    @Test
    void ignoresFailuresThatHaveNothingToDoWithLoad() {
        accepts = () -> random.nextInt(10) > 0;
        run(60);
        assertThat(permits).isEqualTo(200);
        assertThat(rate.isSet()).isFalse();
        assertThat(refusals.cap()).isInfinite();
        assertThat(trying).as("milliseconds of trials").isLessThan(3_000);
    }

    /** A target that is restarted refuses everything for a while, which shows no rate. */
    @ParameterizedTest
    @CsvSource({
        "400, 10",
        "400, 10.07",
        "400, 10.15",
        "40, 10",
        "40, 10.08",
        "40, 10.16",
        "40, 10.24",
        "10, 10",
        "10, 10.1"
    })
    void aBoundedRateSurvivesAnOutage(int most, double from) {
        accepts = () -> takesPerSecond(most);
        run(from);
        accepts = () -> false;
        run(0.6);
        accepts = () -> takesPerSecond(most);
        run(20);
        assertThat(answeredPerSecond(20)).isGreaterThan(0.6 * most);
    }

    @Test
    void aCapSurvivesAnOutage() {
        accepts = () -> takesUpTo(30);
        run(5);
        accepts = () -> false;
        run(5);
        accepts = () -> takesUpTo(30);
        run(10);
        assertThat(answeredPerSecond(5)).isGreaterThan(0.7 * 30 * 20);
    }
}
