package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.source.HeldMessage.MessageOutcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecentOutcomesTest {
    private final RecentOutcomes known = new RecentOutcomes(held -> {});

    private static HeldMessage held(@Nullable String id, long link) {
        return new HeldMessage(Blank.MESSAGE, null, false, link, id, null);
    }

    @Test
    void recognizesAMessageInProcessOverALaterConnection() {
        HeldMessage first = held("a", 1);
        assertThat(known.enter(first)).isNull();
        assertThat(known.enter(held("b", 1))).isNull();
        assertThat(known.enter(held("a", 2))).isSameAs(first);
    }

    @Test
    void sameIdOverTheSameConnectionIsAnotherMessage() {
        known.enter(held("a", 1));
        assertThat(known.enter(held("a", 1))).isNull();
    }

    @Test
    void neverRecognizesAMessageWithoutAnId() {
        known.enter(held(null, 1));
        assertThat(known.enter(held(null, 2))).isNull();
    }

    @Test
    void remembersAcknowledgedMessagesAndForgetsConfirmedOnes() {
        HeldMessage settled = held("told", 1);
        HeldMessage confirmed = held("confirmed", 1);
        known.enter(settled);
        known.enter(confirmed);
        settled.ended(new MessageOutcome.Done(null));
        known.settled(settled);
        known.forget(confirmed);
        assertThat(known.enter(held("told", 2))).isSameAs(settled);
        assertThat(known.enter(held("confirmed", 2))).isNull();
        for (int n = 0; n < RecentOutcomes.RECENT; n++) {
            HeldMessage other = held("m" + n, 2);
            known.enter(other);
            known.settled(other);
        }
        assertThat(known.enter(held("told", 3))).isNull();
        assertThat(known.size()).isLessThanOrEqualTo(RecentOutcomes.RECENT + 2);
    }

    @Test
    void processesAReturnedMessageAgain() {
        HeldMessage given = held("a", 1);
        known.enter(given);
        given.ended(new MessageOutcome.GivenBack());
        assertThat(known.enter(held("a", 2))).isNull();
    }
}
