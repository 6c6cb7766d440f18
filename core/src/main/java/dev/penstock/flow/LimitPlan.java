package dev.penstock.flow;

import dev.penstock.LiveSetting;
import dev.penstock.Setting.Origin;
import dev.penstock.StateFile;
import dev.penstock.Target;
import dev.penstock.collapse.Batch;
import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.LearnedLimit;
import dev.penstock.limit.Limit;
import dev.penstock.limit.LimitController;
import dev.penstock.limit.QueueSettings;
import dev.penstock.limit.SharedLimit;
import dev.penstock.meter.AttemptMeter;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The configuration of the limit and its wait queue, and the stage built from it. Not thread-safe. */
final class LimitPlan {
    private boolean enabled;
    private @Nullable SharedLimit shared;
    private @Nullable FixedLimit pinned;
    private int least = 1;
    private int most = TargetLimit.MOST;
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

    void fixed(int permits) {
        pinned = new FixedLimit(permits, "given");
        shared = null;
        enabled = true;
    }

    void shared(TargetLimit limit) {
        shared = limit.limit();
        enabled = true;
    }

    void note(String sentence) {
        note = "; " + sentence;
    }

    void queueTime(Duration time) {
        queue = queue.withTime(time);
        enabled = true;
    }

    void queueLength(int length) {
        queue = queue.withLength(length);
        enabled = true;
    }

    @SuppressWarnings("unchecked") // the flow's requests are of the type that the function accepts
    void urgency(ToIntFunction<?> of) {
        queue = queue.withUrgency((ToIntFunction<Object>) of);
        enabled = true;
    }

    /** A batch is as urgent as its most urgent request. */
    private static ToIntFunction<Object> alsoOfBatches(ToIntFunction<Object> of) {
        return request -> request instanceof Batch<?, ?> batch ? batch.mostUrgent(of) : of.applyAsInt(request);
    }

    /**
     * Builds the stage and registers its settings; null when no limit is configured.
     *
     * @param given the configuration of the flow
     * @param attempts counts the answers of the target
     * @param target of the flow; null when it is a plain function
     */
    @Nullable
    Limit stage(FlowBuilder<?> given, AttemptMeter attempts, @Nullable Target<?, ?> target, SettingsRegistry settings) {
        if (!enabled) {
            return null;
        }
        QueueSettings queueSettings = queue.withUrgency(alsoOfBatches(queue.urgency()));
        SharedLimit limit = shared;
        if (limit == null) {
            LearnedLimit learned = learned(given, target);
            lowerTo(target == null ? Integer.MAX_VALUE : target.maxConcurrency());
            LimitController controller = controller(given.deadline, learned == null ? 0 : learned.permits());
            limit = SharedLimit.ofOneFlow(controller, learned);
        }
        Limit stage = new Limit(limit, queueSettings, attempts, given.ticker, given.random);
        show(stage, settings);
        return stage;
    }

    /** A limit above the number of connections would only move the wait from the queue to the pool. */
    private void lowerTo(int connections) {
        if (pinned != null && pinned.permits() > connections) {
            pinned = new FixedLimit(
                    connections,
                    "lowered from " + pinned.permits()
                            + " to the connections of the target's pool; raise pool.max for more");
        } else if (pinned == null && most > connections) {
            most = connections;
            least = Math.min(least, most);
            note += "; at most the " + most + " connections of the target's pool";
        }
    }

    /** The stored limit. Its key contains the target, since the limit of another target does not apply to this one. */
    private static @Nullable LearnedLimit learned(FlowBuilder<?> given, @Nullable Target<?, ?> target) {
        StateFile file = given.state;
        if (file == null) {
            return null;
        }
        String key = StateFile.name("limit:" + given.name + (target == null ? "" : "@" + target.where()));
        return TargetLimit.learned(file, key);
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

    private void show(Limit stage, SettingsRegistry settings) {
        Supplier<LiveSetting> made = () -> live(stage, settings);
        settings.addLive("limit", shared == null ? made.get() : shared.setting(made));
        settings.addLive(
                "limit",
                "queue.time",
                stage::queueTimeBound,
                FunctionKnob.ofTime(QueueSettings.LONGEST_TIME, stage::pinQueueTime));
        settings.addLive("limit", "queue.length", stage::queueLengthBound, FunctionKnob.ofCount(stage::pinQueueLength));
    }
}
