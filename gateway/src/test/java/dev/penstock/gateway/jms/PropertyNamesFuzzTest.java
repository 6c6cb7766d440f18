package dev.penstock.gateway.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.jms.JmsMessage;
import dev.penstock.kit.program.FuzzHarness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Input: lines {@code name: value}. As header fields of a request, all come back from the message. As properties of a message
 * from another sender, they make a request or are refused.
 */
class PropertyNamesFuzzTest extends FuzzHarness {
    /** JMS 3.1 section 3.8.1.1: these are no identifiers. */
    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    private static final Set<String> OF_THE_MESSAGE = Set.of("penstock-id", "content-length", "host");

    @Override
    protected void fuzz(byte[] input) throws Exception {
        List<String> lines = new String(input, StandardCharsets.UTF_8).lines().toList();
        Headers headers = Headers.none();
        JmsMessage foreign = JmsMessage.text("{}");
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers = and(headers, line.substring(0, colon), line.substring(colon + 1));
                foreign = with(foreign, line.substring(0, colon), line.substring(colon + 1));
            }
        }
        comeBack(headers, input);
        producesARequestOrAnError(foreign);
    }

    private static Headers and(Headers headers, String name, String value) {
        try {
            return headers.and(name, value);
        } catch (IllegalArgumentException none) {
            return headers;
        }
    }

    private static JmsMessage with(JmsMessage message, String name, String value) {
        try {
            return message.withProperty(name, value);
        } catch (IllegalArgumentException none) {
            return message;
        }
    }

    private static void comeBack(Headers headers, byte[] body) throws Failed {
        for (Header field : headers) {
            String property = PropertyNames.ofHeader(field.name());
            assertThat(property).matches("[A-Za-z_$][A-Za-z0-9_$]*");
            assertThat(RESERVED).doesNotContain(property);
            if (property.length() > 255) {
                return;
            }
        }
        JmsMessage message = QueueMessages.message(HttpCall.of("POST", "/", headers, body), "/");
        assertThat(message.sendable()).isSameAs(message);
        HttpCall back = QueueMessages.call(message, null);
        assertThat(joined(back.headers())).isEqualTo(joined(headers));
        assertThat(back.body()).isEqualTo(body);
    }

    private static Map<String, String> joined(Headers headers) {
        Map<String, String> joined = new TreeMap<>();
        for (Header field : headers) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (!OF_THE_MESSAGE.contains(name)) {
                String between = name.equals("cookie") ? "; " : ", ";
                // A header value has no space at its ends.
                joined.put(name, String.join(between, headers.all(name)).strip());
            }
        }
        return joined;
    }

    private static void producesARequestOrAnError(JmsMessage message) {
        try {
            HttpCall call = QueueMessages.call(message, null);
            List<String> names = new ArrayList<>();
            call.headers().forEach(field -> names.add(field.name().toLowerCase(Locale.ROOT)));
            assertThat(names).doesNotHaveDuplicates();
        } catch (Failed refused) {
            assertThat(refused.why()).isEqualTo(Failed.Cause.REFUSED);
        }
    }
}
