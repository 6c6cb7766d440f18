package dev.penstock.races.jmsflow;

import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import java.io.IOException;
import java.time.Duration;

/** Ours: receives as many messages as the flow can hold, and acknowledges when the handler has ended. */
final class PenstockSource implements MessageConsumer {
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);
    private static final long POLL_NANOS = 1_000_000;

    private final JmsSource source;

    private PenstockSource(JmsSource source) {
        this.source = source;
    }

    /** The defaults, except for the maximum in flight; the limit is adaptive. */
    static PenstockSource automatic(String url, MessageWork handling) throws IOException {
        return of(url, handling, Flow.named("automatic").adaptiveConcurrency(1, ConsumeCourse.BOUND));
    }

    /** With all 500 in flight. */
    static PenstockSource pinned(String url, MessageWork handling) throws IOException {
        return of(url, handling, Flow.named("pinned").concurrency(ConsumeCourse.BOUND));
    }

    private static PenstockSource of(String url, MessageWork handling, FlowBuilder<Object> stages) throws IOException {
        Flow<JmsMessage, Boolean> flow = stages.to(message -> {
            handling.handle(Backlog.number(message.body()));
            return true;
        });
        JmsSource source = JmsSource.at(JmsBroker.at(url))
                .queue(Backlog.QUEUE)
                .inFlight(ConsumeCourse.BOUND)
                .to(flow);
        source.start();
        return new PenstockSource(source);
    }

    @Override
    public void close() {
        source.stopAccepting();
        long until = Ticker.SYSTEM.nanos() + DRAIN_TIMEOUT.toNanos();
        while (source.inFlight() > 0 && Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + POLL_NANOS);
        }
        source.close(); // returns unfinished messages to the queue
    }
}
