package dev.penstock.udp;

import dev.penstock.AnswerCodec;
import dev.penstock.Keyed;
import dev.penstock.udp.socket.LocalAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A datagram as a request of a flow. Immutable, provided that no one changes its bytes.
 *
 * <p>If the source is configured with {@link UdpSourceBuilder#id}, the id is available as key {@value #ID}: with {@code
 * Dedupe.byKey(Datagram.ID, store, Datagram.answers())}, a repeat gets the answer of the first datagram and is not
 * handled again.
 */
public final class Datagram implements Keyed {
    /** The name of the key that returns the id. */
    public static final String ID = "id";

    private static final InetSocketAddress NO_PEER = new InetSocketAddress(0);

    /** The return value of a service when nothing is to be sent back. Compared by identity: another empty array is an answer. */
    @SuppressWarnings("MutablePublicArray") // it is empty
    public static final byte[] NO_ANSWER = {};

    private final byte[] bytes;
    private final InetSocketAddress peer;
    private final @Nullable String id;
    private final @Nullable LocalAddress local;

    /**
     * Creates a datagram.
     *
     * @param bytes the payload; not copied
     * @param peer the sender
     * @param id the id that its repeats share; null for none
     */
    public Datagram(byte[] bytes, InetSocketAddress peer, @Nullable String id) {
        this(bytes, peer, id, null);
    }

    /**
     * As above.
     *
     * @param local the address of this machine that it was sent to, and from which the answer is sent; null for any
     */
    Datagram(byte[] bytes, InetSocketAddress peer, @Nullable String id, @Nullable LocalAddress local) {
        this.bytes = bytes;
        this.peer = peer;
        this.id = id;
        this.local = local;
    }

    /** Creates a datagram to send, without a sender. The bytes are not copied. */
    public static Datagram of(byte[] bytes) {
        return new Datagram(bytes, NO_PEER, null);
    }

    /** A codec that keeps the answers to datagrams with an id, for {@code Dedupe}. */
    public static AnswerCodec<byte[]> answers() {
        return new AnswerFrame();
    }

    @SuppressWarnings("ReferenceEquality") // an empty answer is an answer
    static boolean isNoAnswer(byte[] answer) {
        return answer == NO_ANSWER;
    }

    /** The payload; not copied. */
    public byte[] bytes() {
        return bytes;
    }

    /** The sender. */
    public InetSocketAddress peer() {
        return peer;
    }

    @Nullable
    LocalAddress local() {
        return local;
    }

    /** The id that its repeats share; null for none. */
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

    /** Encodes an answer with a leading byte that is 0 for no answer. */
    private static final class AnswerFrame implements AnswerCodec<byte[]> {
        @Override
        public Class<byte[]> kind() {
            return byte[].class;
        }

        @Override
        public byte[] encode(byte[] answer) {
            if (Datagram.isNoAnswer(answer)) {
                return new byte[] {0};
            }
            byte[] kept = new byte[answer.length + 1];
            kept[0] = 1;
            System.arraycopy(answer, 0, kept, 1, answer.length);
            return kept;
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes[0] == 0 ? Datagram.NO_ANSWER : Arrays.copyOfRange(bytes, 1, bytes.length);
        }
    }
}
