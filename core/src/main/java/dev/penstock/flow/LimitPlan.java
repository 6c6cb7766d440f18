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
import dev.penstock.limit.TargetLimit;
import dev.penstock.meter.Meter;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a builder was told of the limit and its wait queue, and the stage that comes of it. Not safe for many threads. */
final class LimitPlan {
    private boolean wanted;
    private @Nullable TargetLimit shared;
    private @Nullable FixedLimit pinned;
    private int least = 1;
    private int most = FlowBuilder.MOST_FOUND;
    private boolean restored;
    private String note = "";
    private QueueSettings queue = QueueSettings.automatic();

    void between(int min, int max) {
        adaptive(min, max, Duration.ZERO);
        wanted = true;
        shared = null;
        pinned = null;
        least = min;
        most = max;
    }

    void pinned(int permits, String reason) {
        pinned = new FixedLimit(permits, reason);
        shared = null;
        wanted = true;
    }

    void shared(TargetLimit byFlows) {
        shared = byFlows;
        wanted = true;
    }

    void note(String sentence) {
        note = "; " + sentence;
    }

    /** Whether the limit is shared, and so keeps by itself what it learns. */
    boolean isShared() {
        return shared != null;
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
        if (!wanted) {
            return null;
        }
        QueueSettings line = queue.withUrgency(alsoOfBatches(queue.urgency()));
        if (shared != null) {
            return new Limit(shared, line, meter, ticker, random);
        }
        LimitController controller = controller(deadline, learned == null ? 0 : learned.permits());
        return new Limit(controller, line, meter, learned, ticker, random);
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

    private LiveSetting live(Limit stage, SettingsRegistry settings) {
        boolean stays = shared == null ? pinned != null : shared.isFixed();
        String own = stays ? "1.." + FixedLimit.MOST : least + ".." + most;
        String range = shared == null ? own : shared.range();
        return new LiveSetting(
                "limit",
                () -> new LiveSetting.Now(Integer.toString(stage.permits()), range, stage.reason() + note, stays),
                new FunctionKnob(value -> stage.pin(Integer.parseInt(value)), stage::unpin, ""),
                settings.wallClock(),
                (shared == null ? restored : shared.isRestored()) ? Origin.LEARNED : Origin.DEFAULT);
    }

    /** Adds the settings of the stage that came of it. */
    void show(Limit stage, SettingsRegistry settings) {
        Supplier<LiveSetting> made = () -> live(stage, settings);
        settings.addLive("limit", shared == null ? made.get() : shared.setting(made));
        settings.addBound("limit", "queue.time", stage::queueTimeBound, FunctionKnob.ofTime(stage::pinQueueTime));
        settings.addBound("limit", "queue.length", stage::queueLengthBound, FunctionKnob.ofCount(stage::pinQueueLength));
    }
}
