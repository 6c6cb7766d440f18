package dev.penstock.spring;

import dev.penstock.Keyed;
import dev.penstock.Source;
import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import java.io.IOException;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The flow of a {@code @JmsListener} or {@code @KafkaListener}, and the source that it gets its messages from. Thread-safe. */
final class ListenerFlow {
    private static final long LOOK_NANOS = 10_000_000;

    private final Flow<MethodCall, Optional<Object>> flow;
    private final @Nullable String key;
    private final boolean isIdempotent;
    private @Nullable Running running;

    private record Running(Source source, IntSupplier inFlight) {}

    /**
     * @param key the name of the messages' idempotency key; null for none
     * @param isIdempotent whether each message may be processed twice
     */
    ListenerFlow(Flow<MethodCall, Optional<Object>> flow, @Nullable String key, boolean isIdempotent) {
        this.flow = flow;
        this.key = key;
        this.isIdempotent = isIdempotent;
    }

    Flow<MethodCall, Optional<Object>> flow() {
        return flow;
    }

    /**
     * The key by which a message may be processed again; null if none may.
     *
     * @param id the key that each message has
     */
    @Nullable
    String key(String id) {
        return key != null ? key : isIdempotent ? id : null;
    }

    /** Processes a message. */
    Object call(Keyed message, MethodCall.Code listener) throws Exception {
        return flow.call(new MethodCall(listener, message, null, message));
    }

    /**
     * Starts a source in place of the one before.
     *
     * @param inFlight how many messages it has received that have not ended
     */
    synchronized void start(Source source, IntSupplier inFlight) {
        close();
        running = new Running(source, inFlight);
        try {
            source.start();
        } catch (IOException refused) {
            throw new IllegalStateException(refused.getMessage(), refused);
        }
    }

    /** What is in process continues. */
    synchronized void stopAccepting() {
        if (running != null) {
            running.source.stopAccepting();
        }
    }

    /** As above; closes the source when nothing is in process any more, and then runs something. */
    void stopAccepting(Runnable done) {
        stopAccepting();
        Thread.ofVirtual().name("penstock-spring-listener-stop").start(() -> {
            try {
                while (isBusy()) {
                    Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + LOOK_NANOS);
                }
                close();
            } finally {
                done.run();
            }
        });
    }

    private synchronized boolean isBusy() {
        return running != null && running.inFlight.getAsInt() > 0;
    }

    /** What has not ended is delivered again. */
    synchronized void close() {
        if (running != null) {
            running.source.close();
            running = null;
        }
    }

    synchronized @Nullable String outage() {
        return running == null ? null : running.source.outage();
    }
}
