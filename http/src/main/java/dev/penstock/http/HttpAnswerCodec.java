package dev.penstock.http;

import dev.penstock.AnswerCodec;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Encodes an answer as bytes: status, number of header fields, each name and value, and the body. */
final class HttpAnswerCodec implements AnswerCodec<HttpAnswer> {
    @Override
    public Class<HttpAnswer> kind() {
        return HttpAnswer.class;
    }

    @Override
    public boolean keeps(HttpAnswer answer) {
        return answer.isTaken();
    }

    @Override
    public byte[] encode(HttpAnswer answer) {
        HttpBytes bytes =
                new HttpBytes().number(answer.status()).number(answer.headers().size());
        for (Header field : answer.headers()) {
            bytes.text(field.name()).text(field.value());
        }
        return bytes.bytes(answer.body()).all();
    }

    @Override
    public HttpAnswer decode(byte[] bytes) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        int status = left.getInt();
        int count = left.getInt();
        List<Header> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.add(new Header(text(left), text(left)));
        }
        return HttpAnswer.of(status, Headers.of(fields), next(left));
    }

    private static String text(ByteBuffer left) {
        return new String(next(left), StandardCharsets.UTF_8);
    }

    private static byte[] next(ByteBuffer left) {
        int length = left.getInt();
        if (length < 0 || length > left.remaining()) {
            throw new IllegalArgumentException("the stored answer is truncated");
        }
        byte[] next = new byte[length];
        left.get(next);
        return next;
    }
}
