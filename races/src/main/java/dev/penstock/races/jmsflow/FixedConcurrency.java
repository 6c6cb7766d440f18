package dev.penstock.races.jmsflow;

import java.time.Duration;

/**
 * Spring's container as intended: a fixed number of consumers, each of which handles one message at a time in a local
 * transaction, on virtual threads. The prefetch is small, because many consumers share the queue.
 */
final class FixedConcurrency extends SpringConsumer {
    private static final int PREFETCH_BYTES = 16 * 1024;

    FixedConcurrency(String url, MessageWork handling, int consumers) {
        super(url, handling, Duration.ofSeconds(1));
        factory.setConsumerWindowSize(PREFETCH_BYTES);
        container.setConcurrentConsumers(consumers);
        container.setSessionTransacted(true);
        container.setVirtualThreads(true);
        start();
    }

    @Override
    void handle(int number) throws InterruptedException {
        handling.handle(number);
    }
}
