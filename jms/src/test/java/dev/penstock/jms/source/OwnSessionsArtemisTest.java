package dev.penstock.jms.source;

class OwnSessionsArtemisTest extends ArtemisSourceContract {
    @Override
    JmsSource.Rung rung() {
        return JmsSource.Rung.SESSIONS;
    }
}
