package dev.penstock.dedupe;

import dev.penstock.Answered;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Endings as the bytes that a ledger keeps, and back. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>Kept is what tells what became of the request: an answer, and a refusal for good. An unknown ending is kept too, so that
 * its key is never sent again as if nothing had been. What is known not to have taken effect is not kept: the same key may be
 * sent again, as it may be without any key.
 *
 * <p>The first byte is the version of this format, the second the kind of ending.
 *
 * @param codec turns answers into bytes
 * @param maxAnswer how many bytes of an answer at most
 */
record OutcomeCodec(AnswerCodec<?> codec, int maxAnswer) {
    private static final byte VERSION = 1;
    private static final byte ANSWER = 'A';
    private static final byte ANSWER_LOST = 'L';
    private static final byte REFUSED = 'R';
    private static final byte UNKNOWN = 'U';
    private static final int HEAD = 2;
    private static final int LONGEST_MESSAGE = 500;

    /** The bytes of an ending; null for one that is not to be kept. */
    byte @Nullable [] bytes(Ending ending) {
        return switch (ending) {
            case Answered<?>(Object answer) -> answer(answer);
            case Failed failed when failed.why() == Failed.Cause.REFUSED -> text(REFUSED, failed.getMessage());
            case Unknown unknown -> bytes(unknown);
            default -> null;
        };
    }

    /** The bytes of an unknown ending. */
    static byte[] bytes(Unknown unknown) {
        return text(UNKNOWN, unknown.why().name() + "\n" + unknown.getMessage());
    }

    private byte @Nullable [] answer(@Nullable Object answer) {
        byte[] encoded;
        try {
            if (!codec.kind().isInstance(answer)) {
                return text(ANSWER_LOST, "is of a kind that is not kept");
            }
            encoded = encodeIfKept(codec, answer);
        } catch (RuntimeException | Error broken) {
            return text(ANSWER_LOST, "could not be turned into bytes (" + broken + ")");
        }
        if (encoded == null || encoded.length <= maxAnswer) {
            return encoded == null ? null : of(ANSWER, encoded);
        }
        return text(
                ANSWER_LOST,
                "is of " + encoded.length + " bytes, and no more than " + maxAnswer + " are kept (dedupe.max_answer)");
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

    /** The ending that these bytes are, for another request of the same key. Never rejected. */
    Ending ending(byte[] bytes) {
        if (bytes.length < HEAD || bytes[0] != VERSION) {
            return unreadable("it was kept by another version of Penstock");
        }
        byte[] rest = Arrays.copyOfRange(bytes, HEAD, bytes.length);
        return switch (bytes[1]) {
            case ANSWER -> answered(rest);
            case ANSWER_LOST ->
                new Unknown(
                        Unknown.Cause.GARBLED,
                        "the first one of this key was answered, but its answer " + utf8(rest) + "; not sent again");
            case REFUSED ->
                new Failed(Failed.Cause.REFUSED, "the first one of this key was refused for good: " + utf8(rest));
            case UNKNOWN -> unknown(utf8(rest));
            default -> unreadable("it was kept by another version of Penstock");
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
                "what became of the first one of this key cannot be read: " + why + "; not sent again");
    }

    private static Unknown unknown(String text) {
        int end = Math.max(0, text.indexOf('\n'));
        return told(text.substring(0, end), text.substring(Math.min(text.length(), end + 1)), null);
    }

    /** An ending as others have it who waited for it: nobody but its own caller was interrupted. */
    static Ending forOthers(Ending ending) {
        return ending instanceof Unknown unknown
                ? told(unknown.why().name(), unknown.getMessage(), unknown.getCause())
                : ending;
    }

    private static Unknown told(String cause, @Nullable String message, @Nullable Throwable origin) {
        Unknown.Cause why = Unknown.Cause.ERROR;
        for (Unknown.Cause known : Unknown.Cause.values()) {
            why = known.name().equals(cause) && known != Unknown.Cause.INTERRUPTED ? known : why;
        }
        return new Unknown(
                why,
                "the first one of this key ended as unknown, cause %s: %s; not sent again"
                        .formatted(cause.toLowerCase(Locale.ROOT), message),
                origin);
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
