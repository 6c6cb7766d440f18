package dev.penstock.dedupe;

import dev.penstock.AnswerCodec;
import dev.penstock.Answered;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Converts endings to the bytes that a store keeps, and back. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>Final outcomes are kept: answers and permanent refusals. Unknown endings are kept too, so that the key is never sent
 * again as if it were new. Endings of requests that are known to have had no effect are not kept: the same key may be sent
 * again, as any request without a key may be.
 *
 * <p>The first byte is the version of this format, the second the kind of ending.
 *
 * @param codec converts answers to bytes and back
 * @param maxAnswer the maximum size of a kept answer, in bytes
 */
record OutcomeCodec(AnswerCodec<?> codec, int maxAnswer) {
    private static final byte VERSION = 1;
    private static final byte ANSWER = 'A';
    private static final byte ANSWER_LOST = 'L';
    private static final byte REFUSED = 'R';
    private static final byte CONFLICT = 'C';
    private static final byte VALUE = 'V';
    private static final byte UNKNOWN = 'U';
    private static final int HEAD = 2;
    private static final int LONGEST_MESSAGE = 500;

    /** The bytes of an ending; null when it is not kept. */
    byte @Nullable [] bytes(Ending ending) {
        return switch (ending) {
            case Answered<?>(Object answer) -> answer(answer);
            case Failed failed
            when failed.why() == Failed.Cause.REFUSED -> text(kind(failed.refusal()), failed.getMessage());
            case Unknown unknown -> bytes(unknown);
            default -> null;
        };
    }

    private static byte kind(Failed.Refusal refusal) {
        return switch (refusal) {
            case OTHER -> REFUSED;
            case CONFLICT -> CONFLICT;
            case VALUE -> VALUE;
        };
    }

    private static Failed refused(Failed.Refusal refusal, byte[] message) {
        return Failed.refused(refusal, "the first request with this key was refused: " + utf8(message), null);
    }

    /** The bytes of an unknown ending. */
    static byte[] bytes(Unknown unknown) {
        return text(UNKNOWN, unknown.why().name() + "\n" + unknown.getMessage());
    }

    private byte @Nullable [] answer(@Nullable Object answer) {
        byte[] encoded;
        try {
            if (!codec.kind().isInstance(answer)) {
                return text(ANSWER_LOST, "has a type that is not kept");
            }
            encoded = encodeIfKept(codec, answer);
        } catch (RuntimeException | Error broken) {
            return text(ANSWER_LOST, "could not be converted to bytes (" + broken + ")");
        }
        if (encoded == null || encoded.length <= maxAnswer) {
            return encoded == null ? null : of(ANSWER, encoded);
        }
        return text(
                ANSWER_LOST,
                "has " + encoded.length + " bytes, above the maximum of " + maxAnswer + " to keep (dedupe.max_answer)");
    }

    private static <R> byte @Nullable [] encodeIfKept(AnswerCodec<R> codec, Object answer) {
        R known = codec.kind().cast(answer);
        return codec.keeps(known) ? codec.encode(known) : null;
    }

    private static byte[] text(byte kind, @Nullable String message) {
        String text = message == null ? "" : message;
        return of(
                kind,
                text.substring(0, Math.min(text.length(), LONGEST_MESSAGE)).getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] of(byte kind, byte[] rest) {
        byte[] all = new byte[HEAD + rest.length];
        all[0] = VERSION;
        all[1] = kind;
        System.arraycopy(rest, 0, all, HEAD, rest.length);
        return all;
    }

    /** The ending of these bytes, for another request with the same key. Never rejected. */
    Ending ending(byte[] bytes) {
        if (bytes.length < HEAD || bytes[0] != VERSION) {
            return unreadable("it was written by another version of Penstock");
        }
        byte[] rest = Arrays.copyOfRange(bytes, HEAD, bytes.length);
        return switch (bytes[1]) {
            case ANSWER -> answered(rest);
            case ANSWER_LOST ->
                new Unknown(
                        Unknown.Cause.GARBLED,
                        "the first request with this key was answered, but its answer " + utf8(rest)
                                + "; not sent again");
            case REFUSED -> refused(Failed.Refusal.OTHER, rest);
            case CONFLICT -> refused(Failed.Refusal.CONFLICT, rest);
            case VALUE -> refused(Failed.Refusal.VALUE, rest);
            case UNKNOWN -> unknown(utf8(rest));
            default -> unreadable("it was written by another version of Penstock");
        };
    }

    private Ending answered(byte[] bytes) {
        try {
            return new Answered<>(codec.decode(bytes));
        } catch (RuntimeException | Error broken) {
            return unreadable(broken.toString());
        }
    }

    private static Unknown unreadable(String why) {
        return new Unknown(
                Unknown.Cause.GARBLED,
                "the outcome of the first request with this key cannot be read: " + why + "; not sent again");
    }

    private static Unknown unknown(String text) {
        int end = Math.max(0, text.indexOf('\n'));
        return firstUnknown(text.substring(0, end), text.substring(Math.min(text.length(), end + 1)), null);
    }

    /** An ending as waiting requests with the same key get it: not as interrupted, since only its own caller was. */
    static Ending forOthers(Ending ending) {
        return ending instanceof Unknown unknown
                ? firstUnknown(unknown.why().name(), unknown.getMessage(), unknown.getCause())
                : ending;
    }

    private static Unknown firstUnknown(String cause, @Nullable String message, @Nullable Throwable origin) {
        Unknown.Cause why = Unknown.Cause.ERROR;
        for (Unknown.Cause known : Unknown.Cause.values()) {
            why = known.name().equals(cause) && known != Unknown.Cause.INTERRUPTED ? known : why;
        }
        return new Unknown(
                why,
                "the first request with this key ended as unknown, cause %s: %s; not sent again"
                        .formatted(cause.toLowerCase(Locale.ROOT), message),
                origin);
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
