package dev.penstock.http.source;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
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
 * A header of an answer that is written as Latin-1, one byte per character, so that the bytes from the target are preserved.
 * Helidon's own headers replace characters outside ASCII by question marks. Immutable.
 *
 * @param delegate the same header as a Helidon type
 */
record Latin1Header(io.helidon.http.Header delegate) implements io.helidon.http.Header {
    static boolean isAscii(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /** Sets the headers that have a value outside ASCII, each with all its values in their order. */
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
        return delegate.name();
    }

    @Override
    public HeaderName headerName() {
        return delegate.headerName();
    }

    @Override
    public String get() {
        return delegate.get();
    }

    @Override
    public List<String> allValues() {
        return delegate.allValues();
    }

    @Override
    public int valueCount() {
        return delegate.valueCount();
    }

    @Override
    public boolean sensitive() {
        return delegate.sensitive();
    }

    @Override
    public boolean changing() {
        return delegate.changing();
    }

    @Override
    public <N> Value<N> as(Class<N> type) {
        return delegate.as(type);
    }

    @Override
    public <N> Value<N> as(GenericType<N> type) {
        return delegate.as(type);
    }

    @Override
    public <N> Value<N> as(Function<? super String, ? extends N> mapper) {
        return delegate.as(mapper);
    }

    @Override
    public Optional<String> asOptional() {
        return delegate.asOptional();
    }

    @Override
    public Value<Boolean> asBoolean() {
        return delegate.asBoolean();
    }

    @Override
    public Value<String> asString() {
        return delegate.asString();
    }

    @Override
    public Value<Integer> asInt() {
        return delegate.asInt();
    }

    @Override
    public Value<Long> asLong() {
        return delegate.asLong();
    }

    @Override
    public Value<Double> asDouble() {
        return delegate.asDouble();
    }
}
