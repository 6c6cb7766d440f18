package dev.penstock.http;

import io.helidon.common.GenericType;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.mapper.Value;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A header of an answer whose values go out as the bytes that came in: each character is one byte. The server's own headers
 * write everything beyond ASCII as a question mark. Immutable.
 *
 * @param like the same as the server has it
 */
record Latin1Header(io.helidon.http.Header like) implements io.helidon.http.Header {
    static boolean isAscii(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /** Sets those headers that have a value beyond ASCII, each with all of its values, in their order. */
    static void setAll(Headers fields, ServerResponseHeaders headers) {
        for (Header field : fields) {
            if (!isAscii(field.value())) {
                HeaderName name = HeaderNames.create(field.name());
                headers.set(new Latin1Header(HeaderValues.create(name, fields.all(field.name()))));
            }
        }
    }

    @Override
    public void writeHttp1Header(BufferData buffer) {
        for (String value : allValues()) {
            buffer.write((name() + ": " + value + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Override
    public byte[] valueBytes() {
        return get().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String name() {
        return like.name();
    }

    @Override
    public HeaderName headerName() {
        return like.headerName();
    }

    @Override
    public String get() {
        return like.get();
    }

    @Override
    public List<String> allValues() {
        return like.allValues();
    }

    @Override
    public int valueCount() {
        return like.valueCount();
    }

    @Override
    public boolean sensitive() {
        return like.sensitive();
    }

    @Override
    public boolean changing() {
        return like.changing();
    }

    @Override
    public <N> Value<N> as(Class<N> type) {
        return like.as(type);
    }

    @Override
    public <N> Value<N> as(GenericType<N> type) {
        return like.as(type);
    }

    @Override
    public <N> Value<N> as(Function<? super String, ? extends N> mapper) {
        return like.as(mapper);
    }

    @Override
    public Optional<String> asOptional() {
        return like.asOptional();
    }

    @Override
    public Value<Boolean> asBoolean() {
        return like.asBoolean();
    }

    @Override
    public Value<String> asString() {
        return like.asString();
    }

    @Override
    public Value<Integer> asInt() {
        return like.asInt();
    }

    @Override
    public Value<Long> asLong() {
        return like.asLong();
    }

    @Override
    public Value<Double> asDouble() {
        return like.asDouble();
    }
}
