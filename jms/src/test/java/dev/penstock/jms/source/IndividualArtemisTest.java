package dev.penstock.jms.source;

import dev.penstock.jms.broker.EmbeddedBroker;

class IndividualArtemisTest extends JmsSourceContract {
    @Override
    String url(EmbeddedBroker started) {
        return started.url();
    }

    @Override
    JmsSource.Rung rung() {
        return JmsSource.Rung.INDIVIDUAL;
    }
}
