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

/** The configuration of the limit and its wait queue, and the stage built from it. Not thread-safe. */
final class LimitPlan {
    private boolean enabled;
    private @Nullable TargetLimit shared;
    private @Nullable FixedLimit pinned;
    private int least = 1;
    private int most = FlowBuilder.MOST_FOUND;
    private boolean restored;
    private String note = "";
    private QueueSettings queue = QueueSettings.automatic();

    void between(int min, int max) {
        adaptive(min, max, Duration.ZERO);
        enabled = true;
        shared = null;
        pinned = null;
        least = min;
        most = max;
    }

    void pinned(int permits, String reason) {
        pinned = new FixedLimit(permits, reason);
        shared = null;
        enabled = true;
    }

    void shared(TargetLimit limit) {
        shared = limit;
        enabled = true;
    }

    void note(String sentence) {
        note = "; " + sentence;
    }

    /** Whether the limit is shared by flows; it then stores learned values itself. */
    boolean isShared() {
        return shared != null;
    }

    void queueTime(Duration time) {
        queue = queue.withTime(time);
        enabled = true;
    }

    void queueLength(int length) {
        queue = queue.withLength(length);
        enabled = true;
    }

    void urgency(ToIntFunction<Object> of) {
        queue = queue.withUrgency(of);
        enabled = true;
    }

    /** A batch is as urgent as its most urgent request. */
    private static ToIntFunction<Object> alsoOfBatches(ToIntFunction<Object> of) {
        return request -> request instanceof Batch<?, ?> batch ? batch.mostUrgent(of) : of.applyAsInt(request);
    }

    /**
     * Builds the stage; null when no limit is configured.
     *
     * @param deadline of the flow; null for none
     * @param meter of the flow
     * @param learned stores the learned limit across restarts; null for none
     */
    @Nullable
    Limit stage(
            @Nullable Duration deadline,
            Meter meter,
            @Nullable LearnedLimit learned,
            Ticker ticker,
            RandomGenerator random) {
        if (!enabled) {
            return null;
        }
        QueueSettings queueSettings = queue.withUrgency(alsoOfBatches(queue.urgency()));
        if (shared != null) {
            return new Limit(shared, queueSettings, meter, ticker, random);
        }
        LimitController controller = controller(deadline, learned == null ? 0 : learned.permits());
        return new Limit(controller, queueSettings, meter, learned, ticker, random);
    }

    private LimitController controller(@Nullable Duration deadline, int learned) {
        if (pinned != null) {
            return pinned;
        }
        Duration known = deadline == null ? Duration.ZERO : deadline;
        restored = learned > 0;
        return restored ? AdaptiveLimit.restored(learned, least, most, known) : adaptive(least, most, known);
    }

    /** Also checks the bounds. */
    private static AdaptiveLimit adaptive(int least, int most, Duration deadline) {
        return new AdaptiveLimit(AdaptiveLimit.INITIAL, least, most, deadline);
    }

    private LiveSetting live(Limit stage, SettingsRegistry settings) {
        boolean fixed = shared == null ? pinned != null : shared.isFixed();
        String own = fixed ? "1.." + FixedLimit.MOST : least + ".." + most;
        String range = shared == null ? own : shared.range();
        return new LiveSetting(
                "limit",
                () -> new LiveSetting.Now(Integer.toString(stage.permits()), range, stage.reason() + note, fixed),
                new FunctionKnob(value -> stage.pin(Integer.parseInt(value)), stage::unpin, ""),
                settings.wallClock(),
                (shared == null ? restored : shared.isRestored()) ? Origin.LEARNED : Origin.DEFAULT);
    }

    /** Registers the settings of the stage. */
    void show(Limit stage, SettingsRegistry settings) {
        Supplier<LiveSetting> made = () -> live(stage, settings);
        settings.addLive("limit", shared == null ? made.get() : shared.setting(made));
        settings.addBound("limit", "queue.time", stage::queueTimeBound, FunctionKnob.ofTime(stage::pinQueueTime));
        settings.addBound(
                "limit", "queue.length", stage::queueLengthBound, FunctionKnob.ofCount(stage::pinQueueLength));
    }
}
