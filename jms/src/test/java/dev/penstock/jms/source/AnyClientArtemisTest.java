package dev.penstock.jms.source;

import dev.penstock.jms.FaultyClient;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.broker.EmbeddedBroker;

/** A client that Penstock does not know: a session for each message. */
class AnyClientArtemisTest extends JmsSourceContract {
    @Override
    String url(EmbeddedBroker started) {
        return started.url();
    }

    @Override
    JmsBroker from() throws Exception {
        return FaultyClient.unknown(url());
    }
}
