package dev.penstock.races.overload;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.lab.load.Intake.Reply;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The accepting thread asks a gate; admitted requests continue on their own virtual thread. A contestant that has to
 * wait or to switch threads first uses a gate that admits everything, and decides behind it.
 */
final class VirtualThreads implements LimitedStage {
    private final Gate gate;
    private final Supplier<OptionalInt> permits;
    private final Runnable atTheEnd;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("handler").factory());

    /**
     * A contestant.
     *
     * @param gate called by the accepting thread
     * @param permits the current limit
     * @param atTheEnd called on close
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
        var admitted = gate.enter();
        threads.execute(() -> LimitedStage.callAndReply(admitted, request, reply));
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

    /** Decides whether one more request is admitted. Thread-safe. */
    @FunctionalInterface
    interface Gate {
        /** A gate that admits everything. */
        static Gate to(Service<Long, Long> admitted) {
            return () -> admitted;
        }

        /**
         * Decides on the calling thread, without waiting.
         *
         * @return the admitted call, to be made exactly once, on any thread; permits are released when it ends
         * @throws Rejected when nothing is admitted now
         */
        Service<Long, Long> enter() throws Rejected;
    }
}
