package dev.penstock.races.jmsflow;

import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.PenstockSource;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.io.IOException;
import java.time.Duration;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** The contestants of the race. */
final class JmsFlowContestants {
    static final String STOP_START = "stop-start";
    static final String DMLC_50 = "dmlc-fixed-50";
    static final String PENSTOCK = "penstock";

    static final ContestantList<MessageConsumer.Factory> ALL = ContestantList.<MessageConsumer.Factory>of("jms-flow")
            .add(
                    ConsumeCourse.UNTHROTTLED,
                    Role.LIMIT,
                    "one listener that acknowledges immediately and starts a virtual thread per message; no limit",
                    Unthrottled::new)
            // The original service's first solution, and its last.
            .add(
                    "bogus-selector-1ms",
                    Role.BEFORE,
                    "Spring's container, asynchronous handlers, a selector that matches nothing at 500 in flight, receiveTimeout 1 ms",
                    BogusSelector::new)
            .add(
                    STOP_START,
                    Role.AFTER,
                    "Spring's container, asynchronous handlers, stopped at 500 in flight, started at 350, acceptMessagesWhileStopping",
                    StopStart::new)
            .add(
                    "dmlc-fixed",
                    Role.PEER,
                    "Spring's container, concurrency 500 on virtual threads, sessionTransacted, receiveTimeout 1 s",
                    (url, handling) -> new FixedConcurrency(url, handling, 500))
            // Fewer sessions may be faster when handlers take no time.
            .add(
                    DMLC_50,
                    Role.PEER,
                    "the same, concurrency 50",
                    (url, handling) -> new FixedConcurrency(url, handling, 50))
            .add(
                    PENSTOCK,
                    Role.OURS,
                    "flow with an adaptive limit of 1 to 500, source at its defaults",
                    (url, handling) ->
                            ours(url, handling, Flow.named("automatic").adaptiveConcurrency(1, ConsumeCourse.BOUND)))
            // With a fixed limit.
            .add(
                    "individual",
                    Role.OURS,
                    "500 in flight, each acknowledged individually by its session's thread",
                    (url, handling) -> ours(url, handling, Flow.named("pinned").concurrency(ConsumeCourse.BOUND)));

    private JmsFlowContestants() {}

    /** The source at its defaults, except for the maximum in flight. */
    private static MessageConsumer ours(String url, MessageWork handling, FlowBuilder<Object> stages)
            throws IOException {
        Flow<JmsMessage, Boolean> flow = stages.to(message -> {
            handling.handle(Backlog.number(message.body()));
            return true;
        });
        JmsSource source = JmsSource.at(JmsBroker.at(url))
                .queue(Backlog.QUEUE)
                .inFlight(ConsumeCourse.BOUND)
                .to(flow);
        return PenstockSource.started(source, source::inFlight);
    }

    /**
     * Spring's container as intended: a fixed number of consumers, each of which handles one message at a time in a local
     * transaction, on virtual threads. The prefetch is small, because many consumers share the queue.
     */
    private static final class FixedConcurrency extends SpringConsumer {
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

    /**
     * Spring's container with an asynchronous handler, throttled as in CXF 2: while too many messages are in flight, it
     * subscribes with a selector that matches nothing. This requires that the consumer is not cached, so that each receive
     * subscribes again.
     */
    private static final class BogusSelector extends SpringConsumer {
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
            boolean tooMany = handling.inFlight() >= ConsumeCourse.BOUND;
            if (tooMany != throttled) {
                throttled = tooMany;
                container.setMessageSelector(tooMany ? MATCHES_NOTHING : null);
            }
        }
    }

    /**
     * The shortest path from the queue to the handler: one listener, which acknowledges immediately and hands each message
     * to a virtual thread. The number in flight is unlimited, and all of them are lost when the process dies.
     */
    private static final class Unthrottled implements MessageConsumer, MessageListener {
        private final ActiveMQConnectionFactory factory;
        private final JMSContext context;
        private final MessageWork handling;

        Unthrottled(String url, MessageWork handling) throws JMSException {
            this.handling = handling;
            factory = new ActiveMQConnectionFactory(url);
            context = factory.createContext(JMSContext.AUTO_ACKNOWLEDGE);
            context.createConsumer(context.createQueue(Backlog.QUEUE)).setMessageListener(this);
        }

        @Override
        public void onMessage(Message message) {
            try {
                handling.suspend(Backlog.number(message), () -> {});
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            context.close();
            factory.close();
        }
    }
}
