package dev.penstock.jms.source;

class IndividualArtemisTest extends ArtemisSourceContract {
    @Override
    JmsSource.Rung rung() {
        return JmsSource.Rung.INDIVIDUAL;
    }
}
