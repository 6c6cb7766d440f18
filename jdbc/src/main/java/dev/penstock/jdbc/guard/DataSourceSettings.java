package dev.penstock.jdbc.guard;

import dev.penstock.Durations;
import dev.penstock.LiveSetting;
import dev.penstock.LiveSetting.Now;
import dev.penstock.Setting;
import java.time.InstantSource;
import java.util.List;

/** The settings of a data source, each with its reason. Safe for many threads. */
final class DataSourceSettings {
    private record Sizes(int max, String maxReason, int warm, String warmReason) {
        static Sizes of(PoolSizing shape) {
            return new Sizes(shape.max(), shape.maxReason(), shape.warm(), shape.warmReason());
        }
    }

    private final List<LiveSetting> all;
    private volatile Sizes sizes;

    DataSourceSettings(GuardedDataSourceBuilder builder, PoolContext guard, PoolSizing shape) {
        this.sizes = Sizes.of(shape);
        InstantSource clock = InstantSource.system();
        LearnedIdleTimeout learned = guard.learned();
        boolean maxPinned = shape.isMaxPinned();
        boolean warmPinned = shape.isWarmPinned();
        this.all = List.of(
                new LiveSetting(
                        "pool.max", () -> new Now(sizes.max + "", "1..1000", sizes.maxReason, maxPinned), clock),
                new LiveSetting(
                        "pool.warm",
                        () -> new Now(sizes.warm + "", "0.." + sizes.max, sizes.warmReason, warmPinned),
                        clock),
                new LiveSetting(
                        "pool.idle",
                        () -> learned.withAge(age -> new Now(age.value(), "100ms..2h", age.reason(), age.isPinned())),
                        clock),
                new LiveSetting(
                        "pool.look",
                        () -> learned.withBound(bound -> new Now(bound.value(), "30ms..1s", bound.reason(), false)),
                        clock),
                given("pool.wait", Durations.words(builder.borrowTimeout), "more than 0", clock),
                given("pool.connect_timeout", Durations.words(builder.connectTimeout), "more than 0", clock),
                given("pool.max_age", Durations.words(builder.maxAge), "1s or more", clock),
                given(
                        "pool.leak_after",
                        builder.leakAfter == null ? "never" : Durations.words(builder.leakAfter),
                        "2s..24h",
                        clock));
    }

    private static LiveSetting given(String name, String value, String range, InstantSource clock) {
        return new LiveSetting(name, () -> new Now(value, range, "given, or the default", true), clock);
    }

    /** The number of connections is another now. */
    void shape(PoolSizing shape) {
        sizes = Sizes.of(shape);
    }

    List<Setting> now() {
        return all.stream().map(LiveSetting::setting).toList();
    }
}
