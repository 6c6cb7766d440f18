package dev.penstock.udp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Finds and replaces like {@code String.replace}. */
class ByteReplacementTest {
    private static ByteReplacement of(String find, String with) {
        return ByteReplacement.bytes(find.getBytes(ISO_8859_1), with.getBytes(ISO_8859_1));
    }

    private static String inline(ByteReplacement replace, String text, int room) {
        ByteBuffer request = ByteBuffer.allocateDirect(text.length() + 3);
        request.put(1, text.getBytes(ISO_8859_1)).position(1).limit(1 + text.length());
        ByteBuffer answer = ByteBuffer.allocateDirect(room);
        assertThat(replace.answer(request, answer)).isTrue();
        byte[] bytes = new byte[answer.position()];
        answer.get(0, bytes);
        return new String(bytes, ISO_8859_1);
    }

    @Property(tries = 2_000)
    void replacesAsStringDoes(
            @ForAll @CharRange(from = 'a', to = 'c') @StringLength(max = 60) String text,
            @ForAll @CharRange(from = 'a', to = 'c') @StringLength(min = 1, max = 4) String find,
            @ForAll @CharRange(from = 'a', to = 'c') @StringLength(max = 6) String with) {
        String expected = text.replace(find, with);

        assertThat(inline(of(find, with), text, 400)).isEqualTo(expected);
        assertThat(new String(of(find, with).in(text.getBytes(ISO_8859_1)), ISO_8859_1))
                .isEqualTo(expected);
    }

    @Property(tries = 1_000)
    void replacesAnyBytes(@ForAll byte[] text, @ForAll byte find) {
        String asText = new String(text, ISO_8859_1);
        String one = new String(new byte[] {find}, ISO_8859_1);
        assertThat(inline(of(one, ""), asText, text.length)).isEqualTo(asText.replace(one, ""));
    }

    @Test
    void throwsWhenTheAnswerDoesNotFit() {
        assertThatThrownBy(() -> inline(of("a", "bb"), "aaaa", 7)).isInstanceOf(BufferOverflowException.class);
    }

    @Test
    void limitsTheSizeOfTheAnswer() {
        ByteReplacement replace = of("a", "b".repeat(100_000));
        assertThatThrownBy(() -> replace.in("a".repeat(1_000).getBytes(ISO_8859_1)))
                .hasMessageContaining("64 MB");
    }

    @Test
    void returnsTheSameArrayWithoutAMatch() {
        byte[] bytes = {1, 2, 3};
        assertThat(of("x", "y").call(new Datagram(bytes, new InetSocketAddress(1), null)))
                .isSameAs(bytes);
        assertThatThrownBy(() -> of("", "y")).hasMessageContaining("at least one character");
    }
}
