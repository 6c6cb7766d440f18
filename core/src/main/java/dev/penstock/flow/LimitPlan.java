package dev.penstock.flow;

import dev.penstock.LiveSetting;
import dev.penstock.LiveSetting.Knob;
import dev.penstock.Setting.Origin;
import dev.penstock.StateFile;
import dev.penstock.Target;
import dev.penstock.collapse.Batch;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.LearnedLimit;
import dev.penstock.limit.Limit;
import dev.penstock.limit.LimitController.LimitingFactor;
import dev.penstock.limit.QueueSettings;
import dev.penstock.limit.SharedLimit;
import dev.penstock.text.Rates;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The configuration of the limit and its wait queue, and the stage built from it. Not thread-safe. */
final class LimitPlan {
    private boolean enabled;
    private @Nullable TargetLimit shared;
    private @Nullable FixedLimit fixed;
    private int least = 1;
    private int most = TargetLimit.MOST;
    private String note = "";
    private QueueSettings queue = QueueSettings.automatic();
    private @Nullable Double rate;

    void between(int min, int max) {
        // Checks the bounds.
        SharedLimit.adaptive(min, max, Duration.ZERO, null, false);
        enabled = true;
        shared = null;
        fixed = null;
        least = min;
        most = max;
    }

    void fixed(int permits) {
        fixed = new FixedLimit(permits, "given");
        shared = null;
        enabled = true;
    }

    void shared(TargetLimit limit) {
        shared = limit;
        enabled = true;
    }

    void rate(double perSecond) {
        SharedLimit.checkRate(perSecond);
        rate = perSecond;
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

    @SuppressWarnings("unchecked") // accepts all requests of the flow
    void callers(Function<?, ?> of) {
        Function<Object, @Nullable Object> known = (Function<Object, @Nullable Object>) of;
        // A batch is of several callers.
        queue = queue.withCaller(request -> request instanceof Batch<?, ?> ? null : known.apply(request));
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
     * @param target of the flow; null when it is a plain function
     */
    @Nullable
    Limit stage(FlowBuilder<?> given, @Nullable Target<?, ?> target, SettingsRegistry settings) {
        if (!enabled) {
            return null;
        }
        QueueSettings queueSettings = queue.withUrgency(alsoOfBatches(queue.urgency()));
        SharedLimit limit = shared == null ? own(given, target) : shared.limit();
        Limit stage = new Limit(limit, queueSettings, given.ticker, given.random);
        show(given, stage, settings);
        return stage;
    }

    private SharedLimit own(FlowBuilder<?> given, @Nullable Target<?, ?> target) {
        lowerTo(target == null ? Integer.MAX_VALUE : target.maxConcurrency());
        Duration deadline = given.deadline == null ? Duration.ZERO : given.deadline;
        return fixed == null
                ? SharedLimit.adaptive(least, most, deadline, learned(given, target), false)
                : SharedLimit.fixed(fixed, false);
    }

    /** A limit above the number of connections would only move the wait from the queue to the pool. */
    private void lowerTo(int connections) {
        if (fixed != null && fixed.permits() > connections) {
            fixed = new FixedLimit(
                    connections,
                    "lowered from " + fixed.permits()
                            + " to the connections of the target's pool; raise pool.max for more",
                    LimitingFactor.POOL);
        } else if (fixed == null && most > connections) {
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

    private void show(FlowBuilder<?> given, Limit stage, SettingsRegistry settings) {
        SharedLimit limit = stage.target();
        Knob permits = new Knob(
                value -> limit.pin(Integer.parseInt(value), given.ticker.nanos()),
                () -> limit.unpin(given.ticker.nanos()),
                "");
        Supplier<LiveSetting> made = () -> new LiveSetting(
                "limit",
                () -> new LiveSetting.Now(
                        Integer.toString(limit.permits()), limit.range(), limit.reason() + note, limit.isFixed()),
                permits,
                settings.wallClock(),
                limit.isRestored() ? Origin.LEARNED : Origin.DEFAULT);
        settings.addLive("limit", shared == null ? made.get() : shared.setting(made));
        Double configured = rate;
        if (configured != null) {
            limit.pinRate(configured, given.ticker.nanos());
        }
        Knob perSecond = new Knob(
                value -> limit.pinRate(Rates.parse(value), given.ticker.nanos()),
                () -> limit.pinRate(configured, given.ticker.nanos()),
                "500/s");
        settings.addLive("limit", "rate", limit::rate, perSecond);
        Knob time = Knob.ofTime(QueueSettings.LONGEST_TIME, stage::pinQueueTime);
        settings.addLive("limit", "queue.time", stage::queueTimeBound, time);
        settings.addLive("limit", "queue.length", stage::queueLengthBound, Knob.ofCount(stage::pinQueueLength));
    }
}
