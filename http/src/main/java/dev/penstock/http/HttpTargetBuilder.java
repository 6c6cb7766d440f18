package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link HttpTarget}. Every method checks its argument at once and throws IllegalArgumentException with one
 * line when it is out of range. Not safe for many threads.
 */
public final class HttpTargetBuilder {

    private final Address address;
    private final GivenValues given = new GivenValues();
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
        this.poolMax = given.within("pool.max", connections, 1, 100_000);
        return this;
    }

    /** How long a call waits for a free connection when all are in use. 1 ms..1 h, default 1 s. */
    public HttpTargetBuilder poolWait(Duration time) {
        this.poolWait = given.within("pool.wait", time, GivenValues.SHORTEST);
        return this;
    }

    /** How long a connection may lie idle before it is closed; a Keep-Alive of the target may shorten it. 1 ms..1 h, default 1 min. */
    public HttpTargetBuilder idle(Duration time) {
        this.idle = given.within("pool.idle", time, GivenValues.SHORTEST);
        return this;
    }

    /** How long looking up the host, connecting and TLS may take together. 1 ms..1 h, default 2 s. */
    public HttpTargetBuilder connectTimeout(Duration time) {
        this.connectTimeout = given.within("pool.connect_timeout", time, GivenValues.SHORTEST);
        return this;
    }

    /** How long it may take from the first byte sent to the last byte of the answer. 1 ms..1 h, default 1 min. */
    public HttpTargetBuilder responseTimeout(Duration time) {
        this.responseTimeout = given.within("pool.response_timeout", time, GivenValues.SHORTEST);
        return this;
    }

    /** How long a connection may lie idle and still be used without a look whether it is open. 0..1 h, default 0. */
    public HttpTargetBuilder validateAfter(Duration time) {
        this.validateAfter = given.within("pool.validate_after", time, Duration.ZERO);
        return this;
    }

    /** How many bytes the body of an answer may have. 1..1 GiB, default 16 MiB. */
    public HttpTargetBuilder maxAnswer(int bytes) {
        this.maxAnswer = given.within("pool.max_answer", bytes, 1, 1 << 30);
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
        all.add(given.setting(
                "pool.max",
                Integer.toString(poolMax),
                "1..100000",
                "connections at a time; a flow's limit is meant to bind first"));
        all.add(given.setting(
                "pool.wait",
                Durations.words(poolWait),
                times,
                "a call that waits longer for a connection is rejected"));
        all.add(given.setting(
                "pool.idle", Durations.words(idle), times, "a connection is closed after lying idle that long"));
        all.add(given.setting(
                "pool.connect_timeout",
                Durations.words(connectTimeout),
                times,
                "a target that cannot be reached is noticed in that time"));
        all.add(given.setting(
                "pool.response_timeout",
                Durations.words(responseTimeout),
                times,
                "bounds an exchange that has no nearer deadline"));
        all.add(given.setting(
                "pool.validate_after",
                validateAfter.isZero() ? "0 (always)" : Durations.words(validateAfter),
                "0..1 h",
                "looking at a connection before use costs up to 1 ms and spares a transaction without an answer"));
        all.add(given.setting(
                "pool.max_answer", maxAnswer + " bytes", "1..1073741824 bytes", "answers are held in memory"));
        return List.copyOf(all);
    }
}
