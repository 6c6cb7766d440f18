package dev.penstock.races.jmsflow;

import java.time.Duration;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/**
 * Spring's container with an asynchronous handler, throttled as in CXF 2: while too many messages are in flight, it
 * subscribes with a selector that matches nothing. This requires that the consumer is not cached, so that each receive
 * subscribes again.
 */
final class BogusSelector extends SpringConsumer {
    private static final String MATCHES_NOTHING = "penstock_race = 'too many'";
    /** Prefetched messages would return to the queue with each subscription. */
    private static final int NO_PREFETCH = 0;

    private boolean throttled;

    BogusSelector(String url, MessageWork handling) {
        super(url, handling, Duration.ofMillis(1));
        factory.setConsumerWindowSize(NO_PREFETCH);
        container.setCacheLevel(DefaultMessageListenerContainer.CACHE_SESSION);
        start();
    }

    @Override
    void handle(int number) {
        handling.suspend(number, this::throttle);
        throttle();
    }

    private synchronized void throttle() {
        boolean tooMany = handling.inFlight() >= JmsFlowContestants.BOUND;
        if (tooMany != throttled) {
            throttled = tooMany;
            container.setMessageSelector(tooMany ? MATCHES_NOTHING : null);
        }
    }
}
