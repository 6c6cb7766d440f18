package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Artemis's own protocol, with texts of any characters, which AMQP encodes as UTF-8. */
class IndividualArtemisTest extends JmsSourceContract {
    private static final String LONE = "caf\u00e9 \ud83d\ude00 \ud800 7";

    @Override
    String url(EmbeddedBroker started) {
        return started.url();
    }

    @Test
    void textThatIsNotUtf8IsAnUnchangedDeadLetter() throws Exception {
        AtomicInteger carried = new AtomicInteger();
        String id = sendOne(session -> session.createTextMessage(LONE));
        run(payments().to(message -> carried.incrementAndGet(), () -> 10));
        Message letter = next(queue + ".DLQ");
        awaitEmpty();
        assertThat(carried).hasValue(0);
        assertThat(letter.getBody(String.class)).isEqualTo(LONE);
        assertThat(letter.getStringProperty("penstock_reason"))
                .isEqualTo("the message cannot be read: character 8 of the text is an unpaired surrogate, which UTF-8"
                        + " cannot encode");
        assertDeadLetter(letter, id);
    }

    @Test
    void answerThatFitsNoMessageIsALostReply() throws Exception {
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

    /**
     * Large bodies are forwarded unread: the broker stores those of compressing clients and of AMQP clients in other
     * formats.
     */
    @Test
    void bodiesAboveMaxBodyAreCompleteDeadLetters() throws Exception {
        byte[] random = new byte[300_000];
        new Random(7).nextBytes(random);
        String text = "caf\u00e9 ".repeat(50_000);
        for (String url : List.of(url(), url() + "?compressLargeMessage=true", url().replace("tcp:", "amqp:"))) {
            try (var client = JmsBroker.at(url).receiving(1);
                    Connection connection = client.open();
                    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
                MessageProducer producer = session.createProducer(session.createQueue(queue));
                BytesMessage bytes = session.createBytesMessage();
                bytes.writeBytes(random);
                producer.send(bytes);
                producer.send(session.createTextMessage(text));
                producer.send(session.createTextMessage("small"));
            }
        }
        AtomicInteger carried = new AtomicInteger();
        run(payments().maxBody(200_000).to(message -> carried.incrementAndGet(), () -> 10));
        awaitEmpty();
        assertThat(carried).hasValue(3);
        try (var client = JmsBroker.at(url()).receiving(1);
                Connection connection = client.open();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer deadLetterSender = session.createConsumer(session.createQueue(queue + ".DLQ"));
            for (int n = 0; n < 6; n++) {
                Message letter = deadLetterSender.receive(30_000);
                assertThat(letter.getStringProperty("penstock_reason")).contains("more than max_body (200000)");
                if (letter instanceof TextMessage) {
                    assertThat(letter.getBody(String.class)).isEqualTo(text);
                } else {
                    assertThat(letter.getBody(byte[].class)).isEqualTo(random);
                }
            }
        }
    }
}
