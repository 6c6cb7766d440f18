package dev.penstock.jms.source;

class BatchesArtemisTest extends ArtemisSourceContract {
    @Override
    JmsSource.Rung rung() {
        return JmsSource.Rung.BATCHES;
    }
}
