package dev.penstock.udp;

import dev.penstock.dedupe.AnswerCodec;
import java.util.Arrays;

/** Encodes an answer with a leading byte that is 0 for no answer. */
final class AnswerFrame implements AnswerCodec<byte[]> {
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
