package dev.penstock.gateway.status;

import dev.penstock.Unanswered;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.HttpSource;
import dev.penstock.jms.source.JmsSource;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The outcome of a transaction as JSON. Stored without its id, which is the key. Stateless. */
public final class StatusJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /**
     * The stored headers of an answer: those about the content or the created resource, not about the exchange or
     * the client.
     */
    private static final List<String> HEADERS = List.of(
            "Content-Type",
            "Content-Encoding",
            "Content-Language",
            "Content-Location",
            "Location",
            "ETag",
            "Last-Modified");

    private StatusJson() {}

    static byte[] answered(HttpAnswer answer, int maxBytes) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("status", answer.status());
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : HEADERS) {
            String value = answer.headers().first(name);
            if (value != null) {
                headers.put(name, value);
            }
        }
        reply.put("headers", headers);
        body(answer.body(), maxBytes, reply);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("ending", "answered");
        all.put("reply", reply);
        return MAPPER.writeValueAsBytes(all);
    }

    private static void body(byte[] body, int maxBytes, Map<String, Object> reply) {
        String text = body.length > maxBytes ? null : text(body);
        if (body.length > maxBytes) {
            reply.put("body_left_out", body.length + " bytes, more than " + maxBytes + "");
        } else if (text == null) {
            reply.put("body_base64", Base64.getEncoder().encodeToString(body));
        } else {
            reply.put("body", text);
        }
    }

    /** Decodes UTF-8; null for invalid bytes. */
    public static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException other) {
            return null;
        }
    }

    static byte[] unanswered(Unanswered ending) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("ending", ending.ending());
        all.put("cause", ending.causeName());
        all.put("reason", reason(ending));
        return MAPPER.writeValueAsBytes(all);
    }

    /** A general sentence: the exception message may contain hosts and users. */
    private static String reason(Unanswered ending) {
        String words = ending.getMessage();
        return words != null && words.startsWith(JmsSource.PROCESS_DIED) ? words : HttpSource.sentence(ending);
    }

    /** The stored answer with its stored body; null for another ending. */
    static @Nullable HttpAnswer answer(byte[] ending) {
        JsonNode reply = MAPPER.readTree(ending).path("reply");
        if (!reply.isObject()) {
            return null;
        }
        Headers headers = Headers.none();
        for (Map.Entry<String, JsonNode> field : reply.path("headers").properties()) {
            headers = headers.with(field.getKey(), field.getValue().asString());
        }
        byte[] body = reply.has("body_base64")
                ? Base64.getDecoder().decode(reply.path("body_base64").asString())
                : reply.path("body").asString("").getBytes(StandardCharsets.UTF_8);
        return HttpAnswer.of(reply.path("status").asInt(), headers, body);
    }

    /** An outcome in a few words, without its reply. */
    public static String describe(byte[] outcome) {
        JsonNode json = MAPPER.readTree(outcome);
        int status = json.path("reply").path("status").asInt(0);
        String cause = json.path("cause").asString("");
        return json.path("ending").asString("")
                + (status > 0 ? " with status " + status : "")
                + (cause.isEmpty()
                        ? ""
                        : " (" + cause + "): " + json.path("reason").asString(""));
    }

    public static byte[] pending(String id) {
        return ended(id, "{\"ending\":\"pending\"}".getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds the id as the first member.
     *
     * @param ending the stored ending, an object with at least one member
     */
    static byte[] ended(String id, byte[] ending) {
        byte[] head = ("{\"id\":\"" + id + "\",").getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream all = new ByteArrayOutputStream(head.length + ending.length);
        all.writeBytes(head);
        all.write(ending, 1, ending.length - 1);
        return all.toByteArray();
    }
}
