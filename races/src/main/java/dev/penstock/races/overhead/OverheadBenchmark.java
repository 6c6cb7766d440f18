package dev.penstock.races.overhead;

import dev.penstock.Service;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One call through one contestant. All threads share the contestant, which is created once per JVM; JMH consumes the
 * answer, so that no part of the call is dead code.
 */
@State(Scope.Benchmark)
public class OverheadBenchmark {
    /** The name of a contestant of {@link OverheadContestants}. */
    @Param({})
    public String contestant = "";

    private final Object request = new Object();

    @SuppressWarnings("NullAway.Init") // set up before the first call
    private Service<Object, Object> service;

    /** Creates the contestant around the no-op target. */
    @Setup
    public void setUp() {
        service = OverheadContestants.ALL.named(contestant).apply(new NoOp());
    }

    /** The measured call. */
    @Benchmark
    public Object call() throws Exception {
        return service.call(request);
    }
}
