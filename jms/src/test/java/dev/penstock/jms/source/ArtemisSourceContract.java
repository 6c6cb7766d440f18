package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.Message;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What only Artemis's own protocol brings: texts of any characters, as AMQP has them in UTF-8. */
abstract class ArtemisSourceContract extends JmsSourceContract {
    private static final String LONE = "caf\u00e9 \ud83d\ude00 \ud800 7";

    @Override
    final String url(EmbeddedBroker started) {
        return started.url();
    }

    @Test
    void textThatUtf8CannotCarryIsADeadLetterAsItCame() throws Exception {
        AtomicInteger carried = new AtomicInteger();
        String id = sendOne(session -> session.createTextMessage(LONE));
        run(payments().to(message -> carried.incrementAndGet(), () -> 10));
        Message letter = next(queue + ".DLQ");
        awaitEmpty();
        assertThat(carried).hasValue(0);
        assertThat(letter.getBody(String.class)).isEqualTo(LONE);
        assertThat(letter.getStringProperty("penstock_reason"))
                .isEqualTo(
                        "the message cannot be read: character 8 of the text is half of a surrogate pair, which UTF-8"
                                + " cannot carry");
        assertDeadLetter(letter, id);
    }

    @Test
    void anAnswerThatNoMessageCanCarryIsALostReplyAndTheMessageIsDone() throws Exception {
        AtomicInteger carried = new AtomicInteger();
        sendOne(session -> {
            Message request = session.createTextMessage("m");
            request.setJMSReplyTo(session.createQueue("replies-of-" + queue));
            return request;
        });
        run(payments()
                .to(
                        message -> {
                            carried.incrementAndGet();
                            return LONE;
                        },
                        () -> 10));
        awaitEmpty();
        assertThat(carried).hasValue(1);
        assertThat(source().counts()).containsEntry("replies_lost", 1L).containsEntry("dead_letters", 0L);
    }
}
