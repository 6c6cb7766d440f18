package dev.penstock.spring;

import dev.penstock.AnswerCodec;
import dev.penstock.Unknown;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What an earlier call with the same key returned, as JSON. Only the method knows its type. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredAnswer(byte[] json) {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.UTF_8);

    /** Writes what methods return, with Jackson's defaults. */
    static final class Codec implements AnswerCodec<Optional<Object>> {
        @Override
        @SuppressWarnings("unchecked") // all answers of methods are of this type
        public Class<Optional<Object>> kind() {
            return (Class<Optional<Object>>) (Class<?>) Optional.class;
        }

        @Override
        public byte[] encode(Optional<Object> answer) {
            return JsonMapper.shared().writeValueAsBytes(answer.orElse(null));
        }

        @Override
        public Optional<Object> decode(byte[] json) {
            return Optional.of(new StoredAnswer(json));
        }
    }

    /** Reads it. */
    @Nullable
    Object as(Type type) throws Unknown {
        try {
            JsonMapper mapper = JsonMapper.shared();
            return Arrays.equals(json, NULL) ? null : mapper.readValue(json, mapper.constructType(type));
        } catch (JacksonException unreadable) {
            throw new Unknown(
                    Unknown.Cause.GARBLED,
                    "an earlier call with this key returned, but its answer cannot be read as " + type.getTypeName()
                            + ": " + unreadable.getMessage(),
                    unreadable);
        }
    }
}
