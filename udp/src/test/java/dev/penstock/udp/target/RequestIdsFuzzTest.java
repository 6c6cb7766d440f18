package dev.penstock.udp.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.FuzzHarness;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Input: four bytes for the offset of the id, four for its length, one for where to cut, then a request and an answer. */
class RequestIdsFuzzTest extends FuzzHarness {
    private static final int HEAD = 9;

    private final RequestIds header = RequestIds.header();

    @Override
    protected void fuzz(byte[] input) {
        if (input.length < HEAD) {
            return;
        }
        ByteBuffer head = ByteBuffer.wrap(input);
        int offset = head.getInt();
        int length = head.getInt();
        int cut = HEAD + (head.get() & 0xff) * (input.length - HEAD) / 255;
        byte[] request = Arrays.copyOfRange(input, HEAD, cut);
        byte[] answer = Arrays.copyOfRange(input, cut, input.length);
        atAPlace(offset, length, request, answer);
        inAHeader(request, answer);
    }

    private static void atAPlace(int offset, int length, byte[] request, byte[] answer) {
        RequestIds ids;
        try {
            ids = RequestIds.at(offset, length);
        } catch (IllegalArgumentException outOfRange) {
            assertThat(offset < 0 || length < 1).isTrue();
            return;
        }
        assertThat(offset).isNotNegative();
        assertThat(length).isPositive();
        assertThat(ids.format()).isEqualTo("bytes " + offset + " to " + ((long) offset + length - 1));
        String asked = id(ids.request(request), request, offset, length);
        String answered = id(ids.answer(answer), answer, offset, length);
        boolean isSame = asked != null
                && answered != null
                && Arrays.equals(request, offset, offset + length, answer, offset, offset + length);
        assertThat(asked != null && asked.equals(answered)).isEqualTo(isSame);
    }

    private static @Nullable String id(RequestIds.@Nullable Named named, byte[] bytes, int offset, int length) {
        assertThat(named == null).isEqualTo(bytes.length < (long) offset + length);
        if (named == null) {
            return null;
        }
        assertThat(named.bytes()).isSameAs(bytes);
        return named.id();
    }

    private void inAHeader(byte[] request, byte[] answer) {
        RequestIds.Named first = Objects.requireNonNull(header.request(request));
        RequestIds.Named second = Objects.requireNonNull(header.request(request));
        assertThat(first.id()).isNotEqualTo(second.id());
        RequestIds.Named echo = Objects.requireNonNull(header.answer(first.bytes()));
        assertThat(echo.id()).isEqualTo(first.id());
        assertThat(echo.bytes()).isEqualTo(request);
        RequestIds.Named other = header.answer(answer);
        assertThat(other == null).isEqualTo(answer.length < 8);
        if (other != null) {
            assertThat(other.id()).isEqualTo(new String(answer, 0, 8, StandardCharsets.ISO_8859_1));
            assertThat(other.bytes()).isEqualTo(Arrays.copyOfRange(answer, 8, answer.length));
        }
    }
}
