package dev.penstock.dedupe;

import dev.penstock.AnswerCodec;
import dev.penstock.Answered;
import dev.penstock.Dedupe;
import dev.penstock.IdempotencyStore;
import dev.penstock.flow.Flow;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Texts as answers, and what is asked of stores in tests. */
final class Words implements AnswerCodec<String> {
    @Override
    public Class<String> kind() {
        return String.class;
    }

    @Override
    public byte[] encode(String answer) {
        return bytes(answer);
    }

    @Override
    public String decode(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean keeps(String answer) {
        return !answer.startsWith("busy");
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Dedupe.Counts dedupeCounts(Flow<?, ?> flow) {
        return Objects.requireNonNull(flow.dedupeCounts());
    }

    static byte[] kept(String answer) {
        return Objects.requireNonNull(new OutcomeCodec(new Words(), 1_000).bytes(new Answered<>(answer)));
    }

    /** By what stands before the colon of a request; all of it is its fingerprint. */
    static Dedupe<String> dedupe(IdempotencyStore store) {
        return Dedupe.byKey(Words::key, store, new Words()).fingerprint(Words::bytes);
    }

    private static @Nullable String key(String request) {
        int colon = request.indexOf(':');
        return colon < 0 ? null : request.substring(0, colon);
    }
}
