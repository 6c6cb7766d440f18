package dev.penstock.gateway;

import dev.penstock.Source;
import dev.penstock.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flows that a reload has replaced: they finish their work until their deadlines, and then their connections are closed.
 * Thread-safe.
 */
final class RetiredFlows {
    private static final Logger LOG = LoggerFactory.getLogger("penstock");

    /** For acknowledgements and answers after the last ending. */
    private static final Duration AFTER_ENDINGS = Duration.ofSeconds(1);

    private final String of;
    private final BoundFlows flows;
    private final List<Source> sources;
    private final @Nullable Source next;
    private volatile @Nullable RetiredFlows former;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
    private volatile @Nullable String outage;
    private volatile long cutOff;

    /**
     * Flows to end.
     *
     * @param of their generation, for the log
     * @param sources those that end with them
     * @param next the source of the flow in their place, which starts then; null if there is none that waits
     * @param former flows of the same name that may not have ended either; the next source waits for them too
     */
    RetiredFlows(
            String of, BoundFlows flows, List<Source> sources, @Nullable Source next, @Nullable RetiredFlows former) {
        this.of = of;
        this.flows = flows;
        this.sources = sources;
        this.next = next;
        this.former = former;
    }

    void start(Generations generations, UnaryOperator<Runnable> inGateway) {
        thread = Thread.ofVirtual().name("penstock-retire " + of).start(inGateway.apply(() -> end(generations)));
    }

    private void end(Generations generations) {
        try {
            FlowDrain drain = new FlowDrain(flows, sources, Ticker.SYSTEM);
            drain.awaitIdle(longestDeadline());
            cutOff = drain.run(AFTER_ENDINGS, flows::closeTargets);
            sources.forEach(Source::close);
            flows.closeTargets();
            generations.forget(flows);
            flows.flows()
                    .forEach(flow -> LOG.info(
                            "flow {} of {} has ended: {}",
                            flow.name(),
                            of,
                            flow.accounting().sentence()));
            if (cutOff > 0) {
                LOG.warn("{}: {} transactions had not ended by their deadlines, and were cut off", of, cutOff);
            }
            startNext(generations);
        } catch (InterruptedException stopped) {
            LOG.debug("flows of {} are not followed, because the gateway ends", of);
        } catch (RuntimeException failed) {
            outage = "after " + of + ": " + failed.getMessage();
            LOG.error("flows of {} cannot be ended or followed: {}", of, failed.getMessage(), failed);
        } finally {
            former = null;
            ended.countDown();
        }
    }

    private void startNext(Generations generations) throws InterruptedException {
        RetiredFlows earlier = former;
        if (next != null) {
            if (earlier != null) {
                earlier.ended.await();
            }
            generations.startLater(next);
        }
    }

    /** Whether a flow of the same name is among them. */
    boolean shares(BoundFlows others) {
        return flows.flows().stream().anyMatch(flow -> others.named(flow.name()).isPresent());
    }

    private Duration longestDeadline() {
        return flows.flows().stream()
                .map(flow -> flow.config().deadline().value())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Whether nothing of them is left to do. */
    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Why they could not be ended, or those in their place not be started; null if they could. Forgotten at the next reload. */
    @Nullable
    String outage() {
        return outage;
    }

    /** Waits until they have ended; then cuts off what they still do, and returns how much that was. */
    long end(Ticker ticker, long until) {
        try {
            Thread running = thread;
            long left = Math.max(0, until - ticker.nanos());
            if (!ended.await(left, TimeUnit.NANOSECONDS) && running != null) {
                running.interrupt();
                boolean _ = ended.await(AFTER_ENDINGS.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return cutOff;
    }
}
