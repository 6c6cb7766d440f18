package dev.penstock.cli;

import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.simulate.HttpSimulator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;

/**
 * Loads a server in this process before the target is loaded, so that the code of the load is compiled by then. Otherwise the
 * interpreter and the compilers of the JVM would delay requests of the first seconds by tens of milliseconds. The target
 * receives nothing.
 *
 * <p>The compiler leaves out what has not happened yet, and discards its code when it happens. So there are several loads:
 * the first end, the first closed connection, and the first start after an end must not be those of the real load.
 */
final class Rehearsal {
    private static final List<Duration> LOADS =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3));
    private static final double PER_SECOND = 8_000;

    /** Code stays compiled, so once in a process is enough. */
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private Rehearsal() {}

    /** For tests that measure nothing. */
    static void skip() {
        DONE.set(true);
    }

    /**
     * Runs the load's own calls, once in this process; takes 5 s.
     *
     * @throws IOException no port is free
     */
    static void once(LongFunction<HttpCall> calls) throws IOException, InterruptedException {
        if (!DONE.compareAndSet(false, true)) {
            return;
        }
        for (Duration lasts : LOADS) {
            try (HttpSimulator server = HttpSimulator.builder().start();
                    LoadTarget<?, ?> target =
                            LoadTarget.ofHttp(HttpTarget.at(server.url()).build(), calls)) {
                target.run(OpenLoad.at(Arrivals.constant(PER_SECOND)).lasting(lasts));
            }
        }
        IdleCompiler.lower();
        System.gc();
    }
}
