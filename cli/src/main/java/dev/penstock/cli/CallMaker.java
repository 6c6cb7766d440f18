package dev.penstock.cli;

import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.jms.JmsMessage;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.lab.load.PaymentXml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates the HTTP calls and messages of a load from command line options. */
final class CallMaker {
    private static final long MAX_BODY = 16L << 20;

    /** Words of their own only: {@code <pay:id>} and {@code "at":null} stay as they are. */
    private static final Pattern PARAMETER = Pattern.compile("(?<![\\w.-]):(n|id)\\b(?![\\w:.-])");

    /** The path of a call to the target itself. */
    static final String ROOT = "/";

    private CallMaker() {}

    /**
     * A factory of HTTP calls.
     *
     * @param method null for POST with a body, GET with an empty one
     * @param path below the target
     * @param body null for a random payment each time; {@code @FILE} for the content of a file; {@code :n} in it is the number
     *     of the transaction, {@code :id} a random UUID
     * @param headers each {@code NAME: VALUE}
     * @param seed the seed of the payments
     * @throws IllegalArgumentException invalid options, with a one-line remedy
     */
    static LongFunction<HttpCall> of(
            @Nullable String method, String path, @Nullable String body, List<String> headers, long seed) {
        boolean bodiless = "GET".equals(method) || "HEAD".equals(method) || "DELETE".equals(method);
        if (body == null && !bodiless) {
            return payments(method == null ? "POST" : method, path, headers, new PaymentXml(seed));
        }
        byte[] bytes = body == null ? new byte[0] : bytes(body);
        String verb = method != null ? method : bytes.length == 0 ? "GET" : "POST";
        HttpCall call = with(HttpCall.of(verb, path, Headers.none(), bytes), headers);
        return hasParameters(bytes)
                ? number -> HttpCall.of(verb, path, call.headers(), filled(bytes, seed, number))
                : number -> call;
    }

    /**
     * A factory of messages.
     *
     * @param body null for a random payment each time, with its id in a property; otherwise as for HTTP
     * @param seed the seed of the payments
     * @throws IllegalArgumentException the file does not exist, with a one-line remedy
     */
    static LongFunction<JmsMessage> messages(@Nullable String body, long seed) {
        return texts(body, seed, JmsMessage::text, (message, id) -> message.withProperty("payment", id));
    }

    /** Does the same for records; the id of a random payment is the key of its record. */
    static LongFunction<KafkaRecord> records(@Nullable String body, long seed) {
        return texts(body, seed, KafkaRecord::text, KafkaRecord::withKey);
    }

    private static <M> LongFunction<M> texts(
            @Nullable String body, long seed, Function<String, M> text, BiFunction<M, String, M> withId) {
        if (body != null) {
            byte[] bytes = bytes(body);
            M message = text.apply(new String(bytes, StandardCharsets.UTF_8));
            return hasParameters(bytes)
                    ? number -> text.apply(new String(filled(bytes, seed, number), StandardCharsets.UTF_8))
                    : number -> message;
        }
        PaymentXml payments = new PaymentXml(seed);
        return number -> {
            PaymentXml.Payment payment = payments.apply(number);
            return withId.apply(text.apply(payment.xml()), payment.id());
        };
    }

    private static LongFunction<HttpCall> payments(
            String method, String path, List<String> headers, PaymentXml payments) {
        HttpCall like = with(
                HttpCall.of(method, path, Headers.none(), new byte[0]).withHeader("Content-Type", "application/xml"),
                headers);
        return number -> {
            PaymentXml.Payment payment = payments.apply(number);
            byte[] xml = payment.xml().getBytes(StandardCharsets.US_ASCII);
            return HttpCall.of(method, path, like.headers(), xml).withHeader("Idempotency-Key", payment.id());
        };
    }

    private static HttpCall with(HttpCall call, List<String> headers) {
        HttpCall all = call;
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("\"" + header
                        + "\" is not a header: write NAME: VALUE, for instance --header 'Accept: text/xml'");
            }
            all = all.withHeader(
                    header.substring(0, colon).strip(),
                    header.substring(colon + 1).strip());
        }
        return all;
    }

    private static boolean hasParameters(byte[] body) {
        return PARAMETER.matcher(new String(body, StandardCharsets.ISO_8859_1)).find();
    }

    /** A body of any encoding, with the parameters of one transaction. */
    private static byte[] filled(byte[] body, long seed, long number) {
        return PARAMETER
                .matcher(new String(body, StandardCharsets.ISO_8859_1))
                .replaceAll(name -> name.group(1).equals("n") ? "" + number : LoadTarget.id(seed, number))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String body) {
        if (!body.startsWith("@")) {
            return body.getBytes(StandardCharsets.UTF_8);
        }
        Path file = Path.of(body.substring(1));
        try {
            if (Files.size(file) > MAX_BODY) {
                throw new IllegalArgumentException(file + " is larger than 16 MB: use a smaller body");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": write an existing file after the @", e);
        }
    }
}
