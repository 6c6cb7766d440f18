package dev.penstock.jms.source;

class IndividualArtemisTest extends ArtemisSourceContract {
    @Override
    JmsSource.AckMode ackMode() {
        return JmsSource.AckMode.INDIVIDUAL;
    }
}
