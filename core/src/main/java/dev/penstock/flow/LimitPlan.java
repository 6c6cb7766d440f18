package dev.penstock.flow;

import dev.penstock.LiveSetting;
import dev.penstock.Setting.Origin;
import dev.penstock.Ticker;
import dev.penstock.collapse.Batch;
import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.LearnedLimit;
import dev.penstock.limit.Limit;
import dev.penstock.limit.LimitController;
import dev.penstock.limit.QueueSettings;
import dev.penstock.meter.Meter;
import java.time.Duration;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a builder was told of the limit and its wait queue, and the stage that comes of it. Not safe for many threads. */
final class LimitPlan {
    private boolean wanted;
    private @Nullable FixedLimit pinned;
    private int least = 1;
    private int most = FlowBuilder.MOST_FOUND;
    private boolean restored;
    private QueueSettings queue = QueueSettings.automatic();

    void between(int min, int max) {
        adaptive(min, max, Duration.ZERO);
        wanted = true;
        pinned = null;
        least = min;
        most = max;
    }

    void pinned(int permits, String reason) {
        pinned = new FixedLimit(permits, reason);
        wanted = true;
    }

    void queueTime(Duration time) {
        queue = queue.withTime(time);
        wanted = true;
    }

    void queueLength(int length) {
        queue = queue.withLength(length);
        wanted = true;
    }

    void urgency(ToIntFunction<Object> of) {
        queue = queue.withUrgency(of);
        wanted = true;
    }

    /** A batch is as urgent as the most urgent request that is in it. */
    private static ToIntFunction<Object> alsoOfBatches(ToIntFunction<Object> of) {
        return request -> request instanceof Batch<?, ?> batch ? batch.mostUrgent(of) : of.applyAsInt(request);
    }

    /**
     * The stage, or null when no limit is wanted.
     *
     * @param deadline that of the flow; null for none
     * @param meter that of the flow
     * @param learned what an earlier process learned, and the next will start from; null for nothing
     */
    @Nullable
    Limit stage(
            @Nullable Duration deadline,
            Meter meter,
            @Nullable LearnedLimit learned,
            Ticker ticker,
            RandomGenerator random) {
        return wanted
                ? new Limit(
                        controller(deadline, learned == null ? 0 : learned.permits()),
                        queue.withUrgency(alsoOfBatches(queue.urgency())),
                        meter,
                        learned,
                        ticker,
                        random)
                : null;
    }

    private LimitController controller(@Nullable Duration deadline, int learned) {
        if (pinned != null) {
            return pinned;
        }
        Duration known = deadline == null ? Duration.ZERO : deadline;
        restored = learned > 0;
        return restored ? AdaptiveLimit.restored(learned, least, most, known) : adaptive(least, most, known);
    }

    /** Also the check of the bounds: the limit itself knows what they may be. */
    private static AdaptiveLimit adaptive(int least, int most, Duration deadline) {
        return new AdaptiveLimit(AdaptiveLimit.INITIAL, least, most, deadline);
    }

    /** Adds the settings of the stage that came of it. */
    void show(Limit stage, SettingsLedger settings) {
        boolean stays = pinned != null;
        String range = stays ? "1.." + FixedLimit.MOST : least + ".." + most;
        settings.addLive(
                "limit",
                "limit",
                () -> new LiveSetting.Now(Integer.toString(stage.permits()), range, stage.reason(), stays),
                new Turn(value -> stage.pin(Integer.parseInt(value)), stage::unpin, ""),
                restored ? Origin.LEARNED : Origin.DEFAULT);
        settings.addBound("limit", "queue.time", stage::queueTimeBound, Turn.ofTime(stage::pinQueueTime));
        settings.addBound("limit", "queue.length", stage::queueLengthBound, Turn.ofCount(stage::pinQueueLength));
    }
}
