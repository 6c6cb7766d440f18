package dev.penstock.races.jmsflow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EffectsTest {
    @Test
    void distinguishesRedeliveriesFromRepeatedEffects() {
        Effects effects = new Effects(4);
        for (int number = 0; number < 3; number++) {
            effects.delivered(number);
        }
        effects.effect(0);
        effects.effect(1);
        effects.ended(0);
        assertThat(effects.open()).isEqualTo(2);
        assertThat(effects.inFlight()).isEqualTo(2);
        effects.held(5);
        assertThat(effects.inFlight()).isEqualTo(5);

        effects.delivered(0);
        effects.delivered(1);
        effects.delivered(1);
        effects.effect(1);
        effects.delivered(2);
        effects.effect(2);

        assertThat(effects.redelivered()).isEqualTo(2);
        assertThat(effects.repeated()).isEqualTo(1);
        assertThat(effects.lost()).isEqualTo(1);
        assertThat(effects.isDone(3)).isFalse();
    }
}
