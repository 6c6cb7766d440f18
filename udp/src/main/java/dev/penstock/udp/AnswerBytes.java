package dev.penstock.udp;

import dev.penstock.dedupe.AnswerCodec;

/** Answers that are bytes, kept as they are. */
final class AnswerBytes implements AnswerCodec<byte[]> {
    @Override
    public Class<byte[]> kind() {
        return byte[].class;
    }

    @Override
    public byte[] encode(byte[] answer) {
        return answer;
    }

    @Override
    public byte[] decode(byte[] bytes) {
        return bytes;
    }
}
