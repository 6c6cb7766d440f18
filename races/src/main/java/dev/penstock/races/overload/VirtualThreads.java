package dev.penstock.races.overload;

import dev.penstock.lab.load.Intake.Reply;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * A gate that is asked by whoever accepts; who is let in goes on on a virtual thread of its own. What has to wait or to hop
 * first has a gate that lets all through, and decides behind it.
 */
final class VirtualThreads implements LimitedStage {
    private final Gate gate;
    private final Supplier<OptionalInt> permits;
    private final Runnable atTheEnd;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("handler").factory());

    /**
     * A doorway.
     *
     * @param gate asked by whoever accepts
     * @param permits how many it lets in, as of now
     * @param atTheEnd what else is to be done when it closes
     */
    VirtualThreads(Gate gate, Supplier<OptionalInt> permits, Runnable atTheEnd) {
        this.gate = gate;
        this.permits = permits;
        this.atTheEnd = atTheEnd;
    }

    VirtualThreads(Gate gate, Supplier<OptionalInt> permits) {
        this(gate, permits, () -> {});
    }

    @Override
    public void take(Long request, Reply<? super Long> reply) throws Exception {
        var way = gate.enter();
        threads.execute(() -> LimitedStage.carry(way, request, reply));
    }

    @Override
    public Long call(Long request) throws Exception {
        return gate.enter().call(request);
    }

    @Override
    public OptionalInt permits() {
        return permits.get();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        atTheEnd.run();
    }
}
