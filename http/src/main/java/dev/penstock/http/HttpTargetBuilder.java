package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link HttpTarget}. Every method checks its argument at once and throws IllegalArgumentException with one
 * line when it is out of range. Not safe for many threads.
 */
public final class HttpTargetBuilder {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Address address;
    private final Set<String> given = new HashSet<>();
    private @Nullable String sourcePath;
    private Headers fixed = Headers.none();
    private int poolMax = 1_000;
    private Duration poolWait = Duration.ofSeconds(1);
    private Duration idle = Duration.ofMinutes(1);
    private Duration connectTimeout = Duration.ofSeconds(2);
    private Duration responseTimeout = Duration.ofMinutes(1);
    private Duration validateAfter = Duration.ZERO;
    private int maxAnswer = 16 << 20;

    HttpTargetBuilder(Address address) {
        this.address = address;
    }

    /** The path that the URL stands for in calls, see {@link HttpTarget}. Default: none, the URL alone counts. */
    public HttpTargetBuilder sourcePath(String path) {
        this.sourcePath = Paths.checked(path);
        return this;
    }

    /**
     * A header field that every request carries, in place of one of that name in the call, such as Authorization.
     *
     * @throws IllegalArgumentException as {@link Header} does, and for a field that is made anew for each request or
     *     concerns one connection only, see {@link HttpTarget}
     */
    public HttpTargetBuilder header(String name, String value) {
        Headers one = Headers.none().with(name, value);
        if (HttpTarget.travelling(one).size() == 0) {
            throw new IllegalArgumentException("header " + name + " is set by Penstock itself: leave it out");
        }
        this.fixed = fixed.with(name, value);
        return this;
    }

    /** How many connections there may be at a time. A target is one route, so this is both. 1..100000, default 1000. */
    public HttpTargetBuilder poolMax(int connections) {
        this.poolMax = within("pool.max", connections, 1, 100_000);
        return this;
    }

    /** How long a call waits for a free connection when all are in use. 1 ms..1 h, default 1 s. */
    public HttpTargetBuilder poolWait(Duration time) {
        this.poolWait = within("pool.wait", time, SHORTEST);
        return this;
    }

    /** How long a connection may lie idle before it is closed; a Keep-Alive of the target may shorten it. 1 ms..1 h, default 1 min. */
    public HttpTargetBuilder idle(Duration time) {
        this.idle = within("pool.idle", time, SHORTEST);
        return this;
    }

    /** How long looking up the host, connecting and TLS may take together. 1 ms..1 h, default 2 s. */
    public HttpTargetBuilder connectTimeout(Duration time) {
        this.connectTimeout = within("pool.connect_timeout", time, SHORTEST);
        return this;
    }

    /** How long it may take from the first byte sent to the last byte of the answer. 1 ms..1 h, default 1 min. */
    public HttpTargetBuilder responseTimeout(Duration time) {
        this.responseTimeout = within("pool.response_timeout", time, SHORTEST);
        return this;
    }

    /** How long a connection may lie idle and still be used without a look whether it is open. 0..1 h, default 0. */
    public HttpTargetBuilder validateAfter(Duration time) {
        this.validateAfter = within("pool.validate_after", time, Duration.ZERO);
        return this;
    }

    /** How many bytes the body of an answer may have. 1..1 GiB, default 16 MiB. */
    public HttpTargetBuilder maxAnswer(int bytes) {
        this.maxAnswer = within("pool.max_answer", bytes, 1, 1 << 30);
        return this;
    }

    /** The target. Opens no connection yet. */
    public HttpTarget build() {
        TargetLimits limits =
                new TargetLimits(poolMax, poolWait, idle, connectTimeout, responseTimeout, validateAfter, maxAnswer);
        return new HttpTarget(address, sourcePath, fixed, new PooledExchange(address, limits), settings());
    }

    private List<Setting> settings() {
        String times = "1 ms..1 h";
        List<Setting> all = new ArrayList<>();
        all.add(setting(
                "pool.max",
                Integer.toString(poolMax),
                "1..100000",
                "connections at a time; a flow's limit is meant to bind first"));
        all.add(setting(
                "pool.wait",
                Durations.words(poolWait),
                times,
                "a call that waits longer for a connection is rejected"));
        all.add(setting(
                "pool.idle", Durations.words(idle), times, "a connection is closed after lying idle that long"));
        all.add(setting(
                "pool.connect_timeout",
                Durations.words(connectTimeout),
                times,
                "a target that cannot be reached is noticed in that time"));
        all.add(setting(
                "pool.response_timeout",
                Durations.words(responseTimeout),
                times,
                "bounds an exchange that has no nearer deadline"));
        all.add(setting(
                "pool.validate_after",
                validateAfter.isZero() ? "0 (always)" : Durations.words(validateAfter),
                "0..1 h",
                "looking at a connection before use costs up to 1 ms and spares a transaction without an answer"));
        all.add(setting("pool.max_answer", maxAnswer + " bytes", "1..1073741824 bytes", "answers are held in memory"));
        return List.copyOf(all);
    }

    private Setting setting(String name, String value, String range, String reason) {
        return new Setting(
                name, value, range, reason, Instant.now(), given.contains(name) ? Origin.FILE : Origin.DEFAULT);
    }

    private int within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + least + " to " + most + ", not " + value);
        }
        given.add(name);
        return value;
    }

    private Duration within(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + Durations.words(least) + " to "
                    + Durations.words(LONGEST) + ", not " + Durations.words(value));
        }
        given.add(name);
        return value;
    }
}
