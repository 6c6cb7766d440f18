package dev.penstock.gateway.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.gateway.transport.MessageFields;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.jms.JmsMessage;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueueMessagesTest {
    private static HttpCall json(String path) {
        return HttpCall.post(path, "{\"amount\":\"7 €\"}").withHeader("Content-Type", "application/json");
    }

    @Test
    void requestSurvivesConversionToMessageAndBack() throws Failed {
        HttpCall call = HttpCall.of(
                "PUT",
                "/pay/7/items?x=1",
                Headers.none()
                        .and("Content-Type", "application/json")
                        .and("Idempotency-Key", "k-1")
                        .and("Accept", "a/b")
                        .and("Accept", "c/d")
                        .and("Content-Length", "2"),
                "{}".getBytes(StandardCharsets.UTF_8));
        JmsMessage message = QueueMessages.message(call, "/pay");
        assertThat(message.property("Idempotency_HYPHEN_Key")).isEqualTo("k-1");
        assertThat(message.isText()).isTrue();
        HttpCall back = QueueMessages.call(message, null);
        assertThat(back.method()).isEqualTo("PUT");
        assertThat(back.path()).isEqualTo("/7/items?x=1");
        assertThat(back.body()).isEqualTo(call.body());
        assertThat(back.headers().first("content-type")).isEqualTo("application/json");
        assertThat(back.headers().all("Accept")).containsExactly("a/b, c/d");
        assertThat(back.headers().has("Content-Length")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"/pay | /pay | /", "/pay/ | /pay | /", "/pay?a=b | /pay | /?a=b", "/a/b | / | /a/b", "/ | / | /"})
    void forwardsTheRestOfThePath(String path, String base, String left) throws Failed {
        assertThat(QueueMessages.call(QueueMessages.message(json(path), base), null)
                        .path())
                .isEqualTo(left);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/json; charset=UTF-8", "application/soap+xml", "application/xml"})
    void sendsTextAsText(String type) throws Failed {
        HttpCall call = json("/").withHeader("Content-Type", type);
        JmsMessage message = QueueMessages.message(call, "/");
        assertThat(message.isText()).isTrue();
        assertThat(QueueMessages.call(message, null).body()).isEqualTo(call.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"image/png", "text/plain; charset=iso-8859-1", "application/octet-stream", "multipart/json; b=1"
            })
    void sendsOtherContentAsBytes(String type) {
        boolean oddJson = type.startsWith("multipart");
        JmsMessage message = QueueMessages.message(json("/").withHeader("Content-Type", type), "/");
        assertThat(message.isText()).isEqualTo(oddJson);
    }

    @Test
    void sendsTextThatIsNotUtf8AsBytes() throws Failed {
        byte[] body = {(byte) 0xff, 0, 1};
        HttpCall call = HttpCall.post("/", body).withHeader("Content-Type", "text/plain");
        JmsMessage message = QueueMessages.message(call, "/");
        assertThat(message.isText()).isFalse();
        assertThat(QueueMessages.call(message, null).body()).isEqualTo(body);
    }

    @Test
    void sendsMessageKeyUnlessTheMessageHasOne() throws Failed {
        JmsMessage message = JmsMessage.text("x").withProperty("order_id", "o-7");
        assertThat(QueueMessages.call(message, "order_id").headers().first("Idempotency-Key"))
                .isEqualTo("o-7");
        assertThat(QueueMessages.call(message, "other").headers().has("Idempotency-Key"))
                .isFalse();
        JmsMessage keyed = message.withProperty("Idempotency_HYPHEN_Key", "k-1");
        assertThat(QueueMessages.call(keyed, "order_id").headers().first("Idempotency-Key"))
                .isEqualTo("k-1");
    }

    @Test
    void omitsPropertiesThatNoHeaderAllows() throws Failed {
        JmsMessage message = JmsMessage.text("x")
                .withProperty("name", "Zoë €")
                .withProperty("lines", "a\nb")
                .withProperty("number", 7)
                .inGroup("g");
        assertThat(QueueMessages.call(message, null).headers())
                .singleElement()
                .satisfies(field -> assertThat(field.name() + field.value()).isEqualTo("number7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/../admin", "/a b", "/%2e%2e/x"})
    void rejectsPathThatLeadsElsewhere(String path) {
        JmsMessage message = JmsMessage.text("x").withProperty(MessageFields.PATH, path);
        assertThatThrownBy(() -> QueueMessages.call(message, null))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED));
    }

    @Test
    void answerIsAMessageWithItsStatus() {
        JmsMessage message = QueueMessages.message(HttpAnswer.of(201, "done").withHeader("ETag", "\"7\""));
        assertThat(message.properties()).containsEntry("penstock_status", 201).containsEntry("Etag", "\"7\"");
        assertThat(message.text()).isEqualTo("done");
    }
}
