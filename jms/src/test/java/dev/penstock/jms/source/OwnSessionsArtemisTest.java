package dev.penstock.jms.source;

class OwnSessionsArtemisTest extends ArtemisSourceContract {
    @Override
    JmsSource.AckMode ackMode() {
        return JmsSource.AckMode.SESSIONS;
    }
}
