package dev.penstock.jms.source;

class BatchesArtemisTest extends ArtemisSourceContract {
    @Override
    JmsSource.AckMode ackMode() {
        return JmsSource.AckMode.BATCHES;
    }
}
