package dev.penstock.udp;

import dev.penstock.Keyed;
import dev.penstock.dedupe.AnswerCodec;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A datagram as a request of a flow. Immutable but for its bytes, which nobody changes.
 *
 * <p>Its id, where the source was told how to find one ({@link UdpSourceBuilder#id}), is the key {@value #ID}: with
 * {@code Dedupe.byKey(Datagram.ID, ledger, Datagram.answers())} a repeat is answered as the first one was, and is not handled again.
 */
public final class Datagram implements Keyed {
    /** The name of the key that is its id. */
    public static final String ID = "id";

    private static final InetSocketAddress NOBODY = new InetSocketAddress(0);

    /** What a service answers with when nothing is to be sent back: this very array, which is not the same as an empty answer. */
    @SuppressWarnings("MutablePublicArray") // it is empty
    public static final byte[] NO_ANSWER = {};

    private final byte[] bytes;
    private final InetSocketAddress peer;
    private final @Nullable String id;

    /**
     * A datagram.
     *
     * @param bytes all of it; not copied
     * @param peer whom it is from
     * @param id what repeats of it have too; null when nothing tells
     */
    public Datagram(byte[] bytes, InetSocketAddress peer, @Nullable String id) {
        this.bytes = bytes;
        this.peer = peer;
        this.id = id;
    }

    /** One to be sent, that is from nobody. The bytes are not copied. */
    public static Datagram of(byte[] bytes) {
        return new Datagram(bytes, NOBODY, null);
    }

    /** How answers are kept of what has an id. */
    public static AnswerCodec<byte[]> answers() {
        return new AnswerFrame();
    }

    @SuppressWarnings("ReferenceEquality") // an empty answer is an answer
    static boolean isNoAnswer(byte[] answer) {
        return answer == NO_ANSWER;
    }

    /** All of it; not copied. */
    public byte[] bytes() {
        return bytes;
    }

    /** Whom it is from. */
    public InetSocketAddress peer() {
        return peer;
    }

    /** What repeats of it have too. */
    public @Nullable String id() {
        return id;
    }

    @Override
    public @Nullable String key(String name) {
        return ID.equals(name) ? id : null;
    }

    @Override
    public String toString() {
        return bytes.length + " bytes from " + peer + (id == null ? "" : ", id " + id);
    }
}
