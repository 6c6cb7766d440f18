package dev.penstock.jdbc.guard;

import dev.penstock.LiveSetting;
import dev.penstock.LiveSetting.Now;
import dev.penstock.Setting;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings of a data source, each with its reason. Thread-safe. */
final class DataSourceSettings {
    private record Sizes(int max, String maxReason, int warm, String warmReason) {
        static Sizes of(PoolSizing sizing) {
            return new Sizes(sizing.max(), sizing.maxReason(), sizing.warm(), sizing.warmReason());
        }
    }

    private final List<LiveSetting> all;
    private volatile Sizes sizes;

    DataSourceSettings(GuardedDataSourceBuilder builder, PoolContext context, PoolSizing sizing) {
        this.sizes = Sizes.of(sizing);
        InstantSource clock = InstantSource.system();
        LearnedIdleTimeout learned = context.learned();
        boolean maxPinned = sizing.isMaxPinned();
        boolean warmPinned = sizing.isWarmPinned();
        String sizeRange = "1.." + GuardedDataSourceBuilder.MAX_CONNECTIONS;
        this.all = List.of(
                new LiveSetting(
                        "pool.max", () -> new Now(sizes.max + "", sizeRange, sizes.maxReason, maxPinned), clock),
                new LiveSetting(
                        "pool.warm",
                        () -> new Now(sizes.warm + "", "0.." + sizes.max, sizes.warmReason, warmPinned),
                        clock),
                new LiveSetting(
                        "pool.idle",
                        () -> learned.withIdleTimeout(age -> new Now(
                                age.value(), GuardedDataSourceBuilder.IDLE_TIMES, age.reason(), age.isPinned())),
                        clock),
                new LiveSetting(
                        "pool.look",
                        () -> learned.withValidationTimeout(
                                bound -> new Now(bound.value(), "30ms..1s", bound.reason(), false)),
                        clock),
                configured(
                        "pool.wait",
                        builder.borrowTimeout,
                        GuardedDataSourceBuilder.DEFAULT_BORROW_TIMEOUT,
                        GuardedDataSourceBuilder.BORROW_TIMES,
                        clock),
                configured(
                        "pool.connect_timeout",
                        builder.connectTimeout,
                        GuardedDataSourceBuilder.DEFAULT_CONNECT_TIMEOUT,
                        GuardedDataSourceBuilder.CONNECT_TIMES,
                        clock),
                configured(
                        "pool.max_age",
                        builder.maxAge,
                        GuardedDataSourceBuilder.DEFAULT_MAX_AGE,
                        GuardedDataSourceBuilder.AGES,
                        clock),
                configured("pool.leak_after", builder.leakAfter, null, GuardedDataSourceBuilder.LEAK_TIMES, clock));
    }

    private static LiveSetting configured(
            String name, @Nullable Duration value, @Nullable Duration byDefault, String range, InstantSource clock) {
        boolean given = !Objects.equals(value, byDefault);
        String shown = value == null ? "never" : Durations.format(value);
        return new LiveSetting(name, () -> new Now(shown, range, given ? "configured" : "the default", given), clock);
    }

    /** Takes over new pool sizes. */
    void update(PoolSizing sizing) {
        sizes = Sizes.of(sizing);
    }

    List<Setting> now() {
        return all.stream().map(LiveSetting::setting).toList();
    }
}
